// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Formats rows in aligned columns, as kubectl does. */
public final class TextTable {
  private static final int GAP = 3;
  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");

  private final List<String> headers = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... headers) {
    this.headers.addAll(List.of(headers));
  }

  public void add(String... cells) {
    rows.add(new ArrayList<>(List.of(cells)));
  }

  /**
   * Adds a column at the right.
   *
   * @param cells one for each row
   * @throws IllegalArgumentException if there is another number of rows
   */
  public void addColumn(String header, List<String> cells) {
    if (cells.size() != rows.size()) {
      throw new IllegalArgumentException(
          "%d cells for %d rows of column %s".formatted(cells.size(), rows.size(), header));
    }
    headers.add(header);
    for (int row = 0; row < rows.size(); row++) {
      rows.get(row).add(cells.get(row));
    }
  }

  public int size() {
    return rows.size();
  }

  /** Returns one line per row, the headers first; the last column is not padded. */
  public List<String> lines() {
    return lines(new int[headers.size()]);
  }

  /**
   * Returns the lines with columns of at least these widths, so that tables can follow each other.
   *
   * @param widths of each column in characters; set to the widths used
   * @throws IllegalArgumentException if there is another number of columns
   */
  public List<String> lines(int[] widths) {
    if (widths.length != headers.size()) {
      throw new IllegalArgumentException(
          "%d widths for %d columns".formatted(widths.length, headers.size()));
    }
    measure(headers, widths);
    rows.forEach(row -> measure(row, widths));
    List<String> lines = new ArrayList<>();
    lines.add(line(headers, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  /** Returns the number of columns. */
  public int columns() {
    return headers.size();
  }

  /** Returns the cells of all rows, one row after another, without the columns of some headers. */
  public List<String> cellsWithout(Set<String> left) {
    List<String> cells = new ArrayList<>();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        if (!left.contains(headers.get(column))) {
          cells.add(row.get(column));
        }
      }
    }
    return cells;
  }

  private static void measure(List<String> row, int[] widths) {
    for (int column = 0; column < row.size(); column++) {
      widths[column] = Math.max(widths[column], width(row.get(column)));
    }
  }

  /** Returns the width of a cell without its colour codes. */
  private static int width(String cell) {
    return STYLE.matcher(cell).replaceAll("").length();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      line.append(cell);
      if (column < row.size() - 1) {
        line.append(" ".repeat(widths[column] - width(cell) + GAP));
      }
    }
    return line.toString().stripTrailing();
  }
}
