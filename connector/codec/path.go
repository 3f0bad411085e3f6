package codec

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A step of a path is a member's name, an element's place, or a wildcard.
type step struct {
	kind  stepKind
	name  string
	index int // from 0; -1 is the last
	last  int // of a range, as index
}

type stepKind uint8

const (
	member       stepKind = iota // .name
	element                      // [0]
	anyMember                    // .*
	anyElement                   // [*]
	someElements                 // [1 to 3]
	anyDepth                     // **, whatever the steps before it lead to and all below
)

// at is an element of a list of a length.
func (s step) at(length int) (int, bool) {
	i := s.index
	if i < 0 {
		i += length
	}
	return i, i >= 0 && i < length
}

// within is the part of a list of a length that a range takes.
func (s step) within(length int) (from, to int) {
	from, to = s.index, s.last
	if from < 0 {
		from += length
	}
	if to < 0 {
		to += length
	}
	return max(from, 0), min(to+1, length)
}

// single reports whether a path leads to one value at most.
func single(steps []step) bool {
	for _, s := range steps {
		if s.kind != member && s.kind != element {
			return false
		}
	}
	return true
}

// parsePath takes a JSON path apart: $, .name, ."quoted name", [0], [1 to 3], .*,
// [*] and **. It reports false for a path with errors.
func parsePath(path string) ([]step, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(path), "$")
	if !ok {
		return nil, false
	}
	var steps []step
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		var s step
		switch rest[0] {
		case '.':
			s, rest, ok = memberStep(strings.TrimLeft(rest[1:], " "))
		case '[':
			s, rest, ok = elementStep(rest[1:])
		case '*':
			s.kind = anyDepth
			rest, ok = strings.CutPrefix(rest, "**")
			ok = ok && rest != ""
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		steps = append(steps, s)
	}
	return steps, true
}

func memberStep(rest string) (step, string, bool) {
	if strings.HasPrefix(rest, "*") {
		return step{kind: anyMember}, rest[1:], true
	}
	if strings.HasPrefix(rest, `"`) {
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return step{}, "", false
		}
		var name string
		err := json.Unmarshal([]byte(rest[:end+1]), &name)
		return step{name: name}, rest[end+1:], err == nil
	}
	end := strings.IndexAny(rest, ".[ ")
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	return step{name: name}, rest[end:], name != "" && !strings.ContainsAny(name, `*"]`)
}

func elementStep(rest string) (step, string, bool) {
	inside, rest, ok := strings.Cut(rest, "]")
	if !ok {
		return step{}, "", false
	}
	if inside = strings.TrimSpace(inside); inside == "*" {
		return step{kind: anyElement}, rest, true
	}
	if first, last, ok := strings.Cut(inside, " to "); ok {
		from, okFrom := elementIndex(first)
		to, okTo := elementIndex(last)
		backwards := (from < 0) == (to < 0) && from > to
		return step{kind: someElements, index: from, last: to}, rest, okFrom && okTo && !backwards
	}
	i, ok := elementIndex(inside)
	return step{kind: element, index: i}, rest, ok
}

// elementIndex reads the place of an element; one counted from the end is
// negative.
func elementIndex(text string) (int, bool) {
	text = strings.TrimSpace(text)
	back, ok := strings.CutPrefix(text, "last")
	if !ok {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 0
	}
	if back = strings.ReplaceAll(back, " ", ""); back == "" {
		return -1, true
	}
	n, err := strconv.Atoi(back)
	return n - 1, err == nil && n <= 0
}

// Search finds all values that a JSON path leads to in a value of a document,
// which is nil, bool, string, a number, []any or map[string]any. It reports false
// for a path with ranges or errors.
func Search(v any, path string) ([]any, bool) {
	steps, ok := parsePath(path)
	if !ok {
		return nil, false
	}
	return search(v, steps), true
}

// search finds all values that a path leads to, in the document's order.
func search(v any, steps []step) []any {
	if len(steps) == 0 {
		return []any{v}
	}
	s, rest := steps[0], steps[1:]
	var found []any
	switch s.kind {
	case anyMember, anyElement:
		for _, child := range childrenOf(v, s.kind) {
			found = append(found, search(child, rest)...)
		}
	case someElements:
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		if from, to := s.within(len(list)); from < to {
			for _, child := range list[from:to] {
				found = append(found, search(child, rest)...)
			}
		}
	case anyDepth:
		found = search(v, rest)
		for _, child := range append(childrenOf(v, anyMember), childrenOf(v, anyElement)...) {
			found = append(found, search(child, steps)...)
		}
	default:
		if child, ok := childOfPlain(v, s); ok {
			found = search(child, rest)
		}
	}
	return found
}

func childrenOf(v any, kind stepKind) []any {
	switch v := v.(type) {
	case []any:
		if kind == anyElement {
			return v
		}
	case map[string]any:
		if kind == anyMember {
			out := make([]any, 0, len(v))
			for _, name := range memberNames(v) {
				out = append(out, v[name])
			}
			return out
		}
	}
	return nil
}
