package attr

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// FromSDK takes an item of the SDK, checked as DecodeItem checks the wire's
// JSON. Errors are *Error.
func FromSDK(it map[string]types.AttributeValue) (Item, error) { return fromSDKMap(it, 1) }

// FromSDKValue takes one value of the SDK, as FromSDK.
func FromSDKValue(v types.AttributeValue) (Value, error) { return fromSDK(v, 1) }

// EncodeSDK appends the stored form of an item of the SDK: FromSDK and Encode.
func EncodeSDK(dst []byte, it map[string]types.AttributeValue) ([]byte, error) {
	start, size := len(dst), 0
	dst = append(dst, 0, 0, 0, 0)
	var few [16]string
	for _, name := range sortedNames(few[:0], it) {
		v, err := fromSDK(it[name], 1)
		if err != nil {
			return dst[:start], err
		}
		if !utf8.ValidString(name) { // its replacement may sort elsewhere
			item, err := FromSDK(it)
			return Encode(dst[:start], item), err
		}
		size += len(name) + v.Size()
		dst = appendText(dst, name)
		dst = appendValue(dst, v)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(size))
	return dst, nil
}

func fromSDKMap(it map[string]types.AttributeValue, level int) (Item, error) {
	out := make(Item, len(it))
	for name, av := range it {
		v, err := fromSDK(av, level)
		if err != nil {
			return nil, err
		}
		out[validText(name)] = v
	}
	return out, nil
}

func fromSDK(av types.AttributeValue, level int) (Value, error) {
	if level > MaxDepth {
		return Value{}, errDepth
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return Value{Kind: S, Text: validText(av.Value)}, nil
	case *types.AttributeValueMemberN:
		n, err := ParseNumber(av.Value)
		return Value{Kind: N, Text: n}, err
	case *types.AttributeValueMemberB:
		return Value{Kind: B, Text: string(av.Value)}, nil
	case *types.AttributeValueMemberBOOL:
		return Value{Kind: BOOL, Bool: av.Value}, nil
	case *types.AttributeValueMemberNULL:
		if !av.Value {
			return Value{}, errNullFalse
		}
		return Value{Kind: NULL}, nil
	case *types.AttributeValueMemberM:
		m, err := fromSDKMap(av.Value, level+1)
		return Value{Kind: M, Map: m}, err
	case *types.AttributeValueMemberL:
		return fromSDKList(av.Value, level+1)
	case *types.AttributeValueMemberSS:
		members := make([]string, len(av.Value))
		for i, m := range av.Value {
			members[i] = validText(m)
		}
		return newSet(SS, members)
	case *types.AttributeValueMemberNS:
		members, err := parseNumbers(av.Value)
		if err != nil {
			return Value{}, err
		}
		return newSet(NS, members)
	case *types.AttributeValueMemberBS:
		members := make([]string, len(av.Value))
		for i, m := range av.Value {
			members[i] = string(m)
		}
		return newSet(BS, members)
	}
	return Value{}, errNoType
}

func fromSDKList(list []types.AttributeValue, level int) (Value, error) {
	out := make([]Value, len(list))
	for i, av := range list {
		v, err := fromSDK(av, level)
		if err != nil {
			return Value{}, err
		}
		out[i] = v
	}
	return Value{Kind: L, List: out}, nil
}

func newSet(k Kind, members []string) (Value, error) {
	if err := checkSet(k, members); err != nil {
		return Value{}, err
	}
	return Value{Kind: k, Set: members}, nil
}

// validText replaces what is not UTF-8, as the SDK does when it writes JSON.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// ToSDK gives an item in the SDK's types.
func ToSDK(it Item) map[string]types.AttributeValue {
	out := make(map[string]types.AttributeValue, len(it))
	for name, v := range it {
		out[name] = ToSDKValue(v)
	}
	return out
}

// ToSDKValue gives a value in the SDK's types; nil for the zero Value.
func ToSDKValue(v Value) types.AttributeValue {
	switch v.Kind {
	case S:
		return &types.AttributeValueMemberS{Value: v.Text}
	case N:
		return &types.AttributeValueMemberN{Value: v.Text}
	case B:
		return &types.AttributeValueMemberB{Value: []byte(v.Text)}
	case BOOL:
		return &types.AttributeValueMemberBOOL{Value: v.Bool}
	case NULL:
		return &types.AttributeValueMemberNULL{Value: true}
	case M:
		return &types.AttributeValueMemberM{Value: ToSDK(v.Map)}
	case L:
		list := make([]types.AttributeValue, len(v.List))
		for i, e := range v.List {
			list[i] = ToSDKValue(e)
		}
		return &types.AttributeValueMemberL{Value: list}
	case SS:
		return &types.AttributeValueMemberSS{Value: append([]string{}, v.Set...)}
	case NS:
		return &types.AttributeValueMemberNS{Value: append([]string{}, v.Set...)}
	case BS:
		members := make([][]byte, len(v.Set))
		for i, m := range v.Set {
			members[i] = []byte(m)
		}
		return &types.AttributeValueMemberBS{Value: members}
	}
	return nil
}

// EncodedToSDK gives a stored item in the SDK's types. Its strings share enc's
// memory, so enc must never change afterwards.
func EncodedToSDK(enc []byte) map[string]types.AttributeValue {
	r := attributesOf(enc)
	n := r.remaining()
	out := make(map[string]types.AttributeValue, n)
	var texts []types.AttributeValueMemberS
	var numbers []types.AttributeValueMemberN
	for ; n > 0; n-- {
		name := r.text()
		var av types.AttributeValue
		switch at := r; at.kind() {
		case S:
			if len(texts) == cap(texts) {
				texts = make([]types.AttributeValueMemberS, 0, min(n, 64))
			}
			r.kind()
			texts = append(texts, types.AttributeValueMemberS{Value: r.text()})
			av = &texts[len(texts)-1]
		case N:
			if len(numbers) == cap(numbers) {
				numbers = make([]types.AttributeValueMemberN, 0, min(n, 64))
			}
			r.kind()
			numbers = append(numbers, types.AttributeValueMemberN{Value: r.text()})
			av = &numbers[len(numbers)-1]
		default:
			av = ToSDKValue(r.value(1))
		}
		if r.bad {
			break
		}
		out[name] = av
	}
	return out
}
