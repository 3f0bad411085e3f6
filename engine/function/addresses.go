package function

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// addresses are functions of IPv4 addresses.
var addresses = map[string]definition{
	"inet_aton": {least: 1, most: 1, typ: always(types.Uint64), eval: toAddress},
	"inet_ntoa": {least: 1, most: 1, typ: text, eval: fromAddress},
}

// toAddress reads an address of up to four numbers, of which the last fills what
// the others leave: 127.1 is 127.0.0.1.
func toAddress(c *call) (any, error) {
	s, err := c.text(0)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return nil, nil
	}
	n := uint64(0)
	for i, p := range parts {
		if p == "" || countDigits(p) < len(p) {
			return nil, nil
		}
		b, err := strconv.ParseUint(p, 10, 8)
		if err != nil {
			return nil, nil
		}
		n = n<<8 | b
		if i == len(parts)-2 {
			n <<= 8 * (4 - len(parts))
		}
	}
	return n, nil
}

func fromAddress(c *call) (any, error) {
	n := c.integer(0)
	if n < 0 || n > 0xffffffff {
		return nil, nil
	}
	return fmt.Sprintf("%d.%d.%d.%d", n>>24, n>>16&255, n>>8&255, n&255), nil
}
