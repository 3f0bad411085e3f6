package demo

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
)

// attributeValue is DynamoDB JSON: one member, named by the type.
type attributeValue map[string]json.RawMessage

type item map[string]attributeValue

type definition struct {
	TableName            string
	KeySchema            []struct{ AttributeName string }
	AttributeDefinitions []struct{ AttributeName, AttributeType string }
}

func (d definition) attributeType(name string) string {
	for _, a := range d.AttributeDefinitions {
		if a.AttributeName == name {
			return a.AttributeType
		}
	}
	return ""
}

func read[T any](t *testing.T, name string) T {
	t.Helper()
	text, err := fs.ReadFile(Files(), name)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func readItems(t *testing.T) map[string][]item {
	t.Helper()
	tables := map[string][]item{}
	for name, requests := range read[map[string][]struct{ PutRequest struct{ Item item } }](t, "items.json") {
		for _, r := range requests {
			tables[name] = append(tables[name], r.PutRequest.Item)
		}
	}
	return tables
}

// countTypes walks into documents too.
func countTypes(counts map[string]int, v attributeValue) {
	for kind, raw := range v {
		counts[kind]++
		switch kind {
		case "M":
			var fields map[string]attributeValue
			_ = json.Unmarshal(raw, &fields) // the counts below show a failure
			for _, f := range fields {
				countTypes(counts, f)
			}
		case "L":
			var elements []attributeValue
			_ = json.Unmarshal(raw, &elements)
			for _, e := range elements {
				countTypes(counts, e)
			}
		}
	}
}

func TestEveryTypeOccurs(t *testing.T) {
	counts := map[string]int{}
	for _, items := range readItems(t) {
		for _, it := range items {
			for _, v := range it {
				countTypes(counts, v)
			}
		}
	}
	for _, kind := range []string{"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"} {
		if counts[kind] == 0 {
			t.Errorf("no attribute value of type %s among %v", kind, counts)
		}
	}
	if len(counts) != 10 {
		t.Errorf("types %v, want the ten of DynamoDB", counts)
	}
}

func TestEveryItemHasItsKeyOnce(t *testing.T) {
	items := readItems(t)
	for _, table := range read[[]definition](t, "tables.json") {
		seen := map[string]bool{}
		for _, it := range items[table.TableName] {
			key := ""
			for _, part := range table.KeySchema {
				raw, ok := it[part.AttributeName][table.attributeType(part.AttributeName)]
				if !ok {
					t.Fatalf("%s: no key attribute %s of the right type in %v", table.TableName, part.AttributeName, it)
				}
				key += string(raw)
			}
			if seen[key] {
				t.Errorf("%s: two items with the key %s", table.TableName, key)
			}
			seen[key] = true
		}
		if len(seen) == 0 {
			t.Errorf("%s has no items", table.TableName)
		}
	}
}

func TestLongestNumberHas38Digits(t *testing.T) {
	longest := 0
	for _, it := range readItems(t)["products"] {
		var lot string
		if raw, ok := it["lot"]["N"]; ok {
			_ = json.Unmarshal(raw, &lot)
		}
		longest = max(longest, len(lot))
	}
	if longest != 38 {
		t.Errorf("the longest lot number has %d digits, want 38, the most that DynamoDB keeps", longest)
	}
}

// The greeting states counts; they must be those of the data.
func TestGreetingCountsAreRight(t *testing.T) {
	for name, items := range readItems(t) {
		found := false
		for _, line := range strings.Split(Greeting(), "\n") {
			words := strings.Fields(line)
			if len(words) > 1 && words[0] == name {
				found = true
				var count int
				if err := json.Unmarshal([]byte(words[1]), &count); err != nil || count != len(items) {
					t.Errorf("the greeting gives %s %q items, there are %d", name, words[1], len(items))
				}
			}
		}
		if !found {
			t.Errorf("the greeting does not name the table %s", name)
		}
	}
}

func TestGreetingHasEveryQuestion(t *testing.T) {
	greeting := Greeting()
	for _, q := range Questions() {
		first, _, _ := strings.Cut(q.SQL, "\n")
		if !strings.Contains(greeting, q.Title) || !strings.Contains(greeting, first) {
			t.Errorf("the greeting lacks %q", q.Title)
		}
	}
}
