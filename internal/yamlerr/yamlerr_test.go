package yamlerr

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an unknown key", "name: x\nnmae: y", "line 2: field nmae is not known"},
		{"a list for a text", "name: [x]", "line 1: a list is not a text"},
		{"a text for a number", "size: much", "line 1: 'much' is not a number"},
		{"a text for a number with a point", "share: half", "line 1: 'half' is not a number"},
		{"a text for a truth value", "on: maybe", "line 1: 'maybe' is not true or false"},
		{"a text for a list", "tags: x", "line 1: 'x' is not a list"},
		{"a text for a mapping", "inner: x", "line 1: 'x' is not a mapping"},
		{"a mapping for a text", "name: {a: b}", "line 1: a mapping is not a text"},
		{"no mapping at all", "x", "line 1: 'x' is not a mapping"},
		{"two errors", "name: [x]\nsize: much", "line 1: a list is not a text; line 2: 'much' is not a number"},
		{"a key twice", "name: x\nname: y", `line 2: mapping key "name" already defined at line 1`},
		{"bad syntax", "\tname: x", "found character that cannot start any token"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var into struct {
				Name  string
				Size  int
				Share float64
				On    bool
				Tags  []string
				Inner struct{ A string }
			}
			d := yaml.NewDecoder(strings.NewReader(tt.text))
			d.KnownFields(true)
			err := d.Decode(&into)
			if err == nil {
				t.Fatal("the library found nothing wrong")
			}
			if got := Plain(err).Error(); got != tt.want {
				t.Errorf("Plain = %q, want %q", got, tt.want)
			}
		})
	}
}
