// Package dataset reads a folder with the definitions of tables and their
// items, and loads it into DynamoDB or into the embedded store.
//
// The folder holds tables.json, an array of CreateTable requests, and
// items.json, an object that gives for each table a list of
// {"PutRequest":{"Item":{..}}}, as BatchWriteItem takes it. Everything is
// checked before the first table is created.
//
// The package knows no SQL and no endpoint: it writes through a ddb.Client.
package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// The files of a data set.
const (
	tablesFile = "tables.json"
	itemsFile  = "items.json"
)

// Set is a checked data set.
type Set struct {
	Tables []Table // in the order of tables.json
}

// Table is one table of a set.
type Table struct {
	Name       string
	Definition ddb.CreateTableInput
	Items      []ddb.Item
}

// Names are the names of the set's tables, in its order.
func (s *Set) Names() []string {
	names := make([]string, len(s.Tables))
	for i, t := range s.Tables {
		names[i] = t.Name
	}
	return names
}

// Count is the number of items of all tables.
func (s *Set) Count() int {
	n := 0
	for _, t := range s.Tables {
		n += len(t.Items)
	}
	return n
}

// Read reads and checks the data set of a folder. Errors are *Error for what
// is wrong in a file.
func Read(dir string) (*Set, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("data set %s: there is no such folder", dir)
	case err != nil:
		return nil, fmt.Errorf("data set %s: %w", dir, err)
	case !info.IsDir():
		return nil, fmt.Errorf("data set %s: this is a file; give the folder that has %s and %s", dir, tablesFile, itemsFile)
	}
	s, err := ReadFS(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", dir, err)
	}
	return s, nil
}

// ReadFS is Read on the root of a file system.
func ReadFS(fsys fs.FS) (*Set, error) {
	definitions, err := fs.ReadFile(fsys, tablesFile)
	if err != nil {
		return nil, fmt.Errorf("a data set needs a file %s with its tables: %w", tablesFile, err)
	}
	items, err := fs.ReadFile(fsys, itemsFile)
	if err != nil {
		return nil, fmt.Errorf("a data set needs a file %s with its items ({} for none): %w", itemsFile, err)
	}
	s := &Set{}
	if s.Tables, err = parseTables(definitions); err != nil {
		return nil, err
	}
	return s, s.parseItems(items)
}

// Error is something wrong in a file of a data set.
type Error struct {
	File    string
	Line    int    // counted from 1
	Table   string // "" outside of a table
	Item    int    // number of the item in its table, counted from 1; 0 outside of an item
	Problem string
	cause   error // what Problem is the text of; nil for none
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) Error() string {
	at := fmt.Sprintf("%s line %d", e.File, e.Line)
	if e.Table != "" {
		at += fmt.Sprintf(", table %q", e.Table)
	}
	if e.Item > 0 {
		at += fmt.Sprintf(", item %d", e.Item)
	}
	return at + ": " + e.Problem
}

// key lists the key attributes of a table, hash key first.
func (t *Table) key() []keyAttribute {
	var key []keyAttribute
	for _, e := range t.Definition.KeySchema {
		a := keyAttribute{name: *e.AttributeName}
		for _, d := range t.Definition.AttributeDefinitions {
			if *d.AttributeName == a.name {
				a.kind = string(d.AttributeType)
			}
		}
		if e.KeyType == types.KeyTypeHash {
			key = slices.Insert(key, 0, a)
		} else {
			key = append(key, a)
		}
	}
	return key
}

type keyAttribute struct{ name, kind string }
