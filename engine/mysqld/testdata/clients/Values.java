import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;

/** MariaDB Connector/J: like values.py, with each value got as its type has it. The argument follows the database in the URL. */
public class Values {
  public static void main(String[] args) throws Exception {
    String url = "jdbc:mariadb://" + env("DB_HOST") + ":" + env("DB_PORT") + "/" + env("DB_NAME") + "?" + args[0];
    StringBuilder out = new StringBuilder();
    try (Connection c = DriverManager.getConnection(url, env("DB_USER"), env("DB_PASSWORD"))) {
      Scanner in = new Scanner(System.in, "UTF-8").useDelimiter("\n");
      while (in.hasNext()) {
        try (PreparedStatement s = c.prepareStatement(text(in.next())); ResultSet r = s.executeQuery()) {
          while (r.next()) out.append(row(r)).append('\n');
        }
        out.append('\n');
      }
    }
    System.out.print(out);
  }

  static String env(String name) { return System.getenv(name); }

  /** Reads a JSON string in ASCII. */
  static String text(String json) {
    StringBuilder b = new StringBuilder();
    for (int i = 1; json.charAt(i) != '"'; i++) {
      char ch = json.charAt(i);
      if (ch == '\\') {
        ch = json.charAt(++i);
        if (ch == 'u') { ch = (char) Integer.parseInt(json.substring(i + 1, i + 5), 16); i += 4; }
        else if (ch == 'n') ch = '\n';
        else if (ch == 't') ch = '\t';
      }
      b.append(ch);
    }
    return b.toString();
  }

  static String row(ResultSet r) throws SQLException {
    List<String> cells = new ArrayList<>();
    for (int i = 1; i <= r.getMetaData().getColumnCount(); i++) cells.add(digits(value(r, i)));
    return cells.toString();
  }

  static byte[] value(ResultSet r, int i) throws SQLException {
    String text;
    switch (r.getMetaData().getColumnType(i)) {
      case Types.BINARY: case Types.VARBINARY: case Types.LONGVARBINARY: return r.getBytes(i);
      case Types.DECIMAL: text = r.getBigDecimal(i) == null ? null : r.getBigDecimal(i).toPlainString(); break;
      case Types.BIT: case Types.BOOLEAN: text = r.getBoolean(i) ? "1" : "0"; break;
      default: text = r.getString(i);
    }
    return r.wasNull() ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static String digits(byte[] value) {
    if (value == null) return "null";
    StringBuilder b = new StringBuilder("\"");
    for (byte v : value) b.append(String.format("%02x", v));
    return b.append('"').toString();
  }
}
