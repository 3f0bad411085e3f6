package conformance

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/enginetest"
	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/dolthub/go-mysql-server/enginetest/scriptgen/setup"

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
	{"QueryErrors", enginetest.TestQueryErrors},
	{"Blobs", enginetest.TestBlobs},
	{"Regex", regexes},
}

// regexes runs the tests of regular expressions, which the library has apart.
func regexes(t *testing.T, h enginetest.Harness) {
	h.Setup(setup.MydbData, setup.MytableData, []setup.SetupScript{{
		"CREATE TABLE tests(pk int primary key, str text, pattern text, flags text)",
		"INSERT INTO tests VALUES (1, 'testing', 'TESTING', 'ci')",
	}})
	e, err := h.NewEngine(t)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := enginetest.NewContext(h)
	for _, tt := range queries.RegexTests {
		if _, iter, _, err := e.Query(ctx, tt.Query); err == nil {
			iter.Close(ctx)
		}
		if tt.ExpectedErr == nil { // the library's engine without cgo refuses some of them
			h.(*harness).record.expect(tt.Query, plainAnswer(tt.Expected))
		}
	}
	for _, script := range queries.RegexScriptTests {
		enginetest.TestScript(t, h, script)
	}
}

// knownFile lists what does not pass, with the reason of each.
const knownFile = "testdata/known.txt"

// TestSuites runs the suites. What does not pass has to be in the list of known
// differences, and what is in the list must not pass: either is an error.
//
//	DYNASQL_SUITE=Scripts     runs one suite
//	DYNASQL_SUITE=Scripts/12  compares one statement, and shows it
//	DYNASQL_SUITE_UPDATE=1    writes the list anew; new entries lack a reason
func TestSuites(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	known := readKnown(t)
	prepareLibrary(t)
	only := os.Getenv("DYNASQL_SUITE")
	suite, _, one := strings.Cut(only, "/")
	total, open := 0, []string{}
	reasons := map[string]int{}
	for _, s := range suites {
		if suite != "" && s.name != suite {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			r := &record{suite: s.name}
			if one {
				r.only = only
			}
			s.run(t, &harness{enginetest.NewDefaultMemoryHarness(), r})
			for _, o := range r.outcomes {
				reason, listed := known.reasons[o.name]
				total++
				switch {
				case o.problem == "":
					if listed && !one {
						t.Errorf("%s passes now: take it out of %s", o.name, knownFile)
					}
					continue
				case !listed || one:
					t.Errorf("%s: %s\n%s", o.name, o.query, o.problem)
				}
				reasons[reason]++
				open = append(open, strings.TrimSpace(o.name+" "+reason))
			}
		})
	}
	t.Logf("%d statements, %d pass; the others by reason: %v", total, total-len(open), reasons)
	if os.Getenv("DYNASQL_SUITE_UPDATE") == "1" && only == "" {
		if err := os.WriteFile(knownFile, []byte(known.head+strings.Join(open, "\n")+"\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
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

// A knownList is the list of known differences.
type knownList struct {
	head    string            // the comment at its beginning: the reasons and their meanings
	reasons map[string]string // by the names of statements
}

// readKnown reads the list: a name and a reason a line.
func readKnown(t *testing.T) knownList {
	text, err := os.ReadFile(knownFile)
	if err != nil {
		t.Fatal(err)
	}
	known := knownList{reasons: map[string]string{}}
	explained := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			known.head += line
			word, _, _ := strings.Cut(strings.TrimSpace(comment), " ")
			explained[word] = true
			continue
		}
		name, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !explained[reason] {
			t.Errorf("%s: the reason of %s is '%s', which is not explained", knownFile, name, reason)
		}
		known.reasons[name] = reason
	}
	return known
}
