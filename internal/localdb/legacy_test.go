package localdb

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

func TestScanFilterOperators(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(
		ddb.Item{"pk": s("1"), "v": n(1), "t": s("abc")},
		ddb.Item{"pk": s("2"), "v": n(2), "t": &types.AttributeValueMemberSS{Value: []string{"abc", "x"}}},
		ddb.Item{"pk": s("3"), "t": s("b")},
	)
	list := func(values ...types.AttributeValue) []types.AttributeValue { return values }
	for _, tt := range []struct {
		attribute string
		operator  types.ComparisonOperator
		values    []types.AttributeValue
		want      string
	}{
		{"v", "EQ", list(n(1)), "1"}, {"v", "NE", list(n(1)), "2 3"}, {"v", "LT", list(n(2)), "1"}, {"v", "LE", list(n(2)), "1 2"},
		{"v", "GT", list(n(1)), "2"}, {"v", "GE", list(n(1)), "1 2"}, {"v", "BETWEEN", list(n(2), n(3)), "2"}, {"v", "IN", list(n(3), n(2)), "2"},
		{"v", "NULL", nil, "3"}, {"v", "NOT_NULL", nil, "1 2"},
		{"t", "CONTAINS", list(s("b")), "1 3"}, {"t", "CONTAINS", list(s("abc")), "1 2"}, {"t", "NOT_CONTAINS", list(s("abc")), "3"}, {"t", "BEGINS_WITH", list(s("b")), "3"},
	} {
		t.Run(string(tt.operator), func(t *testing.T) {
			out := f.scan(&ddb.ScanInput{ScanFilter: map[string]types.Condition{tt.attribute: {ComparisonOperator: tt.operator, AttributeValueList: tt.values}}})
			if got := strings.Join(slices.Sorted(slices.Values(column(out.Items, "pk"))), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		name      string
		condition types.Condition
		want      string
	}{
		{"too few values", types.Condition{ComparisonOperator: "BETWEEN", AttributeValueList: list(n(1))}, "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
		{"no values", types.Condition{ComparisonOperator: "IN"}, "Invalid number of argument(s) for the IN ComparisonOperator"},
		{"mixed values", types.Condition{ComparisonOperator: "IN", AttributeValueList: list(n(1), s("a"))}, "AttributeValues inside AttributeValueList must be of same type"},
		{"type of the value", types.Condition{ComparisonOperator: "BEGINS_WITH", AttributeValueList: list(n(1))}, "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
		{"bounds reversed", types.Condition{ComparisonOperator: "BETWEEN", AttributeValueList: list(n(2), n(1))}, "lower bound is greater than the upper bound"},
		{"no operator", types.Condition{}, "Value null at 'scanFilter.v.member.comparisonOperator' failed to satisfy constraint"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := f.client.Scan(t.Context(), &ddb.ScanInput{TableName: ptr("t-1"), ScanFilter: map[string]types.Condition{"v": tt.condition}})
			wantError(t, err, "ValidationException", tt.want)
		})
	}
}

func TestAttributeUpdates(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "n": n(1), "gone": s("x"), "set": &types.AttributeValueMemberSS{Value: []string{"a", "b"}}})
	out, err := f.client.UpdateItem(t.Context(), &ddb.UpdateItemInput{
		TableName: ptr("t-1"), Key: ddb.Item{"pk": s("a")}, ReturnValues: types.ReturnValueAllNew,
		AttributeUpdates: map[string]types.AttributeValueUpdate{
			"n":    {Action: types.AttributeActionAdd, Value: n(2)},
			"gone": {Action: types.AttributeActionDelete},
			"set":  {Action: types.AttributeActionDelete, Value: &types.AttributeValueMemberSS{Value: []string{"a"}}},
			"put":  {Value: s("default action")},
			"list": {Action: types.AttributeActionAdd, Value: &types.AttributeValueMemberL{Value: []types.AttributeValue{n(1)}}},
		},
	})
	if want := `{list=[1] n=3 pk="a" put="default action" set=SS[b]}`; err != nil || canonical(out.Attributes) != want {
		t.Errorf("got %v, %v, want %s", out, err, want)
	}
	_, err = f.client.UpdateItem(t.Context(), &ddb.UpdateItemInput{TableName: ptr("t-1"), Key: ddb.Item{"pk": s("a")},
		AttributeUpdates: map[string]types.AttributeValueUpdate{"n": {Action: types.AttributeActionPut}}})
	wantError(t, err, "ValidationException", "Only DELETE action is allowed when no attribute value is specified")
}

func TestExpected(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S")
	f.put(ddb.Item{"pk": s("a"), "n": n(1)})
	put := func(expected map[string]types.ExpectedAttributeValue, operator types.ConditionalOperator) error {
		_, err := f.client.PutItem(t.Context(), &ddb.PutItemInput{TableName: ptr("t-1"), Item: ddb.Item{"pk": s("a"), "n": n(1)}, Expected: expected, ConditionalOperator: operator})
		return err
	}
	one := types.ExpectedAttributeValue{Value: n(1)}
	two := types.ExpectedAttributeValue{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []types.AttributeValue{n(2)}}
	for _, tt := range []struct {
		name     string
		expected map[string]types.ExpectedAttributeValue
		operator types.ConditionalOperator
		code     string
		part     string
	}{
		{"value", map[string]types.ExpectedAttributeValue{"n": one}, "", "", ""},
		{"other value", map[string]types.ExpectedAttributeValue{"n": two}, "", "ConditionalCheckFailedException", ""},
		{"missing", map[string]types.ExpectedAttributeValue{"x": {Exists: ptr(false)}}, "", "", ""},
		{"both of two", map[string]types.ExpectedAttributeValue{"n": one, "pk": two}, "", "ConditionalCheckFailedException", ""},
		{"one of two", map[string]types.ExpectedAttributeValue{"n": one, "pk": two}, "OR", "", ""},
		{"no value", map[string]types.ExpectedAttributeValue{"n": {}}, "", "ValidationException", "Value must be provided when Exists is null for Attribute: n"},
		{"value of a missing", map[string]types.ExpectedAttributeValue{"n": {Exists: ptr(false), Value: n(1)}}, "", "ValidationException", "Value cannot be used when Exists is false for Attribute: n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := put(tt.expected, tt.operator)
			if tt.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, tt.code, tt.part)
		})
	}
}

