package arch

// Where the SQL engine and the AWS SDK may be imported, per package.
type access int

const (
	no     access = iota
	values        // value types only: no client, no query execution
	yes
)

// rule is one row of the import table.
type rule struct {
	pkg    string   // path below the module; "x/..." is x and everything below it
	ours   []string // packages of ours that it may import, in the same notation
	engine access   // github.com/dolthub/...
	aws    access   // github.com/aws/...
}

// rules is the import table: what it does not allow is an error. Test files are
// free. The first row that matches a package counts.
var rules = []rule{
	{"connector/schema", nil, no, no},
	{"connector/access", []string{"connector/schema"}, no, no},
	{"connector/codec/...", []string{"connector/schema", "connector/codec/..."}, values, values},
	{"connector/catalog", []string{"connector/schema", "connector/access", "connector/codec/...", "internal/ddb"}, no, values},
	{"connector/schemafile", []string{"connector/schema"}, no, no},
	{"connector/read", []string{"connector/schema", "connector/access", "connector/codec/...", "internal/ddb"}, no, values},
	{"connector/write", []string{"connector/schema", "connector/access", "connector/codec/...", "internal/ddb"}, no, values},
	{"engine/exec/...", []string{"connector/...", "engine/exec/...", "engine/exact", "engine/function", "engine/key", "engine/spill", "engine/vector"}, yes, no},
	{"engine/vector", []string{"connector/...", "engine/exact", "engine/key", "engine/spill"}, yes, no},
	{"engine/spill", []string{"connector/codec"}, yes, no},
	{"connector", []string{"connector/...", "internal/ddb", "internal/yamlerr"}, yes, no},
	{"engine/mysqld/wire", nil, no, no},
	{"engine/...", []string{"engine/...", "connector/...", "internal/ddb", "internal/yamlerr"}, yes, no},
	{"repl/...", []string{"repl/..."}, no, no},
	{"internal/ddb", nil, no, yes},
	{"internal/localdb/attr", []string{"internal/ddb"}, no, values},
	{"internal/localdb/expr", []string{"internal/ddb", "internal/localdb/attr"}, no, values},
	{"internal/localdb", []string{"internal/ddb", "internal/localdb/..."}, no, values},
	{"internal/localdb/...", []string{"internal/ddb", "internal/localdb/..."}, no, values},
	{"internal/dataset", []string{"internal/ddb"}, no, values},
	{"internal/yamlerr", nil, no, no},
	{"internal/arch", nil, no, no},
	{"cmd/...", []string{"..."}, no, no},
}

// awsValues are the packages of the SDK that hold values and error types, and
// no client.
var awsValues = []string{
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types",
	"github.com/aws/aws-sdk-go-v2/aws",
	"github.com/aws/smithy-go",
}

// engineValues are the packages of the engine that hold values: SQL types and
// their conversion, decimals, JSON.
var engineValues = []string{
	"github.com/dolthub/go-mysql-server/sql",
	"github.com/dolthub/go-mysql-server/sql/types",
	"github.com/cockroachdb/apd/v3",
}

// topLevel is what may lie in the root of the repository, beside hidden files.
var topLevel = []string{
	"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "README.md", "SECURITY.md",
	"go.mod", "go.sum",
	"cmd", "connector", "docs", "engine", "internal", "repl", "testdata",
}
