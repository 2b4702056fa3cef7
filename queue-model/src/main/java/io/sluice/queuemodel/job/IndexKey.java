// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** Which index of a job; a job that is no array has the index 0 only. */
public record IndexKey(JobId job, int index) implements Comparable<IndexKey> {
  @Override
  public int compareTo(IndexKey other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return job + "[" + index + "]";
  }
}
