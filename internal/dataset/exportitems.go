package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynasql/dynasql/internal/ddb"
)

// longestLine bounds a line: an item has 400 KB, of which no byte takes more
// than six characters of JSON.
const longestLine = 4 << 20

// Load creates the table of a definition and puts the items of the export into
// it, one at a time. It checks the manifest's counts and checksums, that every
// item has the table's key, and that no two have the same. Errors are *Error for
// what is wrong in a file, with the line counted in the text inside of it.
// Progress is told, after each item, how many there are so far.
func (e *Export) Load(ctx context.Context, client ddb.Client, definition *ddb.CreateTableInput, progress func(items int64)) error {
	if _, err := client.CreateTable(ctx, definition); err != nil {
		return fmt.Errorf("create table %q: %w", *definition.TableName, err)
	}
	table := &Table{Name: *definition.TableName, Definition: *definition}
	condition, hash := "attribute_not_exists(#h)", table.key()[0].name
	var items int64
	return e.each(ctx, func(r *itemReader) error {
		item := r.exported()
		if r.err == nil {
			r.table = table
			r.identity(item)
		}
		if r.err != nil {
			return r.err
		}
		_, err := client.PutItem(ctx, &ddb.PutItemInput{
			TableName: &table.Name, Item: item,
			ConditionExpression: &condition, ExpressionAttributeNames: map[string]string{"#h": hash},
		})
		var taken *types.ConditionalCheckFailedException
		if errors.As(err, &taken) {
			return errors.New("there was an item with the same key before it: these attributes are not the key of the table")
		}
		if err != nil {
			return err
		}
		items++
		progress(items)
		return nil
	})
}

// First is an item of the export; nil if it has none.
func (e *Export) First(ctx context.Context) (item ddb.Item, err error) {
	stop := errors.New("found")
	err = e.each(ctx, func(r *itemReader) error {
		if item = r.exported(); r.err != nil {
			return r.err
		}
		return stop
	})
	if errors.Is(err, stop) {
		return item, nil
	}
	return nil, err
}

// exported reads {"Item":{..}}.
func (r *itemReader) exported() (item ddb.Item) {
	r.object(func(name string) {
		switch {
		case name == "Item" && item == nil:
			item = r.attributes(0)
		case name == "Metadata" || name == "Keys" || name == "NewImage" || name == "OldImage":
			r.fail("%v", errIncremental)
		default:
			r.fail(`found %q where {"Item": ..} must be`, name)
		}
	})
	if item == nil {
		r.fail(`found {} where {"Item": ..} must be`)
	}
	r.end()
	return item
}

// each reads the data files line by line.
func (e *Export) each(ctx context.Context, read func(*itemReader) error) error {
	for _, f := range e.files {
		if err := e.eachOf(ctx, f, read); err != nil {
			return fmt.Errorf("export %s: %w", e.dir, err)
		}
	}
	return nil
}

func (e *Export) eachOf(ctx context.Context, f dataFile, read func(*itemReader) error) error {
	file, err := os.Open(filepath.Join(e.dir, filepath.FromSlash(f.name)))
	if err != nil {
		return err
	}
	defer file.Close()
	sum := md5.New()
	compressed := bufio.NewReader(io.TeeReader(file, sum))
	unpacked, err := gzip.NewReader(compressed)
	if err != nil && !errors.Is(err, io.EOF) { // no byte at all is no item
		return &Error{File: f.name, Line: 1, Problem: "the file is no gzip file"}
	}
	line, items := 0, int64(0)
	if err == nil {
		lines := bufio.NewScanner(unpacked)
		lines.Buffer(make([]byte, 64<<10), longestLine)
		for lines.Scan() {
			line++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := read(&itemReader{cursor: cursor{text: lines.Bytes()}}); err != nil {
				return &Error{File: f.name, Line: line, Problem: err.Error(), cause: err}
			}
			items++
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			return &Error{File: f.name, Line: line + 1, Problem: "the line is longer than an item can be"}
		case err != nil:
			return &Error{File: f.name, Line: line + 1, Problem: "the file is damaged or cut off (" + err.Error() + "); download it again"}
		}
	}
	return f.check(items, sum, line)
}

// check compares what was read with the manifest.
func (f dataFile) check(items int64, sum hash.Hash, line int) error {
	switch {
	case f.items >= 0 && items != f.items:
		return &Error{File: f.name, Line: line, Problem: fmt.Sprintf("the file has %d items, %s says %d", items, listFile, f.items)}
	case f.md5 != nil && !bytes.Equal(sum.Sum(nil), f.md5):
		return &Error{File: f.name, Line: line, Problem: fmt.Sprintf("the file's MD5 checksum is %x, %s says %x; download it again", sum.Sum(nil), listFile, f.md5)}
	}
	return nil
}
