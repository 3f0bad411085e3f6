package engine_test

import "testing"

// The answers are those of the examples in the "MySQL 8.0 Reference Manual",
// chapter 14, or follow from what it says.
func TestFunctions(t *testing.T) {
	s := sessionOver(t, fixture{name: "one", hash: "id:S", items: []string{`{"id":{"S":"a"}}`}})
	for name, list := range map[string][][2]string{
		"dates": {
			{"MAKEDATE(2011,31)", "2011-01-31"}, {"MAKEDATE(2011,32)", "2011-02-01"}, {"MAKEDATE(2014,365)", "2014-12-31"}, {"MAKEDATE(2011,0)", "NULL"},
			{"MAKEDATE(70,1)", "1970-01-01"}, {"MAKEDATE(NULL,1)", "NULL"},
			{"LAST_DAY('2003-02-05')", "2003-02-28"}, {"LAST_DAY('2004-02-05')", "2004-02-29"}, {"LAST_DAY('2003-03-32')", "NULL"},
			{"TO_DAYS(950501)", "728779"}, {"TO_DAYS('2007-10-07')", "733321"}, {"TO_DAYS('0000-01-01')", "1"}, {"FROM_DAYS(730669)", "2000-07-03"}, {"FROM_DAYS(365)", "NULL"},
			{"TO_SECONDS(950501)", "62966505600"}, {"TO_SECONDS('2009-11-29 13:43:32')", "63426721412"}, {"TO_SECONDS('x')", "NULL"},
			{"PERIOD_ADD(200801,2)", "200803"}, {"PERIOD_DIFF(200802,200703)", "11"}, {"PERIOD_ADD(7001,1)", "197002"},
			{"PERIOD_ADD(200813,1)", "error: Incorrect arguments to period_add"}, {"PERIOD_DIFF(0,1)", "error: Incorrect arguments to period_diff"},
			{"DATEDIFF('2007-12-31 23:59:59','2007-12-30')", "1"}, {"DATEDIFF('2010-11-30 23:59:59','2010-12-31')", "-31"},
			{"DAY('2007-02-00')", "0"}, {"MONTH('2008-00-00')", "0"}, {"QUARTER('2008-04-01')", "2"}, {"DAYNAME('2007-02-03')", "Saturday"}, {"MONTHNAME('2008-02-03')", "February"},
			{"DAYOFWEEK('2007-02-03')", "7"}, {"WEEKDAY('2008-02-03 22:23:00')", "6"}, {"DAYOFYEAR('2007-02-03')", "34"}, {"DAYNAME('2007-02-00')", "NULL"},
			{"YEAR(19870101)", "1987"}, {"YEAR('87-01-01')", "1987"}, {"DATE('2003-02-31')", "NULL"},
			{"YEAR('2024-01-31T10:20:30.123Z')", "2024"}, {"HOUR('2024-01-31T23:20:30+02:00')", "21"},
		},
		"weeks": {
			{"WEEK('2008-02-20')", "7"}, {"WEEK('2008-02-20',0)", "7"}, {"WEEK('2008-02-20',1)", "8"}, {"WEEK('2008-12-31',1)", "53"},
			{"WEEK('2000-01-01',0)", "0"}, {"WEEK('2000-01-01',2)", "52"}, {"WEEK('2000-01-01',3)", "52"}, {"WEEK('2021-01-03',3)", "53"}, {"WEEK('2021-01-03',7)", "52"},
			{"YEARWEEK('1987-01-01')", "198652"}, {"YEARWEEK('2000-01-01')", "199952"}, {"WEEKOFYEAR('2008-02-20')", "8"}, {"EXTRACT(WEEK FROM '2003-05-02')", "17"},
		},
		"times": {
			{"SEC_TO_TIME(2378)", "00:39:38"}, {"SEC_TO_TIME(2378)+0", "3938"}, {"SEC_TO_TIME(3020400)", "838:59:59"}, {"SEC_TO_TIME(-1)", "-00:00:01"}, {"SEC_TO_TIME(NULL)", "NULL"}, {"SEC_TO_TIME(1.5)", "00:00:01.500000"},
			{"TIME_TO_SEC('22:23:00')", "80580"}, {"TIME_TO_SEC('00:39:38')", "2378"}, {"TIME_TO_SEC('-1:00:00')", "-3600"}, {"TIME_TO_SEC('1 1:0:0')", "90000"}, {"TIME_TO_SEC('x')", "NULL"}, {"TIME_TO_SEC(SEC_TO_TIME(5))", "5"},
			{"MAKETIME(12,15,30)", "12:15:30"}, {"MAKETIME(12,60,30)", "NULL"}, {"MAKETIME(-12,15,30)", "-12:15:30"}, {"MAKETIME(839,0,0)", "838:59:59"}, {"MAKETIME(12,15,NULL)", "NULL"}, {"MAKETIME(12.6,15,30)", "13:15:30"},
			{"ADDTIME('2007-12-31 23:59:59.999999','1 1:1:1.000002')", "2008-01-02 01:01:01.000001"}, {"ADDTIME('01:59:59.999999','02:00:00.999998')", "04:00:00.999997"},
			{"SUBTIME('2007-12-31 23:59:59.999999','1 1:1:1.000002')", "2007-12-30 22:58:58.999997"}, {"SUBTIME('01:00:00.999999','02:00:00.999998')", "-00:59:59.999999"},
			{"ADDTIME('10:00:00','2020-01-01 00:00:00')", "NULL"}, {"ADDTIME(100000,1)", "10:00:01"}, {"ADDTIME(NULL,1)", "NULL"},
			{"TIMEDIFF('2008-12-31 23:59:59.000001','2008-12-30 01:01:01.000002')", "46:58:57.999999"}, {"TIMEDIFF('10:00:00','2000-01-01 00:00:00')", "NULL"},
			{"TIME('2003-12-31 01:02:03')", "01:02:03"}, {"TIME('1 02:03:04')", "26:03:04"}, {"HOUR('272:59:59')", "272"}, {"MINUTE('10:05:03')", "5"}, {"MICROSECOND('12:00:00.123456')", "123456"},
			{"CONCAT(SEC_TO_TIME(65),'h')", "00:01:05h"}, {"CONCAT(LAST_DAY('2003-02-05'),'!')", "2003-02-28!"}, {"CAST(SEC_TO_TIME(65) AS CHAR)", "00:01:05"}, {"SEC_TO_TIME(360000) > '99:00:00'", "1"},
		},
		"formats": {
			{"DATE_FORMAT('2009-10-04 22:23:00','%W %M %Y')", "Sunday October 2009"}, {"DATE_FORMAT('1900-10-04 22:23:00','%D %y %a %d %m %b %j')", "4th 00 Thu 04 10 Oct 277"},
			{"DATE_FORMAT('1997-10-04 22:23:00','%H %k %I %r %T %S %w')", "22 22 10 10:23:00 PM 22:23:00 00 6"}, {"DATE_FORMAT('1999-01-01','%X %V')", "1998 52"}, {"DATE_FORMAT('2006-06-00','%d')", "00"}, {"DATE_FORMAT('x','%d')", "NULL"},
			{"TIME_FORMAT('100:00:00','%H %k %h %I %l')", "100 100 04 04 4"}, {"TIME_FORMAT('-10:11:12','%H:%i')", "-10:11"},
			{"STR_TO_DATE('01,5,2013','%d,%m,%Y')", "2013-05-01"}, {"STR_TO_DATE('May 1, 2013','%M %d,%Y')", "2013-05-01"}, {"STR_TO_DATE('a09:30:17','a%h:%i:%s')", "09:30:17"}, {"STR_TO_DATE('a09:30:17','%h:%i:%s')", "NULL"},
			{"STR_TO_DATE('09:30:17a','%h:%i:%s')", "09:30:17"}, {"STR_TO_DATE('10:11 PM','%h:%i %p')", "22:11:00"}, {"STR_TO_DATE('200442 Monday','%X%V %W')", "2004-10-18"}, {"STR_TO_DATE('04/31/2004','%m/%d/%Y')", "NULL"},
			{"STR_TO_DATE('2013-05-01 10:11:12.345','%Y-%m-%d %H:%i:%s.%f')", "2013-05-01 10:11:12.345000"}, {"STR_TO_DATE(NULL,'%Y')", "NULL"}, {"STR_TO_DATE('2013',NULL)", "NULL"},
		},
		"moments": {
			{"EXTRACT(YEAR_MONTH FROM '2019-07-02 01:02:03')", "201907"}, {"EXTRACT(DAY_MINUTE FROM '2019-07-02 01:02:03')", "20102"}, {"EXTRACT(MICROSECOND FROM '2003-01-02 10:30:00.000123')", "123"}, {"EXTRACT(HOUR FROM '10:11:12')", "10"}, {"EXTRACT(DAY FROM NULL)", "NULL"},
			{"TIMESTAMP('2003-12-31')", "2003-12-31 00:00:00"}, {"TIMESTAMP('2003-12-31 12:00:00','12:00:00')", "2004-01-01 00:00:00"}, {"TIMESTAMP('x')", "NULL"},
			{"CONVERT_TZ('2004-01-01 12:00:00','GMT','MET')", "2004-01-01 13:00:00"}, {"CONVERT_TZ('2004-01-01 12:00:00','+00:00','+10:00')", "2004-01-01 22:00:00"}, {"CONVERT_TZ('2004-01-01 12:00:00','+00:00','+15:00')", "NULL"}, {"CONVERT_TZ('2007-03-11 3:00:00','US/Eastern','US/Central')", "2007-03-11 01:00:00"},
			{"FROM_UNIXTIME(-1)", "NULL"}, {"FROM_UNIXTIME(NULL)", "NULL"}, {"UNIX_TIMESTAMP(NULL)", "NULL"}, {"UNIX_TIMESTAMP('1969-01-01')", "0"},
			{"TIMESTAMPDIFF(MONTH,'2003-02-01','2003-05-01')", "3"}, {"TIMESTAMPDIFF(YEAR,'2002-05-01','2001-01-01')", "-1"}, {"TIMESTAMPDIFF(MINUTE,'2003-02-01','2003-05-01 12:05:55')", "128885"}, {"TIMESTAMPDIFF(HOUR,'2003-01-01','x')", "NULL"}, {"TIMESTAMPDIFF(SQL_TSI_DAY,'2024-01-31','2024-02-02')", "2"},
			{"DATE_ADD('2100-12-31 23:59:59',INTERVAL '1:1' MINUTE_SECOND)", "2101-01-01 00:01:00"}, {"DATE_SUB('2025-01-01 00:00:00',INTERVAL '1 1:1:1' DAY_SECOND)", "2024-12-30 22:58:59"}, {"DATE_ADD('1992-12-31 23:59:59.000002',INTERVAL '1.999999' SECOND_MICROSECOND)", "1993-01-01 00:00:01.000001"}, {"DATE_ADD('2018-01-31',INTERVAL 1.5 SECOND)", "2018-01-31 00:00:01.500000"},
		},
		"texts": {
			{"FORMAT(12332.123456,4)", "12,332.1235"}, {"FORMAT(12332.1,4)", "12,332.1000"}, {"FORMAT(12332.2,0)", "12,332"}, {"FORMAT(12332.2,2,'de_DE')", "12.332,20"}, {"FORMAT(1234567.891,2,'en_IN')", "12,34,567.89"}, {"FORMAT(1234567.5,1,'fr_FR')", "1234567,5"}, {"FORMAT(1234567.5,1,'de_CH')", "1'234'567.5"}, {"FORMAT(1.005,2)", "1.01"}, {"FORMAT(1e20,2)", "100,000,000,000,000,000,000.00"}, {"FORMAT(NULL,2)", "NULL"}, {"FORMAT(-0.001,2)", "0.00"}, {"FORMAT(1,2,'xx_YY')", "1.00"},
			{"INSERT('Quadratic',3,4,'What')", "QuWhattic"}, {"INSERT('Quadratic',-1,4,'What')", "Quadratic"}, {"INSERT('Quadratic',3,100,'What')", "QuWhat"}, {"INSERT('日本語',2,1,'x')", "日x語"},
			{"QUOTE(NULL)", "NULL"}, {"LENGTH(QUOTE(NULL))", "4"}, {`QUOTE('Don\'t!')`, `'Don\'t!'`}, {"REPEAT('a',-1)", ""}, {"REPEAT('MySQL',3)", "MySQLMySQLMySQL"}, {"REVERSE(123)", "321"}, {"REVERSE('日本')", "本日"},
			{"SOUNDEX('Hello')", "H400"}, {"SOUNDEX('Quadratically')", "Q36324"}, {"SOUNDEX('')", ""}, {"SUBSTRING_INDEX('www.mysql.com','.',2)", "www.mysql"}, {"SUBSTRING_INDEX('www.mysql.com','.',-2)", "mysql.com"}, {"SUBSTRING_INDEX('abc','',1)", ""},
			{"FIND_IN_SET('b','a,b,c,d')", "2"}, {"FIND_IN_SET('','')", "0"}, {"FIND_IN_SET('a,b','a,b')", "0"}, {"SUBSTRING('foobarbar' FROM 4)", "barbar"}, {"SUBSTRING('Sakila' FROM -4 FOR 2)", "ki"}, {"TRIM(BOTH FROM '  a ')", "a"},
			{"FROM_BASE64('!')", "NULL"}, {"FROM_BASE64('YW Jj')", "abc"}, {"INET_ATON('127.1')", "2130706433"}, {"INET_ATON('256.1.1.1')", "NULL"}, {"INET_NTOA(4294967296)", "NULL"}, {"INET_NTOA(167773449)", "10.0.5.9"},
			{"MD5('testing')", "ae2b1fca515949e5d54fb22b8ed95575"}, {"SHA1('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"}, {"SHA2('abc',224)", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"}, {"CRC32('MySQL')", "3259397556"}, {"CRC32('mysql')", "2501908538"}, {"MD5(NULL)", "NULL"},
			{"IS_UUID('6ccd780c-baba-1026-9564-5b8c656024db')", "1"}, {"IS_UUID('{6ccd780c-baba-1026-9564-5b8c656024db}')", "1"}, {"IS_UUID('6ccd780cbaba102695645b8c656024db')", "1"}, {"IS_UUID('6ccd780cbaba1026-9564-5b8c656024db')", "0"}, {"IS_UUID(NULL)", "NULL"},
			{"HEX(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db'))", "6CCD780CBABA102695645B8C656024DB"}, {"HEX(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db',1))", "1026BABA6CCD780C95645B8C656024DB"}, {"BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db',1),1)", "6ccd780c-baba-1026-9564-5b8c656024db"}, {"UUID_TO_BIN('x')", "error: Incorrect string value: 'x' for function uuid_to_bin"}, {"LENGTH(UUID())", "36"},
		},
		"numbers": {
			{"INTERVAL(23,1,15,17,30,44,200)", "3"}, {"INTERVAL(10,1,10,100,1000)", "2"}, {"INTERVAL(22,23,30,44,200)", "0"}, {"INTERVAL(NULL,1)", "-1"},
			{"~5", "18446744073709551610"}, {"5 & ~1", "4"}, {"~5 >> 1", "9223372036854775805"}, {"18446744073709551614 | 1", "18446744073709551615"}, {"-1 & 255", "255"}, {"1 << 64", "0"}, {"3 ^ 5", "6"}, {"'5' | '2'", "7"}, {"5.5 | 1", "7"}, {"~0", "18446744073709551615"}, {"~NULL", "NULL"},
			{"EXP(0)", "1"}, {"EXP(1000)", "error: DOUBLE value is out of range in 'exp(1000)'"}, {"POW(10,400)", "error: DOUBLE value is out of range"}, {"POW(2,-2)", "0.25"}, {"COT(0)", "error: DOUBLE value is out of range"},
			{"NULL IS UNKNOWN", "1"}, {"1 IS NOT UNKNOWN", "1"},
		},
		"casts": {
			{"CAST('2020-01-32' AS DATE)", "NULL"}, {"CAST(20200203 AS DATE)", "2020-02-03"}, {"CAST('2020-02-03 10:11:12.5' AS DATETIME)", "2020-02-03 10:11:13"}, {"CAST('2020-02-03 10:11:12.5678' AS DATETIME(2))", "2020-02-03 10:11:12.57"},
			{"CAST(101112 AS TIME)", "10:11:12"}, {"CAST('1 02:03:04' AS TIME)", "26:03:04"}, {"CAST('x' AS DATETIME)", "NULL"}, {"CONVERT('2024-01-31', DATE)", "2024-01-31"}, {"CAST(DATE('2020-01-02') AS SIGNED)", "20200102"},
			{"ROUND(25E-1)", "2"}, {"ROUND(2.5)", "3"}, {"ROUND('2.5')", "2"}, {"ROUND(35E-1)", "4"}, {"ROUND(150e0,-2)", "200"}, {"ROUND(NULL)", "NULL"}, {"ROUND(1.298,1)", "1.3"},
			{"FIELD('Bb','Aa','Bb','Cc')", "2"}, {"FIELD('ab','aB','ab')", "2"}, {"FIELD('x','a')", "0"}, {"FIELD(NULL,NULL,'a')", "0"}, {"FIELD(1.0,1,2)", "1"}, {"FIELD('1.0',2,1)", "2"},
			{"LEFT(12345,2)", "12"}, {"RIGHT(12.50,3)", ".50"}, {"BIT_COUNT(18446744073709551615)", "64"}, {"BIT_COUNT(29)", "4"}, {"CRC32(1.5)", "2270993338"},
			{"COALESCE(SEC_TO_TIME(5),'none')", "00:00:05"}, {"IF(1,SEC_TO_TIME(5),'none')", "00:00:05"}, {"CASE WHEN 0 THEN 'none' ELSE LAST_DAY('2024-02-01') END", "2024-02-29"},
			{"FORMAT_BYTES(512)", " 512 bytes"}, {"FORMAT_BYTES(18446644073709551615)", "16.00 EiB"}, {"FORMAT_PICO_TIME(3501)", "3.50 ns"}, {"FORMAT_PICO_TIME(188732396662000)", "3.15 min"},
			{"DATE_ADD('1900-01-01 00:00:00',INTERVAL '-1 10' DAY_HOUR)", "1899-12-30 14:00:00"}, {"'2018-01-31' - INTERVAL 0.5 SECOND", "2018-01-30 23:59:59.500000"}, {"DATE_ADD('2018-01-31',INTERVAL '-1-2' YEAR_MONTH)", "2016-11-30"}, {"'2018-12-31 23:59:59' + INTERVAL 1 SECOND", "2019-01-01 00:00:00"}, {"INTERVAL 1 DAY + '2018-12-31'", "2019-01-01"},
		},
		"documents": {
			{"JSON_EXTRACT('[1,2,3,4]','$[1 to 2]')", "[2, 3]"}, {"JSON_EXTRACT('[1,2,3,4]','$[last-2 to last]')", "[2, 3, 4]"}, {"JSON_EXTRACT('5','$[0]')", "5"}, {"JSON_EXTRACT('[1]','$[5 to 7]')", "NULL"},
			{`JSON_CONTAINS('{"a": 1, "c": {"d": 4}}','{"d": 4}','$.c')`, "1"}, {`JSON_CONTAINS('{"a": 1}','1','$.x')`, "NULL"}, {"JSON_CONTAINS('[1,2,[3]]','[1,3]')", "1"}, {"JSON_CONTAINS('[1]','1','$.*')", "error: In this situation, path expressions may not contain"},
			{"17 MEMBER OF('[23, \"abc\", 17, \"ab\", 10]')", "1"}, {"'ab' MEMBER OF('[23, \"abc\", 17, \"ab\", 10]')", "1"}, {"7 MEMBER OF('[23, \"abc\", 17, \"ab\", 10]')", "0"}, {"'17' MEMBER OF('[23, \"abc\", 17]')", "0"}, {"CAST('[4,5]' AS JSON) MEMBER OF('[[3,4],[4,5]]')", "1"}, {"NULL MEMBER OF('[1]')", "NULL"}, {"1 MEMBER OF('x')", "error: Invalid JSON text in argument 2 to function member of"}, {"NOT 5 MEMBER OF('[5]')", "0"},
			{"JSON_OVERLAPS('[1,3,5,7]','[2,5,7]')", "1"}, {"JSON_OVERLAPS('5','5')", "1"}, {"JSON_OVERLAPS('[4,5,6,7]','6')", "1"}, {"JSON_OVERLAPS('[4,5,\"6\",7]','6')", "0"}, {"JSON_OVERLAPS('{\"a\":1,\"b\":10,\"d\":10}','{\"c\":1,\"d\":10}')", "1"}, {"JSON_OVERLAPS('{\"a\":1}','{\"a\":2}')", "0"},
			{`JSON_VALUE('{"fname": "Joe", "lname": "Palmer"}','$.fname')`, "Joe"}, {`JSON_VALUE('{"item": "shoes", "price": "49.95"}','$.price' RETURNING DECIMAL(4,2))`, "49.95"}, {`JSON_VALUE('{"a":[1]}','$.a')`, "NULL"},
			{`JSON_VALUE('{"a":1}','$.b' DEFAULT 5 ON EMPTY)`, "5"}, {`JSON_VALUE('{"a":1}','$.b' ERROR ON EMPTY)`, "error: No value was found by 'json_value' on the specified path."}, {`JSON_VALUE('{"a":"x"}','$.a' RETURNING SIGNED)`, "NULL"}, {`JSON_VALUE('{"a":"x"}','$.a' RETURNING SIGNED ERROR ON ERROR)`, "error: "}, {`JSON_VALUE('{"a":"x"}','$.a' RETURNING SIGNED DEFAULT 7 ON EMPTY DEFAULT 8 ON ERROR)`, "8"},
			{`JSON_VALUE('{"a":"2020-01-02"}','$.a' RETURNING DATE)`, "2020-01-02"}, {`JSON_VALUE('{"a":[1]}','$.a' RETURNING JSON)`, "[1]"}, {`JSON_VALUE(NULL,'$' RETURNING SIGNED)`, "NULL"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tt := range list {
				expect(t, s, "SELECT "+tt[0], tt[1])
			}
		})
	}
}

func TestFunctionsTakeNumbersOfArguments(t *testing.T) {
	s := sessionOver(t, fixture{name: "one", hash: "id:S", items: []string{`{"id":{"S":"a"}}`}})
	expect(t, s, "SELECT MAKETIME(1, 2)", "error: function 'MAKETIME' takes 3 arguments, not 2")
	expect(t, s, "SELECT REGEXP_LIKE('a')", "error: function 'REGEXP_LIKE' takes")
}

func TestColumnsKeepTheirNames(t *testing.T) {
	s := sessionOver(t, fixture{name: "one", hash: "id:S", items: []string{`{"id":{"S":"a"}}`}})
	for _, text := range []string{
		"1 > ALL (SELECT 2)", "INTERVAL(5, 1, 2)", "1 = 1 = 1", "2 MEMBER OF ('[2]')", "EXTRACT(DAY FROM '2024-01-31')", "'a' REGEXP 'b'", "~5",
		"JSON_VALUE('{}', '$.a' DEFAULT 5 ON EMPTY)", "1 IN ('1', 2)", "SUBSTRING('abc' FROM 2)",
	} {
		rows, err := s.Query(t.Context(), "SELECT "+text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := rows.Columns()[0].Name; got != text {
			t.Errorf("%s is the column %q", text, got)
		}
		rows.Close()
	}
}
