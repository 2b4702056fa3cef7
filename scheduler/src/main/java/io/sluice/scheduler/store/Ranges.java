// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.IndexRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Index ranges as PostgreSQL's {@code int4multirange}: {@code {[0,4),[7,8)}}. */
public final class Ranges {
  private static final String EMPTY = "{}";
  private static final Pattern RANGE = Pattern.compile("\\[(\\d+),(\\d+)\\)");

  private Ranges() {}

  public static String write(IndexRanges ranges) {
    StringJoiner text = new StringJoiner(",", "{", "}");
    for (IndexRanges.Range range : ranges.ranges()) {
      text.add("[" + range.first() + "," + (range.last() + 1) + ")");
    }
    return text.toString();
  }

  public static IndexRanges read(String text) {
    if (text.equals(EMPTY)) {
      return IndexRanges.NONE;
    }
    List<IndexRanges.Range> ranges = new ArrayList<>();
    Matcher matcher = RANGE.matcher(text);
    while (matcher.find()) {
      ranges.add(
          new IndexRanges.Range(
              Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)) - 1));
    }
    return new IndexRanges(ranges);
  }
}
