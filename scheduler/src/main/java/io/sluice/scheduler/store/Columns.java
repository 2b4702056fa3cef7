// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Rows bound to a statement as arrays, one for each column, for {@code unnest}: one statement and
 * one round trip for any number of rows.
 */
public final class Columns<T> {
  private final Connection connection;
  private final PreparedStatement statement;
  private final Collection<T> rows;
  private int parameter;

  /**
   * Binds arrays from the given parameter on.
   *
   * @param first number of the parameter for the first column
   */
  public Columns(
      Connection connection, PreparedStatement statement, int first, Collection<T> rows) {
    this.connection = connection;
    this.statement = statement;
    this.rows = rows;
    this.parameter = first;
  }

  /** Binds the next column; {@code type} is PostgreSQL's name of its elements. */
  public Columns<T> column(String type, Function<T, @Nullable Object> value) throws SQLException {
    @Nullable Object[] values = elements(type, rows.size());
    int at = 0;
    for (T row : rows) {
      values[at] = value.apply(row);
      at++;
    }
    statement.setArray(parameter, connection.createArrayOf(type, values));
    parameter++;
    return this;
  }

  /**
   * An empty array of the class whose arrays the driver sends in binary form. Others it writes as
   * text, which each side then reads character by character.
   */
  private static @Nullable Object[] elements(String type, int size) {
    return switch (type) {
      case "text" -> new String[size];
      case "int4" -> new Integer[size];
      case "int8" -> new Long[size];
      case "bool" -> new Boolean[size];
      default -> new Object[size];
    };
  }

  public Columns<T> text(Function<T, @Nullable Object> value) throws SQLException {
    return column("text", value);
  }

  public Columns<T> uuid(Function<T, @Nullable Object> value) throws SQLException {
    return column("uuid", value);
  }

  public Columns<T> integer(Function<T, @Nullable Object> value) throws SQLException {
    return column("int4", value);
  }

  public Columns<T> bigint(Function<T, @Nullable Object> value) throws SQLException {
    return column("int8", value);
  }

  public Columns<T> bool(Function<T, @Nullable Object> value) throws SQLException {
    return column("bool", value);
  }

  /** Binds times as text, which keeps microseconds and the zone. */
  public Columns<T> time(Function<T, @Nullable Instant> value) throws SQLException {
    return column(
        "text",
        row -> {
          Instant time = value.apply(row);
          return time == null ? null : time.toString();
        });
  }

  /** The elements of a column of text arrays. */
  public static List<String> texts(ResultSet row, String column) throws SQLException {
    return List.of((String[]) row.getArray(column).getArray());
  }

  /** An array as one text, because unnest flattens nested arrays. */
  public static String array(List<String> values) {
    StringBuilder array = new StringBuilder("{");
    for (String value : values) {
      array.append(array.length() == 1 ? "\"" : ",\"");
      array.append(value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    }
    return array.append('}').toString();
  }

  public static void setTime(PreparedStatement statement, int parameter, Instant time)
      throws SQLException {
    statement.setTimestamp(parameter, Timestamp.from(time));
  }

  public static Instant time(ResultSet row, String column) throws SQLException {
    return row.getTimestamp(column).toInstant();
  }

  public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    Timestamp time = row.getTimestamp(column);
    return time == null ? null : time.toInstant();
  }

  /** Lets PostgreSQL plan a statement at each execution, for tables as large as they are then. */
  public static void planEachTime(PreparedStatement statement) throws SQLException {
    statement.unwrap(PGStatement.class).setPrepareThreshold(0);
  }

  /** Reads one row. */
  public interface RowReader<R> {
    R read(ResultSet row) throws SQLException;
  }

  public static <R> List<R> readAll(PreparedStatement statement, RowReader<R> reader)
      throws SQLException {
    List<R> all = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        all.add(reader.read(rows));
      }
    }
    return all;
  }
}
