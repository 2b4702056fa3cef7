// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** Lazy k-way merge of sorted iterators of jobs. */
final class InOrder implements Iterator<JobEntry> {
  private record Line(JobEntry first, Iterator<JobEntry> rest) {}

  private final PriorityQueue<Line> lines;

  InOrder(List<Iterator<JobEntry>> lines, Comparator<JobEntry> order) {
    this.lines = new PriorityQueue<>(Comparator.comparing(Line::first, order));
    lines.forEach(this::add);
  }

  private void add(Iterator<JobEntry> line) {
    if (line.hasNext()) {
      lines.add(new Line(line.next(), line));
    }
  }

  @Override
  public boolean hasNext() {
    return !lines.isEmpty();
  }

  @Override
  public JobEntry next() {
    Line line = lines.remove();
    add(line.rest());
    return line.first();
  }
}
