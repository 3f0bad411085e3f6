import java.sql.*;
import java.util.*;

/** MariaDB Connector/J. The first argument is what follows the database in the URL. */
public class JdbcClient {
  public static void main(String[] args) throws Exception {
    String url = "jdbc:mariadb://" + env("DB_HOST") + ":" + env("DB_PORT") + "/" + env("DB_NAME") + "?" + args[0];
    try (Connection c = DriverManager.getConnection(url, env("DB_USER"), env("DB_PASSWORD"))) {
      Scanner in = new Scanner(System.in, "UTF-8").useDelimiter("\n");
      while (in.hasNext()) {
        List<Object> q = statement(in.next());
        try (PreparedStatement s = c.prepareStatement((String) q.get(0))) {
          for (int i = 1; i < q.size(); i++) s.setObject(i, q.get(i));
          print(s.executeQuery());
        }
      }
      metadata(c);
      previews(c);
      cancels(c);
    }
  }

  static String env(String name) { return System.getenv(name); }

  static void check(boolean ok, String what) { if (!ok) throw new IllegalStateException(what); }

  /** Reads {"sql": "...", "args": [...]}: the statement, then its arguments. */
  static List<Object> statement(String json) {
    List<Object> out = new ArrayList<>();
    int i = json.indexOf("\"sql\"") + 5;
    boolean args = false;
    while (i < json.length()) {
      char ch = json.charAt(i);
      if (ch == '"') {
        StringBuilder b = new StringBuilder();
        for (i++; json.charAt(i) != '"'; i++) {
          if (json.charAt(i) == '\\') {
            char e = json.charAt(++i);
            if (e == 'u') { b.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16)); i += 4; }
            else b.append(e == 'n' ? '\n' : e == 't' ? '\t' : e);
          } else b.append(json.charAt(i));
        }
        if (b.toString().equals("args") && !args) args = true; else out.add(b.toString());
        i++;
      } else if (args && (Character.isDigit(ch) || ch == '-')) {
        int j = i;
        while ("+-.eE0123456789".indexOf(json.charAt(j)) >= 0) j++;
        String n = json.substring(i, j);
        if (n.contains(".")) out.add(Double.valueOf(n)); else out.add(Long.valueOf(n));
        i = j;
      } else i++;
    }
    return out;
  }

  static void print(ResultSet r) throws SQLException {
    StringBuilder b = new StringBuilder("[");
    int n = r.getMetaData().getColumnCount();
    for (boolean first = true; r.next(); first = false) {
      b.append(first ? "[" : ",[");
      for (int i = 1; i <= n; i++) b.append(i > 1 ? "," : "").append(quote(r.getString(i)));
      b.append("]");
    }
    System.out.println(b.append("]"));
  }

  static String quote(String s) {
    if (s == null) return "null";
    StringBuilder b = new StringBuilder("\"");
    for (char ch : s.toCharArray()) {
      if (ch == '"' || ch == '\\') b.append('\\').append(ch);
      else if (ch < 32 || ch > 126) b.append(String.format("\\u%04x", (int) ch));
      else b.append(ch);
    }
    return b.append('"').toString();
  }

  static int count(ResultSet r) throws SQLException {
    int n = 0;
    while (r.next()) n++;
    return n;
  }

  static void metadata(Connection c) throws SQLException {
    DatabaseMetaData m = c.getMetaData();
    check(m.getDatabaseProductVersion().startsWith("8.0."), "version " + m.getDatabaseProductVersion());
    check(count(m.getTables("dynamodb", null, "%", new String[] {"TABLE"})) == 3, "getTables");
    ResultSet r = m.getColumns("dynamodb", null, "customers", "vip");
    check(r.next() && r.getInt("DATA_TYPE") == Types.BIT, "vip is no BIT");
    r = m.getColumns("dynamodb", null, "orders", "%");
    check(r.next() && r.getString("COLUMN_NAME").equals("customer"), "getColumns");
    check(count(m.getPrimaryKeys("dynamodb", null, "orders")) == 2, "getPrimaryKeys");
    check(count(m.getIndexInfo("dynamodb", null, "orders", false, true)) == 4, "getIndexInfo");
    check(count(m.getImportedKeys("dynamodb", null, "orders")) == 0, "getImportedKeys");
    check(count(m.getExportedKeys("dynamodb", null, "orders")) == 0, "getExportedKeys");
    check(count(m.getCatalogs()) >= 1, "getCatalogs");
    count(m.getSchemas());
    count(m.getTableTypes());
    count(m.getTypeInfo());
    count(m.getProcedures("dynamodb", null, "%"));
    count(m.getFunctions("dynamodb", null, "%"));
    count(m.getBestRowIdentifier("dynamodb", null, "orders", DatabaseMetaData.bestRowSession, true));
    count(m.getVersionColumns("dynamodb", null, "orders"));
    count(m.getTablePrivileges("dynamodb", null, "orders"));
    count(m.getColumnPrivileges("dynamodb", null, "orders", "%"));
    count(m.getCrossReference("dynamodb", null, "orders", "dynamodb", null, "customers"));
    try (Statement s = c.createStatement()) {
      r = s.executeQuery("SELECT vip, credit, name FROM customers WHERE id = 'c1'");
      check(r.next() && Boolean.TRUE.equals(r.getObject(1)), "vip is " + r.getObject(1).getClass());
      check(r.getBigDecimal(2).compareTo(new java.math.BigDecimal("10.5")) == 0, "credit");
    }
  }

  static void previews(Connection c) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.setMaxRows(3);
      check(count(s.executeQuery("SELECT * FROM orders")) == 3, "setMaxRows");
      s.setMaxRows(0);
      check(count(s.executeQuery("SELECT * FROM orders")) == 15, "setMaxRows(0)");
    }
    try (PreparedStatement s = c.prepareStatement("SELECT number FROM orders", ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      s.setFetchSize(2);
      check(count(s.executeQuery()) == 15, "setFetchSize");
    }
  }

  static void cancels(Connection c) throws Exception {
    try (Statement s = c.createStatement()) {
      s.setQueryTimeout(1);
      try {
        s.executeQuery("SELECT SLEEP(20)").next();
        check(false, "setQueryTimeout");
      } catch (SQLException e) {
        check(e.getErrorCode() == 1317 || e instanceof SQLTimeoutException, "timeout ended with " + e);
      }
    }
    check(c.isValid(5), "isValid");
  }
}
