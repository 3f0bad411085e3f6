package attr

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Stored is what stands in the SDK's structs for a value or item that was read
// from JSON: its stored form, since loading does little else than store. For an
// item it stands alone in the map, under the empty name, which no attribute has.
type Stored struct {
	types.AttributeValue // nil; makes Stored fit into the structs
	form                 []byte
}

// StoredForm is the stored form of an item that was read from JSON.
func StoredForm(it map[string]types.AttributeValue) ([]byte, bool) {
	s, ok := it[""].(Stored)
	return s.form, ok
}

// FromSDK takes an item of the SDK, checked as the wire's JSON is. Errors are
// *Error.
func FromSDK(it map[string]types.AttributeValue) (Item, error) {
	form, err := EncodeSDK(nil, it)
	if err != nil {
		return nil, err
	}
	return Decode(form)
}

// FromSDKValue takes one value of the SDK, as FromSDK.
func FromSDKValue(v types.AttributeValue) (Value, error) {
	form, err := appendSDK(nil, v, 1)
	if err != nil {
		return Value{}, err
	}
	r := reader{rest: form}
	return r.value(1), nil
}

// EncodeSDK appends the stored form of an item of the SDK, as FromSDK.
func EncodeSDK(dst []byte, it map[string]types.AttributeValue) ([]byte, error) {
	if form, ok := StoredForm(it); ok {
		return append(dst, form...), nil
	}
	start := len(dst)
	dst, err := appendSDKAttributes(append(dst, 0, 0, 0, 0), it, 1)
	if err != nil {
		return dst, err
	}
	return seal(dst, start), nil
}

func appendSDKAttributes(dst []byte, it map[string]types.AttributeValue, level int) ([]byte, error) {
	var few [16]string
	names := sortedNames(few[:0], it)
	for _, name := range names {
		if !utf8.ValidString(name) { // its replacement may sort elsewhere
			return appendSDKAttributes(dst, validNames(it), level)
		}
	}
	for _, name := range names {
		var err error
		if dst, err = appendSDK(appendText(dst, name), it[name], level); err != nil {
			if level == 1 {
				err = &Error{Message: err.Error(), Attribute: name}
			}
			return dst, err
		}
	}
	return dst, nil
}

func validNames(it map[string]types.AttributeValue) map[string]types.AttributeValue {
	valid := make(map[string]types.AttributeValue, len(it))
	for name, v := range it {
		valid[validText(name)] = v
	}
	return valid
}

func appendSDK(dst []byte, v types.AttributeValue, level int) (_ []byte, err error) {
	if level > MaxDepth {
		return dst, errDepth
	}
	switch v := v.(type) {
	case Stored:
		return append(dst, v.form...), nil
	case *types.AttributeValueMemberS:
		return appendText(append(dst, byte(S)), validText(v.Value)), nil
	case *types.AttributeValueMemberN:
		n, err := ParseNumber(v.Value)
		return appendText(append(dst, byte(N)), n), err
	case *types.AttributeValueMemberB:
		return appendText(append(dst, byte(B)), sharedString(v.Value)), nil
	case *types.AttributeValueMemberBOOL:
		return appendFlag(append(dst, byte(BOOL)), v.Value), nil
	case *types.AttributeValueMemberNULL:
		if !v.Value {
			err = errNullFalse
		}
		return append(dst, byte(NULL)), err
	case *types.AttributeValueMemberM:
		dst = nest(append(dst, byte(M)), func(dst []byte) []byte {
			dst, err = appendSDKAttributes(dst, v.Value, level+1)
			return dst
		})
		return dst, err
	case *types.AttributeValueMemberL:
		dst = nest(append(dst, byte(L)), func(dst []byte) []byte {
			for i := 0; i < len(v.Value) && err == nil; i++ {
				dst, err = appendSDK(dst, v.Value[i], level+1)
			}
			return dst
		})
		return dst, err
	case *types.AttributeValueMemberSS:
		return appendSet(dst, SS, v.Value, func(m string) (string, error) { return validText(m), nil })
	case *types.AttributeValueMemberNS:
		return appendSet(dst, NS, v.Value, ParseNumber)
	case *types.AttributeValueMemberBS:
		return appendSet(dst, BS, v.Value, func(m []byte) (string, error) { return sharedString(m), nil })
	}
	return dst, errNoType
}

// appendSet appends a set of what read makes of its members.
func appendSet[T any](dst []byte, k Kind, from []T, read func(T) (string, error)) ([]byte, error) {
	members := make([]string, len(from))
	for i, m := range from {
		var err error
		if members[i], err = read(m); err != nil {
			return dst, err
		}
	}
	return appendValue(dst, Value{Kind: k, Set: members}), checkSet(k, members)
}

// validText replaces what is not UTF-8, as the SDK does when it writes JSON.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// ToSDK gives an item in the SDK's types.
func ToSDK(it Item) map[string]types.AttributeValue { return EncodedToSDK(Encode(nil, it)) }

// EncodedToSDK gives a stored item in the SDK's types, nil for nil. Its strings
// share enc's memory, so enc must never change afterwards.
func EncodedToSDK(enc []byte) map[string]types.AttributeValue {
	if enc == nil {
		return nil
	}
	r := attributesOf(enc)
	return r.sdkAttributes(0)
}

func (r *reader) sdkAttributes(left int) map[string]types.AttributeValue {
	n := r.count(left)
	out := make(map[string]types.AttributeValue, n)
	var texts []types.AttributeValueMemberS
	var numbers []types.AttributeValueMemberN
	for ; len(r.rest) > left; n-- {
		name := r.text()
		switch k := r.kind(); k {
		case S:
			if len(texts) == cap(texts) {
				texts = make([]types.AttributeValueMemberS, 0, min(n, 64))
			}
			texts = append(texts, types.AttributeValueMemberS{Value: r.text()})
			out[name] = &texts[len(texts)-1]
		case N:
			if len(numbers) == cap(numbers) {
				numbers = make([]types.AttributeValueMemberN, 0, min(n, 64))
			}
			numbers = append(numbers, types.AttributeValueMemberN{Value: r.text()})
			out[name] = &numbers[len(numbers)-1]
		default:
			out[name] = r.sdk(k)
		}
	}
	return out
}

// sdk reads the contents of a value of the kind.
func (r *reader) sdk(k Kind) types.AttributeValue {
	switch k {
	case S:
		return &types.AttributeValueMemberS{Value: r.text()}
	case N:
		return &types.AttributeValueMemberN{Value: r.text()}
	case B:
		return &types.AttributeValueMemberB{Value: bytes.Clone(r.take(r.number()))}
	case BOOL:
		return &types.AttributeValueMemberBOOL{Value: r.flag()}
	case NULL:
		return &types.AttributeValueMemberNULL{Value: true}
	case M:
		return &types.AttributeValueMemberM{Value: r.sdkAttributes(r.inside())}
	case L:
		list := []types.AttributeValue{}
		for left := r.inside(); len(r.rest) > left; {
			list = append(list, r.sdk(r.kind()))
		}
		return &types.AttributeValueMemberL{Value: list}
	case SS:
		return &types.AttributeValueMemberSS{Value: r.texts()}
	case NS:
		return &types.AttributeValueMemberNS{Value: r.texts()}
	case BS:
		members := [][]byte{}
		for left := r.inside(); len(r.rest) > left; {
			members = append(members, bytes.Clone(r.take(r.number())))
		}
		return &types.AttributeValueMemberBS{Value: members}
	}
	return nil
}
