package expr

import (
	"slices"
	"testing"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

var (
	pk = KeyAttribute{"pk", attr.S}
	sk = KeyAttribute{"sk", attr.N}
)

func TestKeyCondition(t *testing.T) {
	five, one := attr.Scalar(attr.N, "5"), attr.Scalar(attr.N, "1")
	tests := []struct {
		src  string
		want *KeyTerm // on the sort key
	}{
		{"pk = :s", nil},
		{":s = pk", nil},
		{"pk = :s AND sk = :n", &KeyTerm{"sk", KeyEqual, []attr.Value{five}}},
		{"sk < :n AND pk = :s", &KeyTerm{"sk", KeyLess, []attr.Value{five}}},
		{"pk = :s AND :n < sk", &KeyTerm{"sk", KeyGreater, []attr.Value{five}}},
		{"pk = :s AND :n >= sk", &KeyTerm{"sk", KeyLessEqual, []attr.Value{five}}},
		{"pk = :s AND sk <= :n", &KeyTerm{"sk", KeyLessEqual, []attr.Value{five}}},
		{"pk = :s AND sk >= :n", &KeyTerm{"sk", KeyGreaterEqual, []attr.Value{five}}},
		{"(pk = :s) AND (sk BETWEEN :one AND :n)", &KeyTerm{"sk", KeyBetween, []attr.Value{one, five}}},
		{"(pk = :s AND (sk > :n))", &KeyTerm{"sk", KeyGreater, []attr.Value{five}}},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			k, err := ParseKeyCondition(tt.src, newEnv(t))
			if err != nil {
				t.Fatal(err)
			}
			hashTerm, sortTerm, err := k.Resolve(pk, sk)
			if err != nil {
				t.Fatal(err)
			}
			if hashTerm.Name != "pk" || hashTerm.Op != KeyEqual || hashTerm.Args[0].Text() != "abc" {
				t.Errorf("hash term %v", hashTerm)
			}
			if (sortTerm == nil) != (tt.want == nil) {
				t.Fatalf("sort term %v, want %v", sortTerm, tt.want)
			}
			if sortTerm != nil && !equalTerms(*sortTerm, *tt.want) {
				t.Errorf("sort term %v, want %v", *sortTerm, *tt.want)
			}
		})
	}
}

func equalTerms(a, b KeyTerm) bool {
	return a.Name == b.Name && a.Op == b.Op && slices.Equal(a.Args, b.Args)
}

func TestKeyConditionBeginsWith(t *testing.T) {
	k, err := ParseKeyCondition("pk = :s AND begins_with(sk, :ab)", newEnv(t))
	if err != nil {
		t.Fatal(err)
	}
	_, sortTerm, err := k.Resolve(pk, KeyAttribute{"sk", attr.S})
	if err != nil || sortTerm == nil || sortTerm.Op != KeyBeginsWith || sortTerm.Args[0].Text() != "ab" {
		t.Errorf("sort term %v, %v", sortTerm, err)
	}
}

