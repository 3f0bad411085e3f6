package text

import "testing"

func TestPadded(t *testing.T) {
	for name, tt := range map[string]struct {
		text, by string
		length   int
		left     bool
		want     string
	}{
		"on the left":           {"ab中", "é", 5, true, "ééab中"},
		"on the right":          {"ab", "xyz", 7, false, "abxyzxy"},
		"cut":                   {"abÿz", "é", 3, true, "abÿ"},
		"cut on the right":      {"abÿz", "é", 3, false, "abÿ"},
		"exactly":               {"中中", "x", 2, true, "中中"},
		"to nothing":            {"abc", "x", 0, true, ""},
		"with nothing":          {"abc", "", 5, true, ""},
		"nothing":               {"", "中", 2, true, "中中"},
		"a part of the padding": {"a", "é中", 4, true, "é中éa"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := padded(tt.text, tt.by, tt.length, tt.left); got != tt.want {
				t.Errorf("padded(%q, %q, %d) = %q, want %q", tt.text, tt.by, tt.length, got, tt.want)
			}
		})
	}
}
