package codec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Marks of a stored document.
const (
	storedItem = 1 << iota
	storedWire
)

// Stored writes a document as bytes for ParseStored. It reports false for one
// that is only JSON, whose value is plain.
func (d Document) Stored() (b []byte, plain any, ok bool) {
	if !d.isTree() && d.scalar == nil {
		return nil, d.value, false
	}
	mark := byte(0)
	if d.item {
		mark |= storedItem
	}
	if d.wire {
		mark |= storedWire
	}
	text, err := WireJSON(map[string]types.AttributeValue{"": d.Attribute()}).GetBytes(context.Background())
	return append([]byte{mark}, text...), nil, err == nil
}

// ParseStored reads what Stored wrote.
func ParseStored(b []byte) (Document, error) {
	if len(b) == 0 {
		return Document{}, errors.New("a stored document is empty")
	}
	m, err := ParseItem(string(b[1:]))
	d := NewDocument(m[""])
	d.item, d.wire = b[0]&storedItem != 0, b[0]&storedWire != 0
	return d, err
}
