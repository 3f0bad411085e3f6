// Package yamlerr puts the errors of the YAML library into words for those who
// write the files: the library names Go types.
package yamlerr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	unknownKey = regexp.MustCompile(`(?s)^(line \d+: )field (.+) not found in type .*$`)
	wrongKind  = regexp.MustCompile("(?s)^(line \\d+: )cannot unmarshal !!(\\w+)(?: `(.*)`)? into (\\S+).*$")
)

// Plain returns an error that says the same as one of decoding a YAML file,
// with the lines, and without names of Go types.
func Plain(err error) error {
	var decoding *yaml.TypeError
	if !errors.As(err, &decoding) {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	lines := make([]string, len(decoding.Errors))
	for i, line := range decoding.Errors {
		lines[i] = plain(line)
	}
	return errors.New(strings.Join(lines, "; "))
}

func plain(line string) string {
	if m := unknownKey.FindStringSubmatch(line); m != nil {
		return m[1] + "field " + m[2] + " is not known"
	}
	m := wrongKind.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	found := map[string]string{"seq": "a list", "map": "a mapping"}[m[2]]
	if found == "" {
		found = fmt.Sprintf("'%s'", m[3])
	}
	return fmt.Sprintf("%s%s is not %s", m[1], found, wanted(m[4]))
}

// wanted is what a Go type is in YAML.
func wanted(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "float"), strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"):
		return "a number"
	case goType == "bool":
		return "true or false"
	case goType == "string":
		return "a text"
	}
	return "a mapping"
}
