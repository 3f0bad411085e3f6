package localdb

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/localdb/attr"
	"github.com/dynasql/dynasql/internal/localdb/expr"
)

// Limits of the service on key values, in bytes.
const (
	maxHashKeyBytes = 2048
	maxSortKeyBytes = 1024
)

// keySchema is the key of a table or an index: the hash key and, if there is
// one, the sort key.
type keySchema []expr.KeyAttribute

// sort is the sort key, without a name if there is none.
func (k keySchema) sort() expr.KeyAttribute {
	if len(k) == 1 {
		return expr.KeyAttribute{}
	}
	return k[1]
}

// keyNames are the sorted attributes of an index's key and of its table's, and others.
func keyNames(base, own keySchema, others []string) []string {
	names := slices.Clone(others)
	for _, a := range slices.Concat(base, own) {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (k keySchema) has(name string) bool {
	return slices.ContainsFunc(k, func(a expr.KeyAttribute) bool { return a.Name == name })
}

// newKeySchema resolves a validated KeySchema against the attribute definitions.
func newKeySchema(elements []types.KeySchemaElement, definitions []types.AttributeDefinition) keySchema {
	var k keySchema
	for _, e := range elements {
		i := slices.IndexFunc(definitions, func(d types.AttributeDefinition) bool { return *d.AttributeName == *e.AttributeName })
		k = append(k, expr.KeyAttribute{Name: *e.AttributeName, Kind: attr.KindOf(string(definitions[i].AttributeType))})
	}
	return k
}

// tablePosition is the place of a table's item; the key attributes are present
// and checked.
func (k keySchema) tablePosition(item attr.Form) position {
	p, _ := k.indexPosition(nil, item)
	return p
}

// indexPosition is the place of an item in an index with key k over a table
// with key base. It reports false if the item lacks one of the index's keys or
// has it with another type: such an item is not in the index.
func (k keySchema) indexPosition(base keySchema, item attr.Form) (position, bool) {
	key := make([]byte, 0, 96)
	var hash uint64
	for i := range len(k) + len(base) {
		var a expr.KeyAttribute
		if i < len(k) {
			a = k[i]
		} else {
			a = base[i-len(k)]
		}
		v := item.Attribute(a.Name)
		if v.Kind() != a.Kind {
			return position{}, false
		}
		key = attr.AppendKey(key, v)
		if i == 0 {
			hash = hashKey(key)
		}
	}
	return position{hash, string(key)}, true
}

// hashKey spreads encoded hash keys over the 64-bit range: FNV-1a with a
// finalizer, since a segment of a Scan is decided by the upper bits.
func hashKey(key []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range key {
		h = (h ^ uint64(b)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// checkItem refuses an item whose key attributes are missing, mistyped, empty
// or too long, or which has an index key attribute of another type.
func (t *table) checkItem(item attr.Form) error {
	for i, a := range t.key {
		v := item.Attribute(a.Name)
		if v == "" {
			return invalidValue("Missing the key %s in the item", a.Name)
		}
		if v.Kind() != a.Kind {
			return invalidValue("Type mismatch for key %s expected: %s actual: %s", a.Name, a.Kind, v.Kind())
		}
		if err := checkKeyValue(a, v, i == 0); err != nil {
			return err
		}
	}
	return t.checkIndexKeys(item)
}

func (t *table) checkIndexKeys(item attr.Form) error {
	for _, x := range t.indexes {
		for i, a := range x.key {
			v := item.Attribute(a.Name)
			if v == "" || t.key.has(a.Name) {
				continue
			}
			if v.Kind() != a.Kind {
				return invalidValue("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Kind, v.Kind(), x.name)
			}
			if a.Kind != attr.N && v.Text() == "" {
				return invalid("One or more parameter values are not valid. A value specified for a secondary index key is not supported. "+
					"The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", emptyWords[a.Kind], x.name, a.Name)
			}
			if err := checkKeySize(a, v, i == 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKey refuses a key that has not exactly the key attributes of k.
func (k keySchema) checkKey(key attr.Form) error {
	if key.Len() != len(k) {
		return invalid("The provided key element does not match the schema")
	}
	return k.checkKeyParts(key)
}

// checkKeyParts refuses a key in which an attribute of k is missing or wrong.
func (k keySchema) checkKeyParts(key attr.Form) error {
	for i, a := range k {
		v := key.Attribute(a.Name)
		if v.Kind() != a.Kind {
			return invalid("The provided key element does not match the schema")
		}
		if err := checkKeyValue(a, v, i == 0); err != nil {
			return err
		}
	}
	return nil
}

func checkKeyValue(a expr.KeyAttribute, v attr.Value, isHash bool) error {
	if err := a.CheckEmpty(v); err != nil {
		return err
	}
	return checkKeySize(a, v, isHash)
}

// emptyWords name the kinds of keys that may not be empty.
var emptyWords = map[attr.Kind]string{attr.S: "string", attr.B: "binary"}

func checkKeySize(a expr.KeyAttribute, v attr.Value, isHash bool) error {
	switch {
	case a.Kind == attr.N:
		return nil
	case isHash && len(v.Text()) > maxHashKeyBytes:
		return invalidValue("Size of hashkey has exceeded the maximum size limit of%d bytes", maxHashKeyBytes)
	case !isHash && len(v.Text()) > maxSortKeyBytes:
		return invalidValue("Aggregated size of all range keys has exceeded the size limit of %d bytes", maxSortKeyBytes)
	}
	return nil
}

// str is the string behind a pointer, or "".
func str(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

func isTrue(p *bool) bool { return p != nil && *p }
