package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/connector/schema"
)

// ParseItem reads an item in DynamoDB JSON, such as the text of _ddb: the
// inverse of WireJSON.
func ParseItem(text string) (map[string]types.AttributeValue, error) {
	var raw map[string]json.RawMessage
	if err := strict(text, &raw); err != nil {
		return nil, err
	}
	return parseMembers(raw)
}

func strict(text string, into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("not DynamoDB JSON: %w", err)
	}
	if d.More() {
		return errors.New("not DynamoDB JSON: more than one value")
	}
	return nil
}

func parseMembers(raw map[string]json.RawMessage) (map[string]types.AttributeValue, error) {
	out := make(map[string]types.AttributeValue, len(raw))
	for name, text := range raw {
		v, err := parseValue(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = v
	}
	return out, nil
}

func parseValue(text json.RawMessage) (types.AttributeValue, error) {
	var tagged map[string]json.RawMessage
	if err := strict(string(text), &tagged); err != nil {
		return nil, err
	}
	if len(tagged) != 1 {
		return nil, fmt.Errorf("a value has one type, and not %d", len(tagged))
	}
	for tag, inner := range tagged {
		kind, ok := schema.KindOf(tag)
		if !ok {
			return nil, fmt.Errorf("unknown type %q", tag)
		}
		return parseKind(kind, inner)
	}
	return nil, nil
}

func parseKind(kind schema.Kind, inner json.RawMessage) (types.AttributeValue, error) {
	switch kind {
	case schema.S:
		v := &types.AttributeValueMemberS{}
		return v, strict(string(inner), &v.Value)
	case schema.N:
		v := &types.AttributeValueMemberN{}
		return v, strict(string(inner), &v.Value)
	case schema.B:
		v := &types.AttributeValueMemberB{}
		return v, strict(string(inner), &v.Value)
	case schema.Bool:
		v := &types.AttributeValueMemberBOOL{}
		return v, strict(string(inner), &v.Value)
	case schema.Null:
		v := &types.AttributeValueMemberNULL{}
		return v, strict(string(inner), &v.Value)
	case schema.SS:
		v := &types.AttributeValueMemberSS{}
		return v, strict(string(inner), &v.Value)
	case schema.NS:
		v := &types.AttributeValueMemberNS{}
		return v, strict(string(inner), &v.Value)
	case schema.BS:
		v := &types.AttributeValueMemberBS{}
		return v, strict(string(inner), &v.Value)
	case schema.M:
		var raw map[string]json.RawMessage
		if err := strict(string(inner), &raw); err != nil {
			return nil, err
		}
		m, err := parseMembers(raw)
		return &types.AttributeValueMemberM{Value: m}, err
	}
	return parseList(inner)
}

func parseList(inner json.RawMessage) (types.AttributeValue, error) {
	var raw []json.RawMessage
	if err := strict(string(inner), &raw); err != nil {
		return nil, err
	}
	v := &types.AttributeValueMemberL{Value: make([]types.AttributeValue, 0, len(raw))}
	for _, text := range raw {
		e, err := parseValue(text)
		if err != nil {
			return nil, err
		}
		v.Value = append(v.Value, e)
	}
	return v, nil
}
