// Package exact keeps numbers exact where the engine library would round them,
// refuse them or make them floating-point: its DECIMAL ends at 65 digits, 30 of
// them behind the point, while a DynamoDB number has 38 significant digits
// anywhere between 1E-130 and 9.99E+125. Prepare sets what the library keeps in
// a global, Function gives functions that stand before the library's, and Rule
// puts expressions into a planned statement that do not lose digits. Aggregates
// that the library has not, or not as MySQL has them, are here too.
//
// It knows values and expressions only: no tables, no DynamoDB.
package exact
