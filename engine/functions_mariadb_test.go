package engine_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// calls are calls of functions that MariaDB has as MySQL does, with kinds of
// arguments in braces.
var calls = strings.Fields(`
	YEAR({date}) MONTH({date}) DAY({date}) QUARTER({date}) DAYOFWEEK({date}) WEEKDAY({date}) DAYOFYEAR({date}) DAYNAME({date}) MONTHNAME({date})
	TO_DAYS({date}) TO_SECONDS({date}) LAST_DAY({date}) DATE({date}) DATEDIFF({date},{date}) WEEKOFYEAR({date}) WEEK({date},{mode}) YEARWEEK({date},{mode})
	MAKEDATE({int},{int}) FROM_DAYS({int}) PERIOD_ADD({period},{int}) PERIOD_DIFF({period},{period})
	HOUR({time}) MINUTE({time}) SECOND({time}) MICROSECOND({time}) TIME({time}) MAKETIME({int},{int},{seconds}) SEC_TO_TIME({number}) ADDTIME({time},{time}) SUBTIME({time},{time}) TIMEDIFF({time},{time})
	DATE_FORMAT({date},{format}) TIME_FORMAT({time},{clock}) STR_TO_DATE({shown},{format})
	EXTRACT(YEAR_MONTH~FROM~{date}) EXTRACT(DAY~FROM~{day}) EXTRACT(HOUR_MINUTE~FROM~{hours}) EXTRACT(SECOND_MICROSECOND~FROM~{hours}) EXTRACT(QUARTER~FROM~{date}) EXTRACT(WEEK~FROM~{date})
	TIMESTAMPDIFF(MONTH,{date},{date}) TIMESTAMPDIFF(DAY,{date},{date}) TIMESTAMPDIFF(YEAR,{date},{date}) TIMESTAMPDIFF(SECOND,{date},{date}) TIMESTAMPDIFF(QUARTER,{date},{date}) TIMESTAMPDIFF(WEEK,{date},{date})
	TIMESTAMP({date}) TIMESTAMP({date},{time}) UNIX_TIMESTAMP({recent})
	FORMAT({number},{digits}) FORMAT({number},{digits},{locale}) INSERT({strings},{int},{int},{text}) REPEAT({text},{digits}) REVERSE({any}) QUOTE({any}) SOUNDEX({ascii}) SUBSTRING_INDEX({text},{text},{int}) FIND_IN_SET({text},{text})
	FROM_BASE64({ascii}) INET_ATON({address}) INET_NTOA({number}) MD5({any}) SHA1({any}) SHA2({any},{sha}) CRC32({any})
	INTERVAL({number},{number},{number}) {bits}&{bits} {bits}|{bits} {bits}^{bits} {bits}<<{digits} {bits}>>{digits} ~{bits}
	REGEXP_INSTR({text},{pattern}) REGEXP_SUBSTR({text},{pattern}) REGEXP_REPLACE({text},{pattern},{word}) {text}~REGEXP~{pattern}
	{number}~BETWEEN~{number}~AND~{number} {any}~BETWEEN~{mixed}~AND~{mixed} {any}~IN~({mixed},{mixed},{mixed}) {small}={small}={small} {small}<{small}~IS~NULL={small}
	ELT({int},{any},{any}) EXPORT_SET({small},{word},{word},{word},{digits}) MAKE_SET({small},{text},{text},{text}) CHAR_LENGTH({any}) LENGTH({any}) LEFT({text},{int}) RIGHT({text},{int}) LPAD({text},{digits},{word}) RPAD({text},{digits},{word})
	ASCII({any}) ORD({text}) STRCMP({text},{text}) CONV({bits},10,16) BIT_COUNT({bits}) SIGN({number}) TRUNCATE({number},{small}) LOCATE({word},{text}) CONCAT_WS({word},{any},{any}) NULLIF({text},{text}) FIELD({text},{text},{text}) GREATEST({number},{number}) LEAST({strings},{strings}) HEX({text}) UNHEX({ascii}) TO_BASE64({text}) TRIM({text}) SPACE({digits}) COALESCE({any},{any})
`)

