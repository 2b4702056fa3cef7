// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;

/**
 * How many indices a job has; each is admitted, run and retried on its own.
 *
 * @param count at least 1; 1: the job is no array
 * @param maxParallel most indices that hold quota at once, at least 1
 */
public record JobArray(int count, int maxParallel) {
  public static final JobArray SINGLE = new JobArray(1, 1);

  public JobArray {
    if (count < 1 || maxParallel < 1) {
      throw new InvalidValueException("count and maxParallel of an array must be at least 1");
    }
  }

  public boolean single() {
    return count == 1;
  }
}
