package conformance

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/enginetest"

	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/localdb"
)

// suites are the library's tests that read, by name.
var suites = []struct {
	name string
	run  func(*testing.T, enginetest.Harness)
}{
	{"Queries", enginetest.TestQueries},
	{"JoinQueries", enginetest.TestJoinQueries},
	{"LateralJoinQueries", enginetest.TestLateralJoinQueries},
	{"JSONTableQueries", enginetest.TestJSONTableQueries},
	{"JSONTableScripts", enginetest.TestJSONTableScripts},
	{"AnsiQuotes", enginetest.TestAnsiQuotesSqlMode},
	{"OrderByGroupBy", enginetest.TestOrderByGroupBy},
	{"ColumnAliases", enginetest.TestColumnAliases},
	{"OuterScope", enginetest.TestDerivedTableOuterScopeVisibility},
	{"AmbiguousColumns", enginetest.TestAmbiguousColumnResolution},
	{"Convert", enginetest.TestConvert},
	{"Scripts", enginetest.TestScripts},
	{"NumericErrors", enginetest.TestNumericErrorScripts},
	{"ComplexIndexQueries", enginetest.TestComplexIndexQueries},
	{"WindowFunctions", enginetest.TestWindowFunctions},
	{"WindowRowFrames", enginetest.TestWindowRowFrames},
	{"WindowRangeFrames", enginetest.TestWindowRangeFrames},
	{"NamedWindows", enginetest.TestNamedWindows},
	{"NaturalJoin", enginetest.TestNaturalJoin},
	{"NaturalJoinEqual", enginetest.TestNaturalJoinEqual},
	{"NaturalJoinDisjoint", enginetest.TestNaturalJoinDisjoint},
	{"InnerInNaturalJoins", enginetest.TestInnerNestedInNaturalJoins},
	{"Variables", enginetest.TestVariables},
	{"DateParse", enginetest.TestDateParse},
	{"SelectLimit", enginetest.TestSessionSelectLimit},
	{"NullRanges", enginetest.TestNullRanges},
	{"JSONScripts", func(t *testing.T, h enginetest.Harness) { enginetest.TestJsonScripts(t, h, nil) }},
	{"IndexPrefix", enginetest.TestIndexPrefix},
	{"Indexes", enginetest.TestIndexes},
	{"SQLLogic", enginetest.TestSQLLogicTests},
	{"Time", enginetest.TestTimeQueries},
	{"JoinOps", func(t *testing.T, h enginetest.Harness) { enginetest.TestJoinOps(t, h, enginetest.DefaultJoinOpTests) }},
	{"JoinPlanning", enginetest.TestJoinPlanning},
}

// knownFile lists what does not pass, with the reason of each.
const knownFile = "testdata/known.txt"

// TestSuites runs the suites. What does not pass has to be in the list of known
// differences, and what is in the list must not pass: either is an error.
//
//	DYNASQL_SUITE=Scripts/12   shows the statement of that name and both answers
func TestSuites(t *testing.T) {
	known := readKnown(t)
	prepareLibrary(t)
	only, _, one := strings.Cut(os.Getenv("DYNASQL_SUITE"), "/")
	var lines []string
	passed, failed := 0, 0
	for _, s := range suites {
		if only != "" && s.name != only {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			r := &record{suite: s.name}
			if one {
				r.only = os.Getenv("DYNASQL_SUITE")
			}
			s.run(t, &harness{enginetest.NewDefaultMemoryHarness(), r})
			for _, o := range r.outcomes {
				_, listed := known[o.name]
				switch {
				case o.problem == "":
					passed++
					if listed {
						t.Errorf("%s passes now: take it out of %s", o.name, knownFile)
					}
				case !listed:
					failed++
					t.Errorf("%s: %s\n%s", o.name, o.query, o.problem)
				default:
					failed++
				}
				if o.problem != "" {
					lines = append(lines, o.name+" | "+strings.ReplaceAll(o.problem, "\n", " ")+" | "+strings.Join(strings.Fields(o.query), " "))
				}
			}
			t.Logf("%d statements", len(r.outcomes))
		})
	}
	if file := os.Getenv("DYNASQL_SUITE_LOG"); file != "" {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d pass, %d do not", passed, failed)
}

// prepareLibrary makes an engine of ours first: that changes defaults of the
// library's variables, which a session of its own would take for set by hand.
func prepareLibrary(t *testing.T) {
	e, err := engine.New(engine.Config{Connections: []engine.Connection{{Client: localdb.Open(localdb.Options{}).Client()}}})
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
}

// A record keeps the outcome of every statement of a suite. Its name is the
// suite's and its number in it.
type record struct {
	suite    string
	only     string // the name of the statement to compare; "" for all
	outcomes []outcome
	asked    bool // the last outcome is of the statement that has just run
}

type outcome struct {
	name, query, problem string
	ours                 answer
}

func (r *record) add(query string, ask func() (theirs, ours answer)) {
	o := outcome{name: fmt.Sprintf("%s/%d", r.suite, len(r.outcomes)+1), query: query}
	if r.only == "" || r.only == o.name {
		var theirs answer
		theirs, o.ours = ask()
		o.problem = difference(isOrdered(query), theirs, o.ours)
	}
	r.outcomes, r.asked = append(r.outcomes, o), true
}

// expect compares the last statement with what its test expects.
func (r *record) expect(query string, wanted answer) {
	if !r.asked {
		return
	}
	o := &r.outcomes[len(r.outcomes)-1]
	if o.query == query && (r.only == "" || r.only == o.name) {
		o.problem = difference(isOrdered(query), wanted, o.ours)
	}
}

// readKnown reads the list: a name and a reason a line.
func readKnown(t *testing.T) map[string]string {
	f, err := os.Open(knownFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		known[name] = reason
	}
	return known
}
