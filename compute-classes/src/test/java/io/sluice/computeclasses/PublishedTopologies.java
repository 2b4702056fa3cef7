// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What the published tables say of every slice, from {@code topologies.txt}. */
final class PublishedTopologies {
  private static final String TABLES = "topologies.txt";

  private PublishedTopologies() {}

  /**
   * One slice.
   *
   * @param type short name of the accelerator
   */
  record Row(String type, String gkeLabel, String machine, int chipsPerHost, Size size) {}

  /** How large the slice is said to be. */
  record Size(String topology, long chips, int hosts) {}

  static Stream<Row> rows() {
    List<Row> rows = new ArrayList<>();
    String[] heading = {};
    for (String line : text().lines().toList()) {
      if (line.startsWith("  ")) {
        for (String size : line.strip().split(" ", -1)) {
          String[] part = size.split("[=/]", -1);
          rows.add(
              new Row(
                  heading[0],
                  heading[1],
                  heading[2],
                  Integer.parseInt(heading[3]),
                  new Size(part[0], Long.parseLong(part[1]), Integer.parseInt(part[2]))));
        }
      } else if (!line.isBlank() && !line.startsWith("#")) {
        heading = line.split(" ", -1);
      }
    }
    return rows.stream();
  }

  private static String text() {
    try (InputStream tables =
        Objects.requireNonNull(PublishedTopologies.class.getResourceAsStream(TABLES))) {
      return new String(tables.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
