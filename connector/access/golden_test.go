package access

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/schema"
)

var update = flag.Bool("update", false, "rewrite the expected texts under testdata/plan")

// TestPlans runs the scripts of testdata/plan. A script is blocks of lines with
// empty lines between them: table, column and index lines describe a table; a
// block with a line "----" asks for a plan above it and has the expected text
// below. Lines that begin with # are remarks.
func TestPlans(t *testing.T) {
	files, err := filepath.Glob("testdata/plan/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	cases, ran := 0, 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			cases += runScript(t, file)
			ran++
		})
	}
	if ran == len(files) && cases < 150 {
		t.Errorf("%d cases, at least 150 are wanted", cases)
	}
}

func runScript(t *testing.T, file string) (cases int) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var table *schema.Table
	blocks := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n\n")
	for i, block := range blocks {
		above, want, asks := strings.Cut(block, "\n----\n")
		if !asks {
			above, asks = strings.CutSuffix(block, "\n----")
		}
		if !asks {
			if next := tableOf(block); next != nil {
				table = next
			}
			continue
		}
		cases++
		got := answer(table, above)
		if got != want && !*update {
			t.Errorf("%s\n%s\n got:\n%s\nwant:\n%s", file, above, got, want)
		}
		blocks[i] = strings.TrimSuffix(above+"\n----\n"+got, "\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

func remarks(s string) bool { return strings.HasPrefix(s, "#") }

func linesOf(block string) []string {
	return slices.DeleteFunc(strings.Split(block, "\n"), remarks)
}

// tableOf reads the table, column and index lines of a block; nil when there are none.
func tableOf(block string) *schema.Table {
	var t *schema.Table
	for _, line := range linesOf(block) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		w := &wordReader{words[1:]}
		switch words[0] {
		case "table":
			t = &schema.Table{Name: w.next(), DistinctHash: map[string]int64{}, SparseSort: map[string]int{}}
			readTable(t, w)
		case "column":
			readColumn(t, w)
		case "index":
			readIndex(t, w)
		default:
			panic("unknown line: " + line)
		}
	}
	return t
}

type wordReader struct{ words []string }

func (w *wordReader) next() string {
	s := w.words[0]
	w.words = w.words[1:]
	return s
}

func (w *wordReader) number() int64 {
	s := w.next()
	factor := 1.0
	for suffix, f := range map[string]float64{"K": 1e3, "M": 1e6, "G": 1e9} {
		if cut, ok := strings.CutSuffix(s, suffix); ok {
			s, factor = cut, f
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return int64(f * factor)
}

func (w *wordReader) key() schema.Key {
	var attrs [2]schema.Attr
	for i, part := range strings.Split(w.next(), ",") {
		name, kind, _ := strings.Cut(part, ":")
		k, ok := schema.KindOf(kind)
		if !ok {
			panic("kind of " + part)
		}
		attrs[i] = schema.Attr{Name: name, Kind: k}
	}
	return schema.Key{Hash: attrs[0], Sort: attrs[1]}
}

func readTable(t *schema.Table, w *wordReader) {
	for len(w.words) > 0 {
		switch word := w.next(); word {
		case "key":
			t.Key = w.key()
		case "items":
			t.Items = w.number()
		case "size":
			t.SizeBytes = w.number()
		case "distinct":
			t.DistinctHash[""] = w.number()
		case "sampled":
			t.Sampled = int(w.number())
		case "samplebytes":
			t.SampleBytes = w.number()
		default:
			panic("table " + word)
		}
	}
}

func readColumn(t *schema.Table, w *wordReader) {
	c := schema.Column{Name: w.words[0], Attribute: w.next()}
	for len(w.words) > 0 {
		name, n, _ := strings.Cut(w.next(), "=")
		k, _ := schema.KindOf(name)
		c.Kinds[k], _ = strconv.Atoi(n)
	}
	t.Columns = append(t.Columns, c)
}

func readIndex(t *schema.Table, w *wordReader) {
	x := schema.Index{Name: w.next(), Global: true, Active: true, All: true}
	for len(w.words) > 0 {
		switch word := w.next(); word {
		case "key":
			x.Key = w.key()
		case "local":
			x.Global = false
		case "inactive":
			x.Active = false
		case "keys-only":
			x.All = false
		case "include":
			x.All, x.Include = false, strings.Split(w.next(), ",")
		case "items":
			x.Items = w.number()
		case "size":
			x.SizeBytes = w.number()
		case "distinct":
			t.DistinctHash[x.Name] = w.number()
		case "sparse":
			t.SparseSort[x.Name] = int(w.number())
		default:
			panic("index " + word)
		}
	}
	t.Indexes = append(t.Indexes, x)
}

// requestOf reads a question:
//
//	plan|aws|json|expression [count] *|columns [of index]
//	[where ..] [order by ..] [limit n] [with option ..]
func requestOf(t *schema.Table, text string) (verb string, req Request) {
	req.Table = t
	text, options, _ := cutWord(text, "with")
	text, limit, ok := cutWord(text, "limit")
	if ok {
		req.Limit, _ = strconv.ParseInt(limit, 10, 64)
	}
	text, order, _ := cutWord(text, "order by")
	text, where, _ := cutWord(text, "where")
	req.Where = parseWhere(where)
	verb, text, _ = strings.Cut(text, " ")
	text, req.Index, _ = cutWord(text, "of")
	if rest, ok := strings.CutPrefix(text, "count"); ok {
		req.Count, text = true, strings.TrimSpace(rest)
	}
	req.All = text == "*"
	if !req.All && text != "" {
		for _, c := range strings.Split(text, ",") {
			p := &parser{toks: tokens(c)}
			req.Columns = append(req.Columns, p.path())
		}
	}
	for _, term := range strings.Split(order, ",") {
		if term = strings.TrimSpace(term); term != "" {
			name, desc := strings.CutSuffix(term, " desc")
			req.Order = append(req.Order, Order{Attribute: name, Desc: desc})
		}
	}
	for i := range req.Where {
		req.Columns = append(req.Columns, pathsOf(&req.Where[i])...)
	}
	readOptions(&req, strings.Fields(options))
	return verb, req
}

func pathsOf(p *Pred) []Path {
	var out []Path
	for i := range p.Kids {
		out = append(out, pathsOf(&p.Kids[i])...)
	}
	out = append(out, p.Paths...)
	if p.Path.Attribute != "" {
		out = append(out, p.Path)
	}
	return out
}

func cutWord(text, word string) (before, after string, found bool) {
	before, after, found = strings.Cut(" "+text, " "+word+" ")
	return strings.TrimSpace(before), strings.TrimSpace(after), found
}

func readOptions(req *Request, options []string) {
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		switch name {
		case "consistent":
			req.Consistent = true
		case "hashes":
			req.DistinctHash = true
		case "strict":
			req.StrictIndexes = true
		case "nopushdown":
			req.NoPushdown = true
		case "opaque":
			req.Opaque, _ = strconv.Atoi(value)
		case "force":
			req.Hint.Force = value
		case "forbid":
			req.Hint.Forbid = strings.Split(value, ",")
		default:
			panic("option " + o)
		}
	}
}

func answer(table *schema.Table, block string) string {
	verb, req := requestOf(table, strings.Join(linesOf(block), " "))
	p, err := Choose(req)
	if err != nil {
		text := "error: " + err.Error()
		var e *IndexError
		if errors.As(err, &e) {
			text += "\nhint: " + e.Hint()
		}
		return text
	}
	switch verb {
	case "plan":
		return strings.Join(p.Tree(), "\n")
	case "either":
		var lines []string
		for _, p := range Either(req) {
			lines = append(lines, p.Tree()...)
		}
		return strings.Join(lines, "\n")
	case "aws":
		return strings.Join(p.AWSCLI(), "\n")
	case "json":
		raw, err := json.MarshalIndent(p.Explain(), "", "  ")
		if err != nil {
			panic(err)
		}
		return string(raw)
	case "expression":
		return expressionText(&p)
	}
	panic("verb " + verb)
}

func expressionText(p *Plan) string {
	var b strings.Builder
	for i := range max(1, len(p.Keys)) {
		e := p.Expression(i)
		fmt.Fprintf(&b, "key %s\nfilter %s\nprojection %s\n", e.KeyCondition, e.Filter, e.Projection)
		for k := range len(e.Names) {
			fmt.Fprintf(&b, "#n%d %s\n", k, e.Names[fmt.Sprintf("#n%d", k)])
		}
		for k := range len(e.Values) {
			fmt.Fprintf(&b, ":v%d %s\n", k, literal(e.Values[fmt.Sprintf(":v%d", k)]))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
