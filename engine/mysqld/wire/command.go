package wire

// Command is the first byte of what a client sends after the handshake.
type Command byte

// Commands.
const (
	ComQuit            Command = 0x01
	ComInitDB          Command = 0x02
	ComQuery           Command = 0x03
	ComFieldList       Command = 0x04
	ComStatistics      Command = 0x09
	ComProcessInfo     Command = 0x0a
	ComProcessKill     Command = 0x0c
	ComDebug           Command = 0x0d
	ComPing            Command = 0x0e
	ComChangeUser      Command = 0x11
	ComStmtPrepare     Command = 0x16
	ComStmtExecute     Command = 0x17
	ComStmtSendLong    Command = 0x18
	ComStmtClose       Command = 0x19
	ComStmtReset       Command = 0x1a
	ComSetOption       Command = 0x1b
	ComStmtFetch       Command = 0x1c
	ComResetConnection Command = 0x1f
)

// ParseFieldList reads the table name of a COM_FIELD_LIST.
func ParseFieldList(payload []byte) (string, error) {
	r := reader{rest: payload}
	table := r.zeroOrEnd()
	return table, r.err()
}

// ParseKill reads the connection that a COM_PROCESS_KILL names.
func ParseKill(payload []byte) (uint32, error) {
	r := reader{rest: payload}
	id := r.uint32()
	return id, r.err()
}

// ParseSetOption reports whether a COM_SET_OPTION turns multiple statements on.
func ParseSetOption(payload []byte) (multiStatements bool, err error) {
	r := reader{rest: payload}
	option := r.uint16()
	if option > 1 {
		return false, errMalformed
	}
	return option == 0, r.err()
}