func TestLegacyQuery(t *testing.T) {
	f := newFixture(t, Options{}, "pk:S sk:N")
	for i := range 5 {
		f.put(ddb.Item{"pk": s("p"), "sk": n(i), "v": n(i % 2)})
	}
	equal := func(v types.AttributeValue) types.Condition {
		return types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []types.AttributeValue{v}}
	}
	out := f.query(&ddb.QueryInput{
		KeyConditions:   map[string]types.Condition{"pk": equal(s("p")), "sk": {ComparisonOperator: "GT", AttributeValueList: []types.AttributeValue{n(0)}}},
		QueryFilter:     map[string]types.Condition{"v": equal(n(1))},
		AttributesToGet: []string{"sk"},
	})
	if got := canonicalAll(out.Items); len(got) != 2 || got[0] != "{sk=1}" || got[1] != "{sk=3}" || out.ScannedCount != 4 {
		t.Errorf("got %v of %d", got, out.ScannedCount)
	}
	for _, tt := range []struct {
		name string
		in   ddb.QueryInput
		want string
	}{
		{"not a key operator", ddb.QueryInput{KeyConditions: map[string]types.Condition{"pk": {ComparisonOperator: "NE", AttributeValueList: []types.AttributeValue{s("p")}}}}, "Attempted conditional constraint is not an indexable operation"},
		{"filter on the key", ddb.QueryInput{KeyConditions: map[string]types.Condition{"pk": equal(s("p"))}, QueryFilter: map[string]types.Condition{"sk": equal(n(1))}}, "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"},
		{"both ways", ddb.QueryInput{KeyConditions: map[string]types.Condition{"pk": equal(s("p"))}, KeyConditionExpression: ptr("pk = :p"), ExpressionAttributeValues: ddb.Item{":p": s("p")}}, "Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}"},
		{"attribute twice", ddb.QueryInput{KeyConditions: map[string]types.Condition{"pk": equal(s("p"))}, AttributesToGet: []string{"v", "v"}}, "Duplicate value in attribute name: v"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.TableName = ptr("t-1")
			_, err := f.client.Query(t.Context(), &tt.in)
			wantError(t, err, "ValidationException", tt.want)
		})
	}
}
