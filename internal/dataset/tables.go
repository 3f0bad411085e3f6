package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// parseTables reads tables.json.
func parseTables(text []byte) ([]Table, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := openArray(d); err != nil {
		return nil, tablesError(text, d.InputOffset(), err.Error())
	}
	var tables []Table
	for d.More() {
		start := d.InputOffset()
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, tablesError(text, offsetOf(err, d.InputOffset()), err.Error())
		}
		start = d.InputOffset() - int64(len(raw))
		t, err := parseTable(text, start, raw)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(tables, func(o Table) bool { return o.Name == t.Name }) {
			return nil, tablesError(text, start, fmt.Sprintf("table %q is defined twice", t.Name))
		}
		tables = append(tables, t)
	}
	if _, err := d.Token(); err != nil {
		return nil, tablesError(text, offsetOf(err, d.InputOffset()), err.Error())
	}
	if _, err := d.Token(); err == nil {
		return nil, tablesError(text, d.InputOffset(), "there is more text behind the array of tables")
	}
	return tables, nil
}

func openArray(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("the file must hold an array of tables, [{\"TableName\": ..}, ..]")
	}
	return nil
}

func tablesError(text []byte, offset int64, problem string) error {
	return &Error{File: tablesFile, Line: lineAt(text, int(offset)), Problem: problem}
}

// lineAt is the number of the line of an offset, from 1.
func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n"))
}

// offsetOf is where an error of the JSON package occurred; behind the end for
// a text that is cut off.
func offsetOf(err error, fallback int64) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		return math.MaxInt32
	}
	return fallback
}

// parseTable reads one definition, which starts at an offset of the file.
func parseTable(text []byte, start int64, raw json.RawMessage) (Table, error) {
	var t Table
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&t.Definition); err != nil {
		return t, tablesError(text, start+offsetOf(err, d.InputOffset()), jsonProblem(err))
	}
	if t.Definition.TableName == nil || *t.Definition.TableName == "" {
		return t, tablesError(text, start, "a table has no TableName")
	}
	t.Name = *t.Definition.TableName
	if problem := t.problem(); problem != "" {
		e := &Error{File: tablesFile, Line: lineAt(text, int(start)), Table: t.Name, Problem: problem}
		return t, e
	}
	return t, nil
}

// jsonProblem says what is wrong with a definition without the names of Go types.
func jsonProblem(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s has a %s, which it cannot be", kind.Field, kind.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// problem is what is wrong with the parts of a definition that reading the
// items relies on, or "". The rest is for the service to check.
func (t *Table) problem() string {
	if n := len(t.Definition.KeySchema); n < 1 || n > 2 {
		return fmt.Sprintf("KeySchema has %d attributes; a key has one or two", n)
	}
	for _, d := range t.Definition.AttributeDefinitions {
		if d.AttributeName == nil {
			return "an attribute definition has no AttributeName"
		}
	}
	hashes := 0
	for _, e := range t.Definition.KeySchema {
		if e.AttributeName == nil {
			return "an element of KeySchema has no AttributeName"
		}
		if e.KeyType == types.KeyTypeHash {
			hashes++
		}
	}
	if hashes != 1 {
		return "KeySchema must have one attribute of KeyType HASH"
	}
	for _, a := range t.key() {
		if !slices.Contains([]string{"S", "N", "B"}, a.kind) {
			return fmt.Sprintf("key attribute %q has no definition with AttributeType S, N or B", a.name)
		}
	}
	return ""
}
