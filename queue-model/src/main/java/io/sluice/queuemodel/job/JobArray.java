// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * How many indices a job has; each is admitted, run and retried on its own.
 *
 * @param count at least 1; 1: the job is no array
 * @param maxParallel most indices that hold quota at once, at least 1
 * @param numbers the numbers that programs are told in place of 0 to {@code count - 1}, in their
 *     order; null: the indices themselves
 */
public record JobArray(int count, int maxParallel, @Nullable IndexRanges numbers) {
  public static final JobArray SINGLE = new JobArray(1, 1);

  public JobArray {
    if (count < 1 || maxParallel < 1) {
      throw new InvalidValueException("count and maxParallel of an array must be at least 1");
    }
    if (numbers != null && numbers.size() != count) {
      throw new InvalidValueException(
          "an array of %d indices must have as many numbers, it has %d"
              .formatted(count, numbers.size()));
    }
  }

  /** An array whose programs are told the indices themselves. */
  public JobArray(int count, int maxParallel) {
    this(count, maxParallel, null);
  }

  public boolean single() {
    return count == 1;
  }

  /** The array as the engine counts it, which knows nothing of other numbers. */
  public JobArray counted() {
    return numbers == null ? this : new JobArray(count, maxParallel);
  }

  /** The number that the program of an index is told. */
  public int number(int index) {
    return numbers == null ? index : numbers.at(index);
  }
}
