// Package wire speaks the MySQL client/server protocol, server side: packets,
// the handshake, passwords, results in text and binary form, and the parameters
// of prepared statements. It knows no SQL, no engine and no session; engine/mysqld
// builds the server out of it.
//
// The rules come from the MySQL Internals documentation, chapter
// "Client/Server Protocol", whose names are used where they exist. Whatever a
// client sends is checked: malformed input gives an error, never a panic, and
// memory is taken as bytes arrive, not as lengths are claimed.
package wire
