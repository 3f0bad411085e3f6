package main

import (
	"reflect"
	"testing"
)

func TestParseConfig(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       map[string]namedConnection
		err        string
	}{
		{name: "empty", text: ""},
		{
			name: "aws",
			text: "connections:\n  prod:\n    profile: p\n    region: eu-west-1\n    role_arn: arn:aws:iam::123456789012:role/reader\n    external_id: x\n",
			want: map[string]namedConnection{"prod": {Profile: "p", Region: "eu-west-1", RoleARN: "arn:aws:iam::123456789012:role/reader", ExternalID: "x"}},
		},
		{
			name: "local is relative to the file",
			text: "connections:\n  here:\n    local: [data, /abs]\n",
			want: map[string]namedConnection{"here": {Local: []string{"/etc/dynasql/data", "/abs"}}},
		},
		{name: "unknown key", text: "connections:\n  prod:\n    regoin: x\n", err: "line 3: field regoin is not known"},
		{name: "not a mapping", text: "- a\n", err: "line 1: a list is not a mapping"},
		{name: "taken name", text: "connections:\n  MySQL: {region: x}\n", err: `connection "MySQL": the name is taken; choose another`},
		{name: "local and region", text: "connections:\n  a: {region: x, local: [b]}\n", err: `connection "a": local stands alone, without profile, region, endpoint_url and role_arn`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseConfig([]byte(tt.text), "/etc/dynasql")
			message := ""
			if err != nil {
				message = err.Error()
			}
			if message != tt.err || !reflect.DeepEqual(got.Connections, tt.want) {
				t.Errorf("got %+v, %q\nwant %+v, %q", got.Connections, message, tt.want, tt.err)
			}
		})
	}
}
