// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** The identity of an index: job and number from 0; a job that is not an array has only index 0. */
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
