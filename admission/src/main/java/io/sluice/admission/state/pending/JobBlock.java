// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Prospect;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

  /** Their orders, so that a search looks at few jobs. */
  private long[] orders = new long[SIZE_FIRST];

  /** What they ask for, one after the other, each of {@link #resources} resources. */
  private long[] demands = {};

  /** Of each resource the least demand. */
  private long[] least = {};

  private int resources;
  private int size;

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

  /** The last; only if there is one. */
  JobEntry last() {
    return jobs[size - 1];
  }

  /** The last that stands before a job, whether that is among them or not; null if none does. */
  @Nullable JobEntry lastBefore(JobEntry job) {
    int place = placeOf(job);
    return place == 0 ? null : jobs[place - 1];
  }

  boolean contains(JobEntry job) {
    int place = placeOf(job);
    return place < size && jobs[place].equals(job);
  }

  /** How many of them stand before a job, whether it is among them or not. */
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

  /** Whether one of them stands before a job. */
  private boolean isBefore(int at, JobEntry job) {
    return orders[at] == job.order() ? jobs[at].compareTo(job) < 0 : orders[at] < job.order();
  }

  /** Whether its first stands behind a job. */
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

  /** How many of them stand before a place, or at it. */
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
   * The first behind a place of which something may come; null if there is none.
   *
   * @param place null: the first of all
   */
  @Nullable JobEntry firstBehind(@Nullable QueuePlace place, Prospect prospect) {
    if (size > 0 && prospect.allows(least, 0, resources, jobs[0].priority())) {
      for (int at = place == null ? 0 : countUpTo(place); at < size; at++) {
        if (prospect.allows(demands, at * resources, resources, jobs[at].priority())) {
          return jobs[at];
        }
      }
    }
    return null;
  }

  /** Lowers amounts, from a place on by number of resource, to the least that is asked for. */
  void lowerToLeast(long[] amounts, int from, int wanted) {
    for (int resource = 0; resource < wanted; resource++) {
      long its = resource < resources ? least[resource] : 0;
      amounts[from + resource] = Math.min(amounts[from + resource], its);
    }
  }

  /**
   * Adds a job that is not there; only if it is not full.
   *
   * @param demand by number of resource; nothing is asked of those beyond it
   */
  void add(JobEntry job, long[] demand) {
    if (size == jobs.length || demand.length > resources) {
      arrange(
          size == jobs.length ? Math.min(2 * size, SIZE_MAX) : jobs.length,
          Math.max(resources, demand.length));
    }
    int place = placeOf(job);
    move(place, this, place + 1, size - place);
    jobs[place] = job;
    orders[place] = job.order();
    Arrays.fill(demands, place * resources, (place + 1) * resources, 0);
    System.arraycopy(demand, 0, demands, place * resources, demand.length);
    size++;
    lower(place, size == 1);
  }

  /** Takes a job out; false if it is not there. */
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

  /** Takes out the upper half, as a block of its own. */
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
   * Takes in all of the next block, if both fill half of one at most.
   *
   * @return whether it did
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

  /** Makes room for so many jobs, and for their demands of so many resources. */
  private void arrange(int length, int wanted) {
    jobs = Arrays.copyOf(jobs, length);
    orders = Arrays.copyOf(orders, length);
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
    System.arraycopy(demands, from * resources, into.demands, to * resources, count * resources);
  }

  /** Whether nobody asks for less of some resource than the one at a place. */
  private boolean isLeast(int place) {
    for (int resource = 0; resource < resources; resource++) {
      if (demands[place * resources + resource] <= least[resource]) {
        return true;
      }
    }
    return false;
  }

  /** Takes the demand at a place into account. */
  private void lower(int place, boolean first) {
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