// arguments are those of a kind, one a line: the usual ones, those at the edge,
// and NULL.
var arguments = map[string][]string{
	"date": {"'2024-02-29'", "'2023-12-31 23:59:59'", "'2024-01-01'", "'1999-01-03'", "'2021-01-03 10:11:12.345678'", "'2024-1-5'", "'20240131'", "'240131'", "20240131", "20240131101112",
		"'2024-01-31T10:20:30'", "'2023-02-30'", "'x'", "''", "NULL", "'0001-01-01'", "'9999-12-31'", "'2000-03-01'", "'2024/01/31'", "'2024-13-01'", "'1970-01-01 00:00:01'"},
	"recent":  {"'2015-11-13 10:20:19'", "'2024-02-29'", "20240131", "NULL", "'2023-12-31 23:59:59'"},
	"time":    {"'10:11:12'", "'00:00:00'", "'-10:11:12'", "'272:59:59'", "'10:11:12.345678'", "'1 02:03:04'", "'10:11'", "101112", "'101112'", "'2024-01-31 10:11:12'", "'x'", "NULL", "'10:61:00'", "'23:59:59.999999'", "10", "'838:59:59'"},
	"hours":   {"'10:11:12'", "'00:00:00'", "'10:11:12.345678'", "101112", "'2024-01-31 10:11:12'", "'x'", "NULL"},
	"day":     {"'2024-02-29'", "'2023-12-31 23:59:59'", "'x'", "NULL", "'20240131'"},
	"strings": {"''", "'a'", "'abc'", "'日本語'", "'éa'", "' a '", "NULL", "'😀x'"},
	"seconds": {"0", "30", "59", "60", "-1", "NULL", "59.5"},
	"period":  {"200801", "200712", "6912", "7001", "NULL", "202402"},
	"mode":    {"0", "1", "2", "3", "4", "5", "6", "7"},
	"int":     {"0", "1", "-1", "2", "3", "31", "365", "366", "2024", "NULL", "1.5", "2.4", "'3'", "100"},
	"small":   {"0", "1", "2", "5", "NULL", "-1"},
	"digits":  {"0", "1", "2", "5", "10"},
	"number":  {"0", "1", "-1", "1234567.891", "-0.5", "0.005", "2378", "3020399", "86399.5", "123456789012345678", "NULL", "'12.5'", "1.005", "-1234.5"},
	"bits":    {"0", "1", "5", "-1", "255", "18446744073709551615", "9223372036854775807", "NULL", "'7'", "2.5", "1024"},
	"text":    {"''", "'a'", "'abc'", "'a,b,c'", "'日本語'", "'www.mysql.com'", "'éa'", "' a '", "NULL", "'aXbX'", "'foo bar'", "'😀x'", "12"},
	"ascii":   {"'Hello'", "'Robert'", "'YWJj'", "'4D7953514C'", "''", "'Pfister'", "NULL", "'123'", "'a-b c'"},
	"word":    {"'x'", "'-'", "'ab'", "'日'"},
	"any":     {"'a'", "'10'", "9", "10", "1.5", "NULL", "'日本'", "''", "-3", "'9'"},
	"mixed":   {"'9'", "'10'", "9", "11", "'a'", "0", "100", "1.5"},
	"sha":     {"224", "256", "384", "512", "0", "1"},
	"address": {"'10.0.5.9'", "'255.255.255.255'", "'256.1.1.1'", "'x'", "NULL", "''", "'127.1'"},
	"locale":  {"'en_US'", "'de_DE'", "'fr_FR'", "'de_CH'", "'en_IN'", "'sv_SE'", "'xx_YY'", "'pt_BR'", "'rm_CH'", "'ar_SA'"},
	"format":  {"'%Y-%m-%d'", "'%W %M %Y'", "'%D %y %a %d %m %b %j'", "'%H %k %I %r %T %S %w'", "'%X %V'", "'%x %v %U %u'", "'%f %c %e %h %l %p %%'", "'%d.%m.%Y %H:%i:%s'", "'%Y%m%d'", "NULL"},
	"clock":   {"'%H:%i:%s'", "'%k %h %l %p'", "'%f'", "'%r %T'", "NULL"},
	"shown":   {"'2024-01-31'", "'Wednesday January 2024'", "'31.01.2024 10:11:12'", "'20240131'", "'x'", "NULL", "'2024-01-31x'"},
	"pattern": {"'a'", "'^a'", "'[a-z]+'", "'X'", "'(o)\\\\\\\\1'", "'本'", "'a|b'", "'o(?=o)'", "'[[:alpha:]]+'", "'.'", "NULL", "'\\\\\\\\.'"},
}

var argument = regexp.MustCompile(`\{\w+\}`)

// TestFunctionsAsMariaDB asks a MariaDB server and an engine for the same calls
// with many combinations of arguments.
func TestFunctionsAsMariaDB(t *testing.T) {
	m := startMariaDB(t)
	g := rand.New(rand.NewPCG(20261130, 7))
	each := 40
	if testing.Short() {
		each = 5
	}
	var statements []string
	asked := map[string]bool{}
	for _, c := range calls {
		for range each {
			e := argument.ReplaceAllStringFunc(strings.ReplaceAll(c, "~", " "), func(kind string) string {
				list := arguments[strings.Trim(kind, "{}")]
				return list[g.IntN(len(list))]
			})
			if strings.HasPrefix(c, "~") {
				e = "~" + strings.TrimSpace(e)
			}
			if q := "SELECT " + e; !asked[q] {
				asked[q] = true
				statements = append(statements, q)
			}
		}
	}
	answers, err := m.run(statements...)
	if err != nil {
		t.Fatal(err)
	}
	s := sessionOver(t, fixture{name: "one", hash: "id:S", items: []string{`{"id":{"S":"a"}}`}})
	for i, q := range statements {
		got, err := answer(s, q)
		if err != nil {
			got = []string{"error: " + err.Error()}
		}
		if want := answers[i]; !sameResult(strings.Join(got, "\n"), strings.Join(want, "\n")) && !differs(q, want) {
			t.Errorf("%s\n     got %q\nMariaDB %q", q, got, want)
		}
	}
}

var fractionOfSecond = regexp.MustCompile(`(\d\d:\d\d:\d\d\.\d*?)0+\b`)

// sameResult compares two values, leaving aside how many digits behind the point
// of seconds are shown.
func sameResult(got, want string) bool {
	shorter := func(s string) string {
		return strings.ReplaceAll(fractionOfSecond.ReplaceAllString(s+" ", "$1"), ". ", " ")
	}
	return got == want || shorter(got) == shorter(want) || sameNumber(got, want) || strings.HasPrefix(got, "error: ") && strings.HasPrefix(want, "error: ")
}

// differs tells where MariaDB does otherwise than MySQL 8, or gives a date that
// is none (docs/KNOWN_DIFFERENCES.md).
func differs(q string, want []string) bool {
	switch {
	case len(want) == 1 && want[0] == "" && strings.Contains(q, "REGEXP_SUBSTR"): // NULL in MySQL
		return true
	case strings.Contains(q, "TIME(") && len(want) == 1 && strings.HasSuffix(want[0], "838:59:59.999999"): // 838:59:59 in MySQL
		return true
	}
	return len(want) == 1 && strings.Contains(want[0], "-00")
}
