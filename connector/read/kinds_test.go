package read

import (
	"reflect"
	"testing"

	"github.com/dynasql/dynasql/connector/access"
)

// Plans that differ in their keys only have one entry, with their sums; what an
// index needs of its table is in the entry of the index.
func TestUsageByPlan(t *testing.T) {
	f := &fake{items: many(2, 5)}
	r, st := New(f, Options{}), NewStatement(Limits{})
	for _, p := range []access.Plan{
		{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("a")}},
		{Op: access.Query, Table: table, Keys: []access.KeyCond{hash("b")}},
		{Op: access.Query, Table: table, Index: "by", Complete: true, Keys: []access.KeyCond{hash("a")}},
		{Op: access.GetItem, Table: table, Keys: []access.KeyCond{full("a", 1)}},
	} {
		s, err := r.Open(t.Context(), p, st)
		for err == nil {
			_, _, err = s.NextBatch()
		}
		s.Close()
	}
	want := []PlanUse{
		{Table: "orders", Operation: "Query", KeyCondition: "pk = 'a'", Keys: 2,
			Requests: map[string]int{"Query": 2}, Items: 10, Returned: 10, ReadUnits: 10},
		{Table: "orders", Operation: "Query", Index: "by", KeyCondition: "pk = 'a'", Keys: 1,
			Requests: map[string]int{"Query": 1, "BatchGetItem": 1}, Items: 10, Returned: 5, ReadUnits: 10},
		{Table: "orders", Operation: "GetItem", KeyCondition: "pk = 'a' AND sk = 1", Keys: 1,
			Requests: map[string]int{"GetItem": 1}, Items: 1, Returned: 1, ReadUnits: 1},
	}
	if got := st.Usage().Plans; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
