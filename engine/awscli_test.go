package engine_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/dynasql/dynasql/connector/catalog"
)

// TestAWSCLICommands runs what EXPLAIN FORMAT=AWSCLI prints, as it is, in a
// shell: the commands find the items that the statement returns.
func TestAWSCLICommands(t *testing.T) {
	aws, err := exec.LookPath("aws")
	if err != nil {
		if os.Getenv("DYNASQL_CI") == "1" {
			t.Fatal("no aws in the path")
		}
		t.Skip("no aws in the path")
	}
	store := storeOf(t, fixture{
		name: "orders-1.x", hash: "pk:S", sort: "sk:N", indexes: []string{"by-status status:S"},
		items: []string{
			`{"pk":{"S":"o'brien"},"sk":{"N":"1"},"status":{"S":"a \"b\" $c"},"na me":{"S":"x"}}`,
			`{"pk":{"S":"o'brien"},"sk":{"N":"20"},"status":{"S":"open"},"total":{"N":"5.5"}}`,
			`{"pk":{"S":"日本"},"sk":{"N":"-3"},"status":{"S":"open"},"total":{"N":"7"}}`,
		},
	})
	server := httptest.NewServer(store.Handler())
	defer server.Close()
	s := over(t, store, catalog.Options{}).NewSession()
	defer s.Close()
	for _, where := range []string{
		`pk = 'o''brien'`,
		`pk = 'o''brien' AND sk = 20`,
		`pk = 'o''brien' AND sk BETWEEN 1 AND 5`,
		`(pk, sk) IN (('o''brien', 1), ('日本', -3))`,
		`pk IN ('o''brien', '日本')`,
		`status = 'a "b" $c'`,
		"status = 'open' AND total > 6",
		"`na me` = 'x'",
		`total IS NULL`,
	} {
		t.Run(where, func(t *testing.T) {
			query := "SELECT pk, sk, total FROM `orders-1.x` WHERE " + where
			found := 0
			for _, command := range mustAnswer(t, s, "EXPLAIN FORMAT=AWSCLI "+query) {
				found += itemsOf(t, aws, server.URL, command)
			}
			if want := len(mustAnswer(t, s, query)); found != want {
				t.Errorf("the commands found %d items, the statement %d", found, want)
			}
		})
	}
}

// itemsOf runs one command and counts the items in its answer.
func itemsOf(t *testing.T, aws, endpoint, command string) int {
	t.Helper()
	shell := exec.Command("sh", "-c", strings.Replace(command, "aws ", aws+" --endpoint-url "+endpoint+" ", 1))
	shell.Env = append(os.Environ(), "AWS_PAGER=", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=y",
		"AWS_DEFAULT_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true")
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", command, err, out)
	}
	if len(strings.TrimSpace(string(out))) == 0 {
		return 0 // a GetItem that finds nothing
	}
	var answer struct {
		Item      json.RawMessage
		Items     []json.RawMessage
		Responses map[string][]json.RawMessage
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%s\n%v\n%s", command, err, out)
	}
	n := len(answer.Items)
	if answer.Item != nil {
		n++
	}
	for _, items := range answer.Responses {
		n += len(items)
	}
	return n
}
