// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Prospect;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sorted array of consecutive jobs of a queue, with their demands. The first job has the highest
 * priority.
 */
final class JobBlock {
  /** Capacity: about as many jobs as can be shifted in the time of one search. */
  private static final int SIZE_MAX = 128;

  private static final int SIZE_FIRST = 4;

  private JobEntry[] jobs = new JobEntry[SIZE_FIRST];

  /** The sort keys of the jobs, so that a search reads few jobs. */
  private long[] orders = new long[SIZE_FIRST];

  /** How long the attempts of the jobs would stay. */
  private long[] stays = new long[SIZE_FIRST];

  /** Whether the jobs get exactly their demands, by quota alone. */
  private boolean[] ofQuotaAlone = new boolean[SIZE_FIRST];

  private long leastStay;

  /** The demands of the jobs, one row of {@link #resources} amounts for each. */
  private long[] demands = {};

  /** The smallest demand of each resource. */
  private long[] least = {};

  private int resources;
  private int size;

  int size() {
    return size;
  }

  boolean full() {
    return size == SIZE_MAX;
  }

  /** Returns the first job. Requires a non-empty block. */
  JobEntry first() {
    return jobs[0];
  }

  /** Returns the last job. Requires a non-empty block. */
  JobEntry last() {
    return jobs[size - 1];
  }

  /** Returns the last job before a job, which need not be in the block; null if there is none. */
  @Nullable JobEntry lastBefore(JobEntry job) {
    int place = placeOf(job);
    return place == 0 ? null : jobs[place - 1];
  }

  boolean contains(JobEntry job) {
    int place = placeOf(job);
    return place < size && jobs[place].equals(job);
  }

  /** Returns the number of jobs before a job, which need not be in the block. */
  int placeOf(JobEntry job) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(middle, job)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns whether the job at a position precedes a job. */
  private boolean isBefore(int at, JobEntry job) {
    return orders[at] == job.order() ? jobs[at].compareTo(job) < 0 : orders[at] < job.order();
  }

  /** Returns whether its first job follows a job. */
  boolean beginsBehind(JobEntry job) {
    return !isBefore(0, job) && !jobs[0].equals(job);
  }

  Stream<JobEntry> stream() {
    return Arrays.stream(jobs, 0, size);
  }

  void forEach(Consumer<JobEntry> action) {
    for (int at = 0; at < size; at++) {
      action.accept(jobs[at]);
    }
  }

