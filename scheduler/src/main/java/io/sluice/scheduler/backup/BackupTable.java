// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table of the schema, with the columns that a backup contains: all but generated ones.
 *
 * @param identity the column whose values come from a sequence; empty if there is none
 */
record BackupTable(String name, List<String> columns, String identity) {
  /** Only migrations write this table, and a restore runs them itself. */
  private static final String FLYWAY = "flyway_schema_history";

  private static final String TABLES =
      """
      SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
        coalesce(max(a.attname::text) FILTER (WHERE a.attidentity <> ''), '') AS identity
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname
      ORDER BY c.relname
      """;

  private static final String REFERENCES =
      """
      SELECT child.relname AS child, parent.relname AS parent
      FROM pg_constraint k
      JOIN pg_class child ON child.oid = k.conrelid
      JOIN pg_class parent ON parent.oid = k.confrelid
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
        AND k.conrelid <> k.confrelid
      """;

  /** A table of the archive: the rows of a month. */
  private static final Pattern ARCHIVE_MONTH =
      Pattern.compile("archived_\\w+_(\\d{4})_(0[1-9]|1[0-2])");

  BackupTable {
    columns = List.copyOf(columns);
  }

  /** All tables, each after the tables that its foreign keys refer to. */
  static List<BackupTable> inOrder(Connection connection) throws SQLException {
    TreeMap<String, BackupTable> tables = new TreeMap<>();
    try (PreparedStatement select = connection.prepareStatement(TABLES);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        String name = rows.getString("relname");
        String[] columns = (String[]) rows.getArray("columns").getArray();
        if (!name.equals(FLYWAY)) {
          tables.put(
              name, new BackupTable(name, Arrays.asList(columns), rows.getString("identity")));
        }
      }
    }
    TreeMap<String, Set<String>> parents = new TreeMap<>();
    tables.keySet().forEach(name -> parents.put(name, new TreeSet<>()));
    try (PreparedStatement select = connection.prepareStatement(REFERENCES);
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        Set<String> known = parents.get(rows.getString("child"));
        if (known != null) {
          known.add(rows.getString("parent"));
        }
      }
    }
    return sorted(tables, parents);
  }

  /** Topological sort; ties are ordered by name. */
  private static List<BackupTable> sorted(
      TreeMap<String, BackupTable> tables, TreeMap<String, Set<String>> parents) {
    List<BackupTable> sorted = new ArrayList<>();
    while (!parents.isEmpty()) {
      int before = sorted.size();
      Iterator<String> names = parents.keySet().iterator();
      while (names.hasNext()) {
        String name = names.next();
        BackupTable table = tables.get(name);
        if (table != null && parents.getOrDefault(name, Set.of()).isEmpty()) {
          sorted.add(table);
          names.remove();
        }
      }
      if (sorted.size() == before) {
        throw new BackupException("tables refer to each other in a circle: " + parents.keySet());
      }
      for (BackupTable done : sorted.subList(before, sorted.size())) {
        parents.values().forEach(left -> left.remove(done.name()));
      }
    }
    return sorted;
  }

  /** The first day of the month whose rows of the archive it has; null: it is no such table. */
  @Nullable LocalDate archiveMonth() {
    Matcher matcher = ARCHIVE_MONTH.matcher(name);
    return matcher.matches()
        ? LocalDate.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), 1)
        : null;
  }

  /** The name as SQL. */
  String quoted() {
    return identifier(name);
  }

  String copyOut() {
    return "COPY " + quoted() + " (" + columnList() + ") TO STDOUT";
  }

  String copyIn() {
    return "COPY " + quoted() + " (" + columnList() + ") FROM STDIN";
  }

  private String columnList() {
    return String.join(", ", columns.stream().map(BackupTable::identifier).toList());
  }

  private static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