// What no table allows is told by Check, the rest by Resolve.
func TestKeyConditionRefuses(t *testing.T) {
	const operator = "Invalid operator used in KeyConditionExpression: "
	const first = " operator must have the key attribute as its first operand"
	const within = "Invalid condition in KeyConditionExpression: "
	const schemaType = "One or more parameter values were invalid: Condition parameter type does not match schema type"
	tests := []struct {
		src     string
		checked bool
		want    string
	}{
		{"a > b and size(b) > c or a > c", true, operator + "OR"},
		{"a in (b, size(c), d)", true, operator + "IN"},
		{"attribute_exists(a)", true, operator + "attribute_exists"},
		{"contains(a.d, b)", true, operator + "contains"},
		{"not a > b", true, operator + "NOT"},
		{"a <> b", true, operator + "<>"},
		{":one between size(b) and size(a) and b > :b", true, within + "BETWEEN" + first},
		{"begins_with(:s, b) and a > :b", true, within + "begins_with" + first},
		{"size(b) > a AND a.b > b AND b > c", true, "KeyConditionExpressions cannot contain nested operations"},
		{"a > size(b.d)", true, "KeyConditionExpressions cannot contain nested operations"},
		{"b > a.b", true, within + "Multiple attribute names used in one condition"},
		{"begins_with(a, b)", true, within + "Multiple attribute names used in one condition"},
		{"b.d > a AND c.d > e.f", true, "KeyConditionExpressions cannot have conditions on nested attributes"},
		{"b[0] > a", true, "KeyConditionExpressions cannot have conditions on nested attributes"},
		{":one > :n AND a < :b", true, within + "No key attribute specified"},
		{"pk = :s AND sk > :one AND sk < :n", true, "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
		{"sk = :n", false, "Query condition missed key schema element: pk"},
		{"pk = :s AND extra = :n", false, "Query condition missed key schema element: sk"},
		{"pk > :s", false, "Query key condition not supported"},
		{"pk = :n", false, schemaType},
		{"pk = :s AND sk > :s", false, schemaType},
		{"pk = :s AND begins_with(sk, :s)", false, schemaType},
		{"pk = :s AND sk = :t", false, schemaType},
		{"pk = :s AND sk > :n AND extra = :n", false, "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
		{"pk = :nothing", false, "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			env := newEnv(t)
			env.Values[":nothing"] = attr.Scalar(attr.S, "")
			k, err := ParseKeyCondition(tt.src, env)
			if err != nil {
				t.Fatal(err)
			}
			err = k.Check()
			if tt.checked {
				wantError(t, err, tt.want)
			} else if err != nil {
				t.Fatalf("Check: %v", err)
			}
			_, _, err = k.Resolve(pk, sk)
			wantError(t, err, tt.want)
		})
	}
}

func TestKeyConditionOperandTypes(t *testing.T) {
	const kind = "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: "
	for src, want := range map[string]string{
		"pk = :s AND begins_with(sk, :n)":      kind + "begins_with, operand type: N",
		"pk = :s AND sk < :t":                  kind + "<, operand type: BOOL",
		"pk = :s AND :t >= sk":                 kind + ">=, operand type: BOOL",
		"pk = :s AND sk BETWEEN :t AND :t":     kind + "BETWEEN, operand type: BOOL",
		"begins_with(sk, :n) AND pk = :zz":     kind + "begins_with, operand type: N",
		"pk = :zz AND begins_with(sk, :n)":     "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :zz",
		"pk = :s AND sk BETWEEN :n AND :one":   "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:5}, upper bound operand: AttributeValue: {N:1}",
		"pk = :s AND sk BETWEEN :b AND :s":     "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]}, upper bound operand: AttributeValue: {S:abc}",
		"pk = :s AND status = :s":              "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status",
		"pk = :s AND (attribute_exists(sk, a)": "Invalid KeyConditionExpression: Syntax error; token: \"<EOF>\", near: \")\"",
	} {
		t.Run(src, func(t *testing.T) {
			_, err := ParseKeyCondition(src, newEnv(t))
			wantError(t, err, want)
		})
	}
}

func FuzzParseKeyCondition(f *testing.F) {
	f.Add("pk = :s AND sk BETWEEN :one AND :n")
	f.Add(":s = #a AND begins_with(sk, :ab)")
	f.Fuzz(func(t *testing.T, src string) {
		k, err := ParseKeyCondition(src, newEnv(t))
		if err != nil {
			wantError(t, err, "Invalid KeyConditionExpression: ")
			return
		}
		hashTerm, sortTerm, err := k.Resolve(pk, sk)
		if err != nil {
			return
		}
		if len(hashTerm.Args) != 1 || sortTerm != nil && len(sortTerm.Args) == 0 {
			t.Errorf("terms %v, %v", hashTerm, sortTerm)
		}
	})
}
