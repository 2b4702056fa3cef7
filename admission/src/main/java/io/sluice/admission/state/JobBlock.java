// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Some jobs that stand one behind the other in a queue, in order, with what they ask for at the
 * least. The first has the highest priority.
 */
final class JobBlock {
  /** As many as are shifted in about the time that it takes to find one of them. */
  private static final int SIZE_MAX = 128;

  private static final int SIZE_FIRST = 4;

  private JobEntry[] jobs = new JobEntry[SIZE_FIRST];
  private long[][] demands = new long[SIZE_FIRST][];
  private int size;
  private long[] least = {};

  int size() {
    return size;
  }

  boolean full() {
    return size == SIZE_MAX;
  }

  /** The first; only if there is one. */
  JobEntry first() {
    return jobs[0];
  }

  /** How many of them stand before a job, whether it is among them or not. */
  int placeOf(JobEntry job) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (jobs[middle].compareTo(job) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void forEach(Consumer<JobEntry> action) {
    for (int at = 0; at < size; at++) {
      action.accept(jobs[at]);
    }
  }

  /** The first of which something may come; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    if (size > 0 && prospect.allows(least, jobs[0].priority())) {
      for (int at = 0; at < size; at++) {
        if (prospect.allows(demands[at], jobs[at].priority())) {
          return jobs[at];
        }
      }
    }
    return null;
  }

  /**
   * Adds a job that is not there; only if it is not full.
   *
   * @param demand what a prospect is asked for
   */
  void add(JobEntry job, long[] demand) {
    if (size == jobs.length) {
      resize(Math.min(2 * size, SIZE_MAX));
    }
    int place = placeOf(job);
    System.arraycopy(jobs, place, jobs, place + 1, size - place);
    System.arraycopy(demands, place, demands, place + 1, size - place);
    jobs[place] = job;
    demands[place] = demand;
    size++;
    least = size == 1 ? demand : least(least, demand);
  }

  /** Takes a job out; false if it is not there. */
  boolean remove(JobEntry job) {
    int place = placeOf(job);
    if (place == size || !jobs[place].equals(job)) {
      return false;
    }
    long[] demand = demands[place];
    size--;
    System.arraycopy(jobs, place + 1, jobs, place, size - place);
    System.arraycopy(demands, place + 1, demands, place, size - place);
    forgetFrom(size, size + 1);
    if (isLeast(demand)) {
      sumAll();
    }
    return true;
  }

  /** Takes out the upper half, as a block of its own. */
  JobBlock split() {
    int left = size / 2;
    JobBlock upper = new JobBlock();
    upper.resize(SIZE_MAX);
    upper.size = size - left;
    System.arraycopy(jobs, left, upper.jobs, 0, upper.size);
    System.arraycopy(demands, left, upper.demands, 0, upper.size);
    forgetFrom(left, size);
    size = left;
    sumAll();
    upper.sumAll();
    return upper;
  }

  /**
   * Takes in all of the next block, if both fill half of one at most.
   *
   * @return whether it did
   */
  boolean joins(JobBlock next) {
    int both = size + next.size;
    if (both > SIZE_MAX / 2) {
      return false;
    }
    if (both > jobs.length) {
      resize(both);
    }
    System.arraycopy(next.jobs, 0, jobs, size, next.size);
    System.arraycopy(next.demands, 0, demands, size, next.size);
    size = both;
    sumAll();
    return true;
  }

  private void resize(int length) {
    jobs = Arrays.copyOf(jobs, length);
    demands = Arrays.copyOf(demands, length);
  }

  /** Lets go of what is no longer in it. */
  private void forgetFrom(int from, int to) {
    Arrays.fill(jobs, from, to, null);
    Arrays.fill(demands, from, to, null);
  }

  /** Whether nobody asks for less of some resource. */
  private boolean isLeast(long[] demand) {
    for (int at = 0; at < least.length; at++) {
      if (demand[at] <= least[at]) {
        return true;
      }
    }
    return false;
  }

  private void sumAll() {
    least = size == 0 ? least : demands[0];
    for (int at = 1; at < size; at++) {
      least = least(least, demands[at]);
    }
  }

  /** Of each resource the lesser demand; a resource that one does not name it does not ask for. */
  private static long[] least(long[] one, long[] other) {
    int length = Math.min(one.length, other.length);
    boolean same = one.length == length;
    for (int at = 0; same && at < length; at++) {
      same = one[at] <= other[at];
    }
    if (same) {
      return one;
    }
    long[] least = Arrays.copyOf(one, length);
    for (int at = 0; at < length; at++) {
      least[at] = Math.min(least[at], other[at]);
    }
    return least;
  }
}
