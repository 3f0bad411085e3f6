package function

import (
	"bytes"
	"encoding/json"
)

// pretty is JSON_PRETTY; the library's writes exact numbers as strings.
func pretty(c *call) (any, error) {
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(doc.String()), "", "  "); err != nil {
		return nil, err
	}
	return out.String(), nil
}
