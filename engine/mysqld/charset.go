package mysqld

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// decode reads text that a client sends, in its own character set.
func (c *conn) decode(text []byte) string {
	set := c.clientSet()
	switch set {
	case sql.CharacterSet_Unspecified, sql.CharacterSet_utf8mb4, sql.CharacterSet_utf8mb3, sql.CharacterSet_ascii, sql.CharacterSet_binary:
		return string(text)
	}
	if decoded, ok := set.Encoder().Decode(text); ok {
		return string(decoded)
	}
	return string(text)
}

func (c *conn) clientSet() sql.CharacterSetID {
	v, err := c.session.GetSessionVariable(nil, "character_set_client")
	name, ok := v.(string)
	if err != nil || !ok {
		return sql.CharacterSet_Unspecified
	}
	set, err := sql.ParseCharacterSet(name)
	if err != nil {
		return sql.CharacterSet_Unspecified
	}
	return set
}

// collation is the session's, for a session that takes its place.
func (c *conn) collation() uint16 {
	if set := c.clientSet(); set != sql.CharacterSet_Unspecified {
		return uint16(set.DefaultCollation())
	}
	return 0
}
