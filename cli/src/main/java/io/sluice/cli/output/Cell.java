// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import org.jspecify.annotations.Nullable;

/** Formats a value that may be absent as a cell of a table. */
public final class Cell {
  private Cell() {}

  /** Returns the value as text; a dash if it is absent. */
  public static String orDash(@Nullable Object value) {
    return or(value, "-");
  }

  /** Returns the value as text; empty if it is absent. */
  public static String orEmpty(@Nullable Object value) {
    return or(value, "");
  }

  /**
   * Returns a job as namespace and name; both are absent for a job that the caller may not read.
   */
  public static String job(@Nullable String namespace, @Nullable String name) {
    return namespace == null || name == null ? "(not readable)" : namespace + "/" + name;
  }

  /** Returns the value as text, or another text if it is absent. */
  public static String or(@Nullable Object value, String otherwise) {
    return value == null ? otherwise : value.toString();
  }
}
