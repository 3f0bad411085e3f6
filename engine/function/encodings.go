package function

import (
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// encodings are functions that write values otherwise.
var encodings = map[string]definition{
	"from_base64": {least: 1, most: 1, typ: binary, eval: fromBase64},
	"crc32":       {least: 1, most: 1, typ: always(types.Uint32), eval: checksum},
	"is_uuid":     {least: 1, most: 1, typ: boolean, eval: isUUID},
	"uuid_to_bin": {least: 1, most: 2, typ: binary, eval: uuidToBin},
	"bin_to_uuid": {least: 1, most: 2, typ: text, eval: binToUUID},
}

func checksum(c *call) (any, error) {
	s, err := c.text(0)
	return crc32.ChecksumIEEE([]byte(s)), err
}

// fromBase64 leaves out the white space that TO_BASE64 puts in; what is not
// base 64 is NULL.
func fromBase64(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	s = strings.Join(strings.Fields(s), "")
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, nil
	}
	return b, nil
}

// parseUUID reads the three forms that UUIDs have: with dashes, without, and
// with dashes in braces.
func parseUUID(s string) ([]byte, bool) {
	if len(s) == 38 && s[0] == '{' && s[37] == '}' {
		s = s[1:37]
	}
	if len(s) == 36 {
		if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
			return nil, false
		}
		s = s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	}
	b, err := hex.DecodeString(s)
	return b, err == nil && len(b) == 16
}

func isUUID(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	_, ok := parseUUID(s)
	return ok, nil
}

// swapped moves the time of a UUID to where it sorts, or back: a UUID begins
// with the low 32 bits of its time, then come the middle and the high 16.
func swapped(b []byte, back bool) []byte {
	out := append([]byte(nil), b...)
	if back {
		copy(out, b[4:8])
		copy(out[4:], b[2:4])
		copy(out[6:], b[:2])
		return out
	}
	copy(out, b[6:8])
	copy(out[2:], b[4:6])
	copy(out[4:], b[:4])
	return out
}

func uuidToBin(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	b, ok := parseUUID(s)
	if !ok {
		return nil, wrongType(s, "string", "uuid_to_bin")
	}
	if c.has(1) && c.integer(1) != 0 {
		b = swapped(b, false)
	}
	return b, nil
}

func binToUUID(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	b := []byte(s)
	if len(b) != 16 {
		return nil, wrongType(s, "string", "bin_to_uuid")
	}
	if c.has(1) && c.integer(1) != 0 {
		b = swapped(b, true)
	}
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}
