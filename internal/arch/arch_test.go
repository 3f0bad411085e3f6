package arch

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/dynasql/dynasql"

// root is the root of the repository, seen from this folder.
const root = "../.."

// listed is what go list says about a package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

// path is the import path below the module; "" is the module itself.
func (p listed) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-tags", "gms_pure_go", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("read the output of go list: %v", err)
		}
		all = append(all, p)
	}
}

// matches reports whether a pattern such as "connector/..." covers a path.
func matches(pattern, path string) bool {
	stem, all := strings.CutSuffix(pattern, "...")
	if !all {
		return pattern == path
	}
	return strings.HasPrefix(path, stem) || path == strings.TrimSuffix(stem, "/")
}

func ruleFor(path string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return matches(r.pkg, path) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

// refuse says why a package under r may not import a path; empty when it may.
func refuse(r rule, imported string) string {
	switch ours, isOurs := strings.CutPrefix(imported, module+"/"); {
	case isOurs:
		if !slices.ContainsFunc(r.ours, func(p string) bool { return matches(p, ours) }) {
			return "not among the packages of ours it may import: " + strings.Join(r.ours, ", ")
		}
	case strings.HasPrefix(imported, "github.com/dolthub/"):
		return refuseAccess(r.engine, imported, engineValues, "the SQL engine")
	case strings.HasPrefix(imported, "github.com/aws/"):
		return refuseAccess(r.aws, imported, awsValues, "the AWS SDK")
	}
	return ""
}

func refuseAccess(have access, imported string, allowed []string, what string) string {
	switch {
	case have == no:
		return what + " is not for this package"
	case have == values && !slices.Contains(allowed, imported):
		return "only the value types of " + what + " are for this package: " + strings.Join(allowed, ", ")
	}
	return ""
}

func TestImportTable(t *testing.T) {
	for _, p := range packages(t) {
		r, ok := ruleFor(p.path())
		if !ok {
			t.Errorf("package %s is not in the import table (internal/arch/table_test.go): a package exists if it keeps a dependency out of its neighbours or can be fully tested without them", p.path())
			continue
		}
		for _, imported := range p.Imports {
			if why := refuse(r, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.path(), imported, why)
			}
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, tt := range []struct {
		name, pkg, imported string
		refused             bool
	}{
		{"schema imports the planner", "connector/schema", module + "/connector/access", true},
		{"the planner imports schema", "connector/access", module + "/connector/schema", false},
		{"the planner imports the engine", "connector/access", "github.com/dolthub/go-mysql-server/sql", true},
		{"the codec imports engine values", "connector/codec", "github.com/dolthub/go-mysql-server/sql/types", false},
		{"the codec imports the analyzer", "connector/codec", "github.com/dolthub/go-mysql-server/sql/analyzer", true},
		{"reading imports SDK values", "connector/read", "github.com/aws/aws-sdk-go-v2/service/dynamodb/types", false},
		{"reading imports the SDK client", "connector/read", "github.com/aws/aws-sdk-go-v2/service/dynamodb", true},
		{"the seam imports the SDK client", "internal/ddb", "github.com/aws/aws-sdk-go-v2/service/dynamodb", false},
		{"the shell imports the engine's package of ours", "repl", module + "/engine", true},
		{"the shell imports its formats", "repl", module + "/repl/format", false},
		{"the command imports the engine library", "cmd/dynasql", "github.com/dolthub/go-mysql-server/sql", true},
		{"the command imports anything of ours", "cmd/dynasql", module + "/internal/localdb", false},
		{"the standard library", "connector/schema", "strings", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, ok := ruleFor(tt.pkg)
			if !ok {
				t.Fatalf("no rule for %s", tt.pkg)
			}
			if why := refuse(r, tt.imported); (why != "") != tt.refused {
				t.Errorf("refuse(%s, %s) = %q, want refused %t", tt.pkg, tt.imported, why, tt.refused)
			}
		})
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".")
		built := e.Name() == "dynasql" || e.Name() == "dist" // named in .gitignore
		if !hidden && !built && !slices.Contains(topLevel, e.Name()) {
			t.Errorf("%s does not belong in the root of the repository", e.Name())
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && !hasPackageComment(t, p) {
			t.Errorf("package %s has no package comment: say its purpose and what it must not do", p.path())
		}
	}
}

func hasPackageComment(t *testing.T, p listed) bool {
	t.Helper()
	return slices.ContainsFunc(p.GoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return says(f.Doc)
	})
}

func says(doc *ast.CommentGroup) bool { return doc != nil && strings.TrimSpace(doc.Text()) != "" }
