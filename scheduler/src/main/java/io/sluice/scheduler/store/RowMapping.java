// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of values to rows of a table: the name, type and value of each column, described
 * once. It generates statements for any number of rows; their parameters are the columns in the
 * order in which they were described.
 */
public final class RowMapping<T> {
  /** The statements that write a column. */
  private enum Role {
    /** Part of the key; identifies the row. */
    KEY,
    /** Written with a new row and never changed. */
    FIXED,
    /** Written with each change. */
    CHANGING
  }

  /**
   * One column.
   *
   * @param element PostgreSQL's name of the type in which values are sent
   * @param cast from that type to the column's; empty: they are the same
   */
  private record Column<T>(
      String name, String element, String cast, Role role, Function<T, @Nullable Object> value) {
    String parameter() {
      return "?::" + element + "[]";
    }

    String cast(String from) {
      return from + name + cast;
    }
  }

  private final String table;
  private final List<Column<T>> columns = new ArrayList<>();
  private Role next = Role.KEY;

  /** A mapping without columns; the columns described first are the key. */
  public RowMapping(String table) {
    this.table = table;
  }

  /** Begins the columns that are written with a new row and never changed. */
  public RowMapping<T> fixed() {
    next = Role.FIXED;
    return this;
  }

  /** Begins the columns that are written with each change. */
  public RowMapping<T> changing() {
    next = Role.CHANGING;
    return this;
  }

  private RowMapping<T> column(
      String name, String element, String cast, Function<T, @Nullable Object> value) {
    columns.add(new Column<>(name, element, cast, next, value));
    return this;
  }

  public RowMapping<T> uuid(String name, Function<T, @Nullable Object> value) {
    return column(name, "uuid", "", value);
  }

  public RowMapping<T> text(String name, Function<T, @Nullable Object> value) {
    return column(name, "text", "", value);
  }

  public RowMapping<T> integer(String name, Function<T, @Nullable Object> value) {
    return column(name, "int4", "", value);
  }

  public RowMapping<T> bool(String name, Function<T, @Nullable Object> value) {
    return column(name, "bool", "", value);
  }

  /** A column whose values are sent as text. */
  public RowMapping<T> written(String type, String name, Function<T, @Nullable Object> value) {
    return column(name, "text", "::" + type, value);
  }

  /** A time; sent as text, which keeps microseconds and the zone. */
  public RowMapping<T> time(String name, Function<T, @Nullable Instant> value) {
    return written(
        "timestamptz",
        name,
        row -> {
          Instant time = value.apply(row);
          return time == null ? null : time.toString();
        });
  }

  /** A JSON column; null where the value is null. */
  public RowMapping<T> json(String name, Function<T, @Nullable Object> value) {
    return written(
        "jsonb",
        name,
        row -> {
          Object document = value.apply(row);
          return document == null ? null : JournalJson.write(document);
        });
  }

  /**
   * An UPDATE of existing rows.
   *
   * @param more further assignments, as SQL; their parameters come before those of the columns
   */
  public String update(String... more) {
    List<String> assignments = new ArrayList<>(List.of(more));
    assignments.add(list(Role.CHANGING::equals, one -> one.name() + " = " + one.cast("u.")));
    return "UPDATE %s SET %s FROM %s WHERE %s"
        .formatted(
            table,
            String.join(", ", assignments),
            rows(),
            columns.stream()
                .filter(one -> one.role() == Role.KEY)
                .map(one -> table + "." + one.name() + " = u." + one.name())
                .collect(Collectors.joining(" AND ")));
  }

  /** An INSERT of new rows. */
  public String insert() {
    return "INSERT INTO %s (%s) SELECT %s FROM %s"
        .formatted(
            table, list(any -> true, Column::name), list(any -> true, one -> one.cast("")), rows());
  }

  private String rows() {
    return "unnest(%s) AS u (%s)"
        .formatted(list(any -> true, Column::parameter), list(any -> true, Column::name));
  }

  private String list(Predicate<Role> wanted, Function<Column<T>, String> text) {
    return columns.stream()
        .filter(column -> wanted.test(column.role()))
        .map(text)
        .collect(Collectors.joining(", "));
  }

  /**
   * Binds rows to a statement.
   *
   * @param first number of the parameter for the first column
   * @return number of the parameter after the last column
   */
  public int bind(Connection connection, PreparedStatement statement, int first, Collection<T> rows)
      throws SQLException {
    Columns<T> binding = new Columns<>(connection, statement, first, rows);
    for (Column<T> column : columns) {
      binding.column(column.element(), column.value());
    }
    return first + columns.size();
  }
}
