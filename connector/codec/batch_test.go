package codec

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/apd/v3"

	"github.com/dynasql/dynasql/connector/codec/page"
	"github.com/dynasql/dynasql/connector/schema"
)

func TestRowsAreThoseOfValue(t *testing.T) {
	var columns []*schema.Column
	var attributes []string
	for _, ty := range []schema.Type{schema.Text, schema.Decimal, schema.Boolean, schema.Bytes, schema.JSON, schema.MixedText} {
		name := fmt.Sprintf("a%d", ty)
		attributes = append(attributes, name)
		columns = append(columns, &schema.Column{Attribute: name, Type: ty})
	}
	columns = append(columns, &schema.Column{Type: schema.WholeItem}, &schema.Column{Type: schema.WireItem}, &schema.Column{Attribute: "elsewhere"}, nil)
	d := page.NewDecoder(attributes)
	maker := NewRowMaker(columns, attributes)
	row := make([]any, len(columns))
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		item := map[string]types.AttributeValue{}
		for _, name := range attributes {
			if r.IntN(8) > 0 {
				item[name] = randomValue(r, 2)
			}
		}
		b := d.Batch()
		if err := d.Items([]map[string]types.AttributeValue{item}, b); err != nil {
			t.Fatal(err)
		}
		misfits, err := maker.Row(b, 0, row)
		if err != nil {
			t.Fatal(err)
		}
		b.Clear() // rows keep nothing of the batch
		for i, c := range columns {
			if c == nil {
				c = &schema.Column{Attribute: "elsewhere"}
			}
			want, fits := Value(c.Type, item[c.Attribute])
			switch c.Type {
			case schema.WholeItem:
				want, fits = ItemJSON(item), true
			case schema.WireItem:
				want, fits = WireJSON(item), true
			}
			if misfit := contains(misfits, i); misfit == fits || !fits && row[i] != nil {
				t.Errorf("seed %d: %v in %s: misfit %v, want %v", seed, item[c.Attribute], TypeName(c.Type), misfit, !fits)
			}
			if fits && !same(row[i], want) {
				t.Errorf("seed %d: %v in %s: %#v, want %#v", seed, item[c.Attribute], TypeName(c.Type), row[i], want)
			}
		}
	}
}

func contains(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

func same(got, want any) bool {
	d, ok := got.(*apd.Decimal)
	e, ok2 := want.(*apd.Decimal)
	if ok && ok2 {
		return d.CmpTotal(e) == 0 && d.Exponent == e.Exponent
	}
	x, ok := got.(Document)
	y, ok2 := want.(Document)
	if ok && ok2 {
		return x.item == y.item && x.wire == y.wire && x.String() == y.String() && reflect.DeepEqual(x.Attribute(), y.Attribute())
	}
	return reflect.DeepEqual(got, want)
}

func randomValue(r *rand.Rand, depth int) types.AttributeValue {
	text := []string{"", "plain", `quo"te\`, "über 😀", strings.Repeat("long ", 20)}[r.IntN(5)]
	number := []string{"0", "-1", "12.50", "-0.001", "12345678901234567890123456789012345678", "1E+125", "1E-130", "1E+2", "007"}[r.IntN(9)]
	kinds := 10
	if depth == 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return &types.AttributeValueMemberS{Value: text}
	case 1:
		return &types.AttributeValueMemberN{Value: number}
	case 2:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	case 3:
		return &types.AttributeValueMemberBOOL{Value: r.IntN(2) == 0}
	case 4:
		return &types.AttributeValueMemberNULL{Value: true}
	case 5:
		return &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{text: randomValue(r, depth-1), "b": randomValue(r, depth-1)}}
	case 6:
		return &types.AttributeValueMemberL{Value: []types.AttributeValue{randomValue(r, depth-1), randomValue(r, depth-1)}}
	case 7:
		return &types.AttributeValueMemberSS{Value: []string{text, "x"}}
	case 8:
		return &types.AttributeValueMemberNS{Value: []string{number, "7"}}
	}
	return &types.AttributeValueMemberBS{Value: [][]byte{[]byte(text)}}
}

func BenchmarkRowMaker(b *testing.B) {
	columns := []*schema.Column{{Attribute: "pk"}, {Attribute: "sk"}, {Attribute: "amount", Type: schema.Decimal}, {Attribute: "quantity", Type: schema.Decimal}}
	attributes := []string{"pk", "sk", "amount", "quantity"}
	d := page.NewDecoder(attributes)
	batch := d.Batch()
	item := map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "CUST#00000017"}, "sk": &types.AttributeValueMemberS{Value: "ORDER#2026-01-01T00:00:00Z"},
		"amount": &types.AttributeValueMemberN{Value: "1234.56"}, "quantity": &types.AttributeValueMemberN{Value: "3"},
	}
	if err := d.Items([]map[string]types.AttributeValue{item}, batch); err != nil {
		b.Fatal(err)
	}
	m := NewRowMaker(columns, attributes)
	b.ReportAllocs()
	for b.Loop() {
		row := make([]any, len(columns))
		if _, err := m.Row(batch, 0, row); err != nil {
			b.Fatal(err)
		}
	}
}
