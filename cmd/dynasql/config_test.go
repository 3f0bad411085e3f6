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
		{
			name: "exports are relative to the file",
			text: "connections:\n  past:\n    exports:\n      orders: {folder: exp, key: [customer, placed]}\n",
			want: map[string]namedConnection{"past": {Exports: map[string]namedExport{"orders": {Folder: "/etc/dynasql/exp", Key: []string{"customer", "placed"}}}}},
		},
		{
			name: "export of a table that tells its key",
			text: "connections:\n  past: {region: eu-west-1, exports: {orders: {folder: /exp}}}\n",
			want: map[string]namedConnection{"past": {Region: "eu-west-1", Exports: map[string]namedExport{"orders": {Folder: "/exp"}}}},
		},
		{name: "export without key", text: "connections:\n  a: {exports: {orders: {folder: x}}}\n", err: `connection "a": the export "orders" needs the key of its table, as in key: [customer, placed], or a region to ask for it`},
		{name: "export without folder", text: "connections:\n  a: {exports: {orders: {key: [id]}}}\n", err: `connection "a": the export "orders" has no folder`},
		{name: "exports and local", text: "connections:\n  a: {local: [b], exports: {orders: {folder: x, key: [id]}}}\n", err: `connection "a": give local or exports`},
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
