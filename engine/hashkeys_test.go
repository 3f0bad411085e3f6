package engine_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/engine"
	"github.com/dynasql/dynasql/internal/ddb"
)

// collections are tables with 20 hash keys of 60 items; the sort keys differ in
// their kinds and have the greatest that there can be among them.
func collections() []fixture {
	greatest := map[string]string{
		"S": `{"S":"` + strings.Repeat("\U0010FFFF", 256) + `"}`,
		"N": `{"N":"9.9999999999999999999999999999999999999E+125"}`,
		"B": `{"B":"` + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff", 1024))) + `"}`,
	}
	var out []fixture
	for kind, last := range greatest {
		f := fixture{name: "by" + kind, hash: "pk:S", sort: "sk:" + kind}
		for h := range 20 {
			for n := range 59 {
				sk := fmt.Sprintf(`{"%s":"%d"}`, kind, 1000+n)
				f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"h%02d"},"sk":%s,"v":{"S":"%s"},"n":{"N":"%d"}}`, h, sk, strings.Repeat("x", 300+n), n))
			}
			f.items = append(f.items, fmt.Sprintf(`{"pk":{"S":"h%02d"},"sk":%s,"v":{"S":"last"}}`, h, last))
		}
		out = append(out, f)
	}
	return out
}

// readUnits runs a statement and tells the read units it took beside its rows.
func readUnits(t *testing.T, s *engine.Session, query string) (rows []string, units float64) {
	t.Helper()
	a := collect(context.Background(), s, query)
	if a.err != nil {
		t.Fatal(query, a.err)
	}
	for _, row := range a.rows {
		rows = append(rows, strings.Join(row, "|"))
	}
	slices.Sort(rows)
	return rows, a.units
}

func TestHashKeysAreWalked(t *testing.T) {
	e := over(t, storeOf(t, collections()...), catalog.Options{})
	s := e.NewSession()
	defer s.Close()
	for _, tt := range []struct {
		query string
		want  int // rows
		walks bool
	}{
		{"SELECT DISTINCT pk FROM %s", 20, true},
		{"SELECT pk FROM %s GROUP BY pk ORDER BY pk DESC", 20, true},
		{"SELECT COUNT(DISTINCT pk) FROM %s", 1, true},
		{"SELECT MIN(pk), MAX(pk), COUNT(DISTINCT pk) FROM %s", 1, true},
		{"SELECT DISTINCT LEFT(pk, 2) AS tens FROM %s WHERE pk > 'h05' ORDER BY tens", 2, true},
		{"SELECT COUNT(*) FROM (SELECT DISTINCT pk FROM %s) d", 1, true},
		{"SELECT UPPER(x) AS u FROM (SELECT pk AS x FROM %s) d GROUP BY u", 20, true},
		{"SELECT pk FROM %s UNION SELECT 'h00'", 20, false},
		{"SELECT pk, COUNT(*) FROM %s GROUP BY pk", 20, false},
		{"SELECT COUNT(pk) FROM %s", 1, false},
		{"SELECT DISTINCT pk FROM %s WHERE n > 30", 20, false},
		{"SELECT DISTINCT pk, LEFT(v, 1) FROM %s", 40, false},
		{"SELECT COUNT(*) FROM (SELECT DISTINCT pk, RAND() FROM %s) d", 1, false},
		{"SELECT COUNT(DISTINCT pk, n) FROM %s", 1, false},
		{"SELECT COUNT(*) FROM (SELECT DISTINCT pk FROM (SELECT pk FROM %s ORDER BY pk LIMIT 100) e) d", 1, false},
	} {
		for _, table := range []string{"byS", "byN", "byB"} {
			query := fmt.Sprintf(tt.query, table)
			mustAnswer(t, s, "SET ddb_pushdown = 0")
			want, _ := readUnits(t, s, query)
			mustAnswer(t, s, "SET ddb_pushdown = 1")
			got, units := readUnits(t, s, query)
			if fmt.Sprint(got) != fmt.Sprint(want) && !strings.Contains(query, "RAND") || len(got) != tt.want {
				t.Errorf("%s\n got %q\nwant %q", query, got, want)
			}
			if walks := units < 15; walks != tt.walks {
				t.Errorf("%s took %v read units", query, units)
			}
			plan := strings.Join(mustAnswer(t, s, "EXPLAIN "+query), "\n")
			if strings.Contains(plan, "from hash key to hash key") != tt.walks {
				t.Errorf("%s\n%s", query, plan)
			}
		}
	}
}

// A pedant takes start keys in Scans only if an item has them.
type pedant struct {
	ddb.Client
	keys map[string]bool
}

func (p *pedant) Scan(ctx context.Context, in *ddb.ScanInput, o ...func(*ddb.Options)) (*ddb.ScanOutput, error) {
	if from := in.ExclusiveStartKey; from != nil && !p.keys[keyName(from)] {
		return nil, &smithy.GenericAPIError{Code: "ValidationException", Message: "The provided starting key is outside the range of keys based on the segment"}
	}
	out, err := p.Client.Scan(ctx, in, o...)
	if err == nil && out.LastEvaluatedKey != nil {
		p.keys[keyName(out.LastEvaluatedKey)] = true
	}
	return out, err
}

func keyName(key ddb.Item) string {
	return key["pk"].(*types.AttributeValueMemberS).Value + key["sk"].(*types.AttributeValueMemberN).Value
}

// TestHashKeysWithoutWalking reads on where DynamoDB refuses a start key.
func TestHashKeysWithoutWalking(t *testing.T) {
	tables := collections()
	f := tables[slices.IndexFunc(tables, func(f fixture) bool { return f.name == "byN" })]
	s := overClient(t, &pedant{storeOf(t, f).Client(), map[string]bool{}}, catalog.Options{}).NewSession()
	defer s.Close()
	if got, units := readUnits(t, s, "SELECT COUNT(DISTINCT pk) FROM byN"); fmt.Sprint(got) != "[20]" || units < 40 {
		t.Errorf("got %q for %v read units", got, units)
	}
}
