// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.WorkloadShape;
import java.util.Objects;
import java.util.TreeMap;

/** Numbers for the shapes that are in use; a shape that no job has any more is forgotten. */
final class Shapes {
  private static final class Known {
    final int number;
    int jobs;

    Known(int number) {
      this.number = number;
    }
  }

  private final TreeMap<String, Known> shapes = new TreeMap<>();
  private int nextNumber;

  int acquire(WorkloadShape shape) {
    Known known = shapes.computeIfAbsent(shape.canonical(), absent -> new Known(nextNumber++));
    known.jobs++;
    return known.number;
  }

  void release(WorkloadShape shape) {
    String canonical = shape.canonical();
    Known known = Objects.requireNonNull(shapes.get(canonical), canonical);
    if (--known.jobs == 0) {
      shapes.remove(canonical);
    }
  }
}
