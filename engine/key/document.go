package key

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"sort"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
)

// appendDocument writes a JSON document: equal documents have equal values in
// each place, numbers by value and members in any order.
func appendDocument(ctx *sql.Context, key *bytes.Buffer, v any) error {
	if w, ok := v.(sql.JSONWrapper); ok {
		var err error
		if v, err = w.ToInterface(ctx); err != nil {
			return err
		}
	}
	if appendNumberInDocument(key, v) {
		return nil
	}
	switch v := v.(type) {
	case nil:
		key.WriteByte('0')
	case bool:
		key.WriteByte('b')
		if v {
			key.WriteByte(1)
		} else {
			key.WriteByte(0)
		}
	case string:
		key.WriteByte('s')
		appendLength(key, len(v))
		key.WriteString(v)
	case []any:
		key.WriteByte('[')
		appendLength(key, len(v))
		for _, e := range v {
			if err := appendDocument(ctx, key, e); err != nil {
				return err
			}
		}
	case map[string]any:
		return appendMembers(ctx, key, v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		key.WriteByte('?')
		appendLength(key, len(text))
		key.Write(text)
	}
	return nil
}

func appendNumberInDocument(key *bytes.Buffer, v any) bool {
	switch n := v.(type) {
	case bool:
		return false
	case json.Number:
		d, _, err := apd.NewFromString(n.String())
		if err != nil {
			return false
		}
		v = d
	}
	return appendNumber(key, v)
}

func appendMembers(ctx *sql.Context, key *bytes.Buffer, members map[string]any) error {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	key.WriteByte('{')
	appendLength(key, len(names))
	for _, name := range names {
		appendLength(key, len(name))
		key.WriteString(name)
		if err := appendDocument(ctx, key, members[name]); err != nil {
			return err
		}
	}
	return nil
}

func appendLength(key *bytes.Buffer, n int) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(n))
	key.Write(b[:])
}
