// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/**
 * The identity of an attempt: job, index and number from 1.
 *
 * @param attempt numbered from 1
 */
public record AttemptKey(JobId job, int index, int attempt) implements Comparable<AttemptKey> {
  public IndexKey indexKey() {
    return new IndexKey(job, index);
  }

  @Override
  public int compareTo(AttemptKey other) {
    int byJob = job.compareTo(other.job);
    int byIndex = byJob != 0 ? byJob : Integer.compare(index, other.index);
    return byIndex != 0 ? byIndex : Integer.compare(attempt, other.attempt);
  }

  @Override
  public String toString() {
    return job + "[" + index + "]#" + attempt;
  }
}
