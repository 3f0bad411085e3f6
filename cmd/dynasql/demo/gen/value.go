package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A value is an attribute value as DynamoDB JSON, such as {"S":"tea"}.
type value string

// A field is one named attribute value. Items and maps are lists of fields, so
// that the file keeps the order in which they were written here.
type field struct {
	name  string
	value value
}

type item []field

func str(s string) value        { return value(`{"S":` + quote(s) + `}`) }
func num(digits string) value   { return value(`{"N":` + quote(digits) + `}`) }
func count(n int) value         { return num(strconv.Itoa(n)) }
func cents(n int) value         { return num(fmt.Sprintf("%d.%02d", n/100, n%100)) }
func boolean(b bool) value      { return value(fmt.Sprintf(`{"BOOL":%t}`, b)) }
func null() value               { return `{"NULL":true}` }
func bin(b []byte) value        { return value(`{"B":` + quote(base64.StdEncoding.EncodeToString(b)) + `}`) }
func doc(fields ...field) value { return value(`{"M":` + object(fields) + `}`) }

func list(values ...value) value {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	return value(`{"L":[` + strings.Join(parts, ",") + `]}`)
}

// set makes a set value; kind is SS or NS.
func set(kind string, members ...string) value {
	quoted := make([]string, len(members))
	for i, m := range members {
		quoted[i] = quote(m)
	}
	return value(`{"` + kind + `":[` + strings.Join(quoted, ",") + `]}`)
}

func bins(members ...[]byte) value {
	encoded := make([]string, len(members))
	for i, m := range members {
		encoded[i] = base64.StdEncoding.EncodeToString(m)
	}
	return set("BS", encoded...)
}

func object(fields []field) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = quote(f.name) + ":" + string(f.value)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// quote writes s as a JSON string, with letters of every script as they are.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