  /** Returns the number of jobs at or before a place. */
  private int countUpTo(QueuePlace place) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (place.isBefore(jobs[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns the first job behind a place that the prospect allows; null if there is none.
   *
   * @param place null to search from the start
   */
  @Nullable JobEntry firstBehind(@Nullable QueuePlace place, Prospect prospect) {
    if (size == 0 || !prospect.allowsAny(least, 0, resources, leastStay, jobs[0].priority())) {
      return null;
    }
    // Mostly equal for all, so that no job has to be read for its priority.
    Prospect.Eviction first = prospect.eviction(jobs[0].priority());
    boolean alike =
        Objects.equals(first, prospect.eviction(jobs[size - 1].priority()))
            && !prospect.hasWindows();
    for (int at = place == null ? 0 : countUpTo(place); at < size; at++) {
      int priority = alike ? 0 : jobs[at].priority();
      if (mayGet(at, prospect, priority, alike ? first : prospect.eviction(priority))) {
        return jobs[at];
      }
    }
    return null;
  }

  private boolean mayGet(
      int at, Prospect prospect, int priority, Prospect.@Nullable Eviction eviction) {
    int from = at * resources;
    return prospect.allows(demands, from, resources, stays[at], priority, eviction)
        && !(ofQuotaAlone[at] && prospect.onlyWaits(demands, from, resources));
  }

  /** Lowers amounts to the smallest demands, by number of resource from an offset. */
  void lowerToLeast(long[] amounts, int from, int wanted) {
    for (int resource = 0; resource < wanted; resource++) {
      long its = resource < resources ? least[resource] : 0;
      amounts[from + resource] = Math.min(amounts[from + resource], its);
    }
  }

  /**
   * Adds a job that is not in the block. Requires that the block is not full.
   *
   * @param demand demands by number of resource; zero for resources beyond its length
   * @param stay how long its attempt would stay, in microseconds
   */
  void add(JobEntry job, long[] demand, long stay) {
    if (size == jobs.length || demand.length > resources) {
      arrange(
          size == jobs.length ? Math.min(2 * size, SIZE_MAX) : jobs.length,
          Math.max(resources, demand.length));
    }
    int place = placeOf(job);
    move(place, this, place + 1, size - place);
    jobs[place] = job;
    orders[place] = job.order();
    stays[place] = stay;
    ofQuotaAlone[place] = job.ofQuotaAlone();
    Arrays.fill(demands, place * resources, (place + 1) * resources, 0);
    System.arraycopy(demand, 0, demands, place * resources, demand.length);
    size++;
    lower(place, size == 1);
  }

  /** Removes a job; returns false if it is not in the block. */
  boolean remove(JobEntry job) {
    int place = placeOf(job);
    if (place == size || !jobs[place].equals(job)) {
      return false;
    }
    boolean wasLeast = isLeast(place);
    move(place + 1, this, place, size - place - 1);
    size--;
    Arrays.fill(jobs, size, size + 1, null);
    if (wasLeast) {
      lowerAll();
    }
    return true;
  }

  /** Moves the upper half of the jobs into a new block. */
  JobBlock split() {
    int left = size / 2;
    JobBlock upper = new JobBlock();
    upper.arrange(SIZE_MAX, resources);
    upper.size = size - left;
    move(left, upper, 0, upper.size);
    Arrays.fill(jobs, left, size, null);
    size = left;
    lowerAll();
    upper.lowerAll();
    return upper;
  }

  /**
   * Merges the next block into this one, if both together fill at most half a block.
   *
   * @return whether it merged
   */
  boolean joins(JobBlock next) {
    int both = size + next.size;
    if (both > SIZE_MAX / 2) {
      return false;
    }
    int most = Math.max(resources, next.resources);
    arrange(Math.max(both, jobs.length), most);
    next.arrange(next.jobs.length, most);
    next.move(0, this, size, next.size);
    size = both;
    lowerAll();
    return true;
  }

  /** Resizes the arrays to a number of jobs and a number of resources. */
  private void arrange(int length, int wanted) {
    jobs = Arrays.copyOf(jobs, length);
    orders = Arrays.copyOf(orders, length);
    stays = Arrays.copyOf(stays, length);
    ofQuotaAlone = Arrays.copyOf(ofQuotaAlone, length);
    long[] wider = new long[length * wanted];
    for (int at = 0; at < size; at++) {
      System.arraycopy(demands, at * resources, wider, at * wanted, resources);
    }
    demands = wider;
    least = Arrays.copyOf(least, wanted);
    resources = wanted;
  }

  private void move(int from, JobBlock into, int to, int count) {
    System.arraycopy(jobs, from, into.jobs, to, count);
    System.arraycopy(orders, from, into.orders, to, count);
    System.arraycopy(stays, from, into.stays, to, count);
    System.arraycopy(ofQuotaAlone, from, into.ofQuotaAlone, to, count);
    System.arraycopy(demands, from * resources, into.demands, to * resources, count * resources);
  }

  /** Returns whether the job at a position has the smallest demand of some resource, or stay. */
  private boolean isLeast(int place) {
    if (stays[place] <= leastStay) {
      return true;
    }
    for (int resource = 0; resource < resources; resource++) {
      if (demands[place * resources + resource] <= least[resource]) {
        return true;
      }
    }
    return false;
  }

  /** Lowers the smallest demands and the shortest stay by those at a position. */
  private void lower(int place, boolean first) {
    leastStay = first ? stays[place] : Math.min(leastStay, stays[place]);
    for (int resource = 0; resource < resources; resource++) {
      long demand = demands[place * resources + resource];
      least[resource] = first ? demand : Math.min(least[resource], demand);
    }
  }

  private void lowerAll() {
    for (int at = 0; at < size; at++) {
      lower(at, at == 0);
    }
  }
}
