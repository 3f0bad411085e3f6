package attr

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Stored is what stands in the SDK's structs for a value or item that was read
// from JSON: its form, since loading does little else than store. For an item it
// stands alone in the map, under the empty name, which no attribute has.
type Stored struct {
	types.AttributeValue // nil; makes Stored fit into the structs
	form                 string
}

// scratch has the []byte in which items of the SDK are made.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// FromSDK takes an item of the SDK, checked as the wire's JSON is; nil is no
// item. Errors are *Error.
func FromSDK(it map[string]types.AttributeValue) (Form, error) {
	if stored, ok := it[""].(Stored); ok {
		return Form(stored.form), nil
	}
	if it == nil {
		return "", nil
	}
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	var err error
	if *buffer, err = appendSDKAttributes(append((*buffer)[:0], 0, 0, 0, 0), it, 1); err != nil {
		return "", err
	}
	return Form(seal(*buffer, 0)), nil
}

// FromSDKValue takes one value of the SDK, as FromSDK.
func FromSDKValue(v types.AttributeValue) (Value, error) {
	form, err := appendSDK(nil, v, 1)
	return Value(form), err
}

func appendSDKAttributes(dst []byte, it map[string]types.AttributeValue, level int) ([]byte, error) {
	var few [16]string
	names := few[:0]
	for name := range it {
		names = append(names, name)
	}
	slices.Sort(names)
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
		return appendSDKSet(dst, SS, v.Value, func(m string) (string, error) { return validText(m), nil })
	case *types.AttributeValueMemberNS:
		return appendSDKSet(dst, NS, v.Value, ParseNumber)
	case *types.AttributeValueMemberBS:
		return appendSDKSet(dst, BS, v.Value, func(m []byte) (string, error) { return sharedString(m), nil })
	}
	return dst, errNoType
}

// appendSDKSet appends a set of what read makes of its members.
func appendSDKSet[T any](dst []byte, k Kind, from []T, read func(T) (string, error)) ([]byte, error) {
	members := make([]string, len(from))
	for i, m := range from {
		var err error
		if members[i], err = read(m); err != nil {
			return dst, err
		}
	}
	return appendSet(append(dst, byte(k)), k, members)
}

// validText replaces what is not UTF-8, as the SDK does when it writes JSON.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// SDK gives an item in the SDK's types, nil for none.
func (f Form) SDK() map[string]types.AttributeValue {
	if f == "" {
		return nil
	}
	return f.attributes().sdk()
}

func (r reader) sdk() map[string]types.AttributeValue {
	n := r.count()
	out := make(map[string]types.AttributeValue, n)
	var texts []types.AttributeValueMemberS
	var numbers []types.AttributeValueMemberN
	for ; r != ""; n-- {
		name, v := r.text(), r.value()
		switch v.Kind() {
		case S:
			if len(texts) == cap(texts) {
				texts = make([]types.AttributeValueMemberS, 0, min(n, 64))
			}
			texts = append(texts, types.AttributeValueMemberS{Value: v.Text()})
			out[name] = &texts[len(texts)-1]
		case N:
			if len(numbers) == cap(numbers) {
				numbers = make([]types.AttributeValueMemberN, 0, min(n, 64))
			}
			numbers = append(numbers, types.AttributeValueMemberN{Value: v.Text()})
			out[name] = &numbers[len(numbers)-1]
		default:
			out[name] = v.sdk()
		}
	}
	return out
}

func (v Value) sdk() types.AttributeValue {
	switch v.Kind() {
	case S:
		return &types.AttributeValueMemberS{Value: v.Text()}
	case N:
		return &types.AttributeValueMemberN{Value: v.Text()}
	case B:
		return &types.AttributeValueMemberB{Value: []byte(v.Text())}
	case BOOL:
		return &types.AttributeValueMemberBOOL{Value: v[1] == 1}
	case NULL:
		return &types.AttributeValueMemberNULL{Value: true}
	case M:
		return &types.AttributeValueMemberM{Value: v.inside().sdk()}
	case L:
		return &types.AttributeValueMemberL{Value: elements(v, Value.sdk)}
	case SS:
		return &types.AttributeValueMemberSS{Value: elements(v, Value.Text)}
	case NS:
		return &types.AttributeValueMemberNS{Value: elements(v, Value.Text)}
	}
	return &types.AttributeValueMemberBS{Value: elements(v, func(e Value) []byte { return []byte(e.Text()) })}
}

// elements are the elements of a list or set, as convert gives them.
func elements[T any](v Value, convert func(Value) T) []T {
	list := []T{}
	for e := range v.Elements() {
		list = append(list, convert(e))
	}
	return list
}
