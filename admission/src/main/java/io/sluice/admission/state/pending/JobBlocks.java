// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Prospect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs in queue order, in blocks that know their smallest demands and highest priority.
 * The search for the first job with a {@link Prospect} skips blocks without one, and the number of
 * jobs before a job is a sum of block sizes.
 *
 * <p>Blocks are arrays, which are cheap to search and to shift. A full block is split; two
 * neighbours that together fill at most half a block are merged, which keeps the number of blocks
 * low.
 */
final class JobBlocks {
  private final List<JobBlock> blocks = new ArrayList<>();
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the number of jobs. */
  int size() {
    return size;
  }

  /** Returns the number of jobs before a job, which need not be present. */
  int countBefore(JobEntry job) {
    int last = blockOf(job);
    int before = 0;
    for (int at = 0; at < last; at++) {
      before += blocks.get(at).size();
    }
    return blocks.isEmpty() ? 0 : before + blocks.get(last).placeOf(job);
  }

  /** Returns a lazy iterator over all jobs in order, valid until a job is added or removed. */
  Iterator<JobEntry> iterator() {
    return blocks.stream().flatMap(JobBlock::stream).iterator();
  }

  /** Like {@link #iterator()}, for the jobs behind a job, which need not be present. */
  Iterator<JobEntry> iteratorBehind(JobEntry job) {
    if (blocks.isEmpty()) {
      return Collections.emptyIterator();
    }
    int first = blockOf(job);
    return Stream.concat(
            blocks.get(first).stream().filter(other -> other.compareTo(job) > 0),
            blocks.subList(first + 1, blocks.size()).stream().flatMap(JobBlock::stream))
        .iterator();
  }

  /** Passes all jobs to an action, in order. */
  void forEach(Consumer<JobEntry> action) {
    blocks.forEach(block -> block.forEach(action));
  }

  /** Returns the first job. Requires that there is one. */
  JobEntry first() {
    if (size == 0) {
      throw new IllegalStateException("no jobs");
    }
    return blocks.get(0).first();
  }

  /** Returns the last job. Requires that there is one. */
  JobEntry last() {
    if (size == 0) {
      throw new IllegalStateException("no jobs");
    }
    return blocks.get(blocks.size() - 1).last();
  }

  /** Returns the last job before a job, which need not be present; null if there is none. */
  @Nullable JobEntry lastBefore(JobEntry job) {
    if (blocks.isEmpty()) {
      return null;
    }
    int at = blockOf(job);
    JobEntry last = blocks.get(at).lastBefore(job);
    return last == null && at > 0 ? blocks.get(at - 1).last() : last;
  }

  boolean contains(JobEntry job) {
    return !blocks.isEmpty() && blocks.get(blockOf(job)).contains(job);
  }

  /** Returns the first job that the prospect allows; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    return firstBehind(null, prospect);
  }

  /**
   * Returns the first job behind a place that the prospect allows; null if there is none.
   *
   * @param place null to search from the start
   */
  @Nullable JobEntry firstBehind(@Nullable QueuePlace place, Prospect prospect) {
    for (int at = blockBehind(place); at < blocks.size(); at++) {
      JobEntry found = blocks.get(at).firstBehind(place, prospect);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Adds the first jobs that the prospect allows to a list. */
  void addFirst(Prospect prospect, int most, List<JobEntry> found) {
    JobEntry next = first(prospect);
    for (int left = most; next != null && left > 0; left--) {
      found.add(next);
      next = firstBehind(QueuePlace.of(next), prospect);
    }
  }

  /** Returns the index of the first block that may have a job behind a place. */
  private int blockBehind(@Nullable QueuePlace place) {
    int low = 0;
    int high = place == null ? 0 : blocks.size() - 1;
    while (place != null && low < high) {
      int middle = (low + high + 1) >>> 1;
      if (place.isBefore(blocks.get(middle).first())) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /**
   * Lowers amounts to the smallest demands, by number of resource from an offset.
   *
   * @param behind skips blocks that end at or before this place; null to skip none
   */
  void lowerToLeast(@Nullable QueuePlace behind, long[] amounts, int from, int resources) {
    for (int at = blockBehind(behind); at < blocks.size(); at++) {
      JobBlock block = blocks.get(at);
      if (behind == null || behind.isBefore(block.last())) {
        block.lowerToLeast(amounts, from, resources);
      }
    }
  }

  /** Returns the last block that begins at or before a job, else the first; 0 if there is none. */
  private int blockOf(JobEntry job) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).beginsBehind(job)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /**
   * Adds a job that is not present.
   *
   * @param demand demands to compare with a prospect
   * @param stay how long its attempt would stay, to compare with a prospect
   */
  void add(JobEntry job, long[] demand, long stay) {
    if (blocks.isEmpty()) {
      blocks.add(new JobBlock());
    }
    int at = blockOf(job);
    JobBlock block = blocks.get(at);
    if (block.full()) {
      JobBlock upper = block.split();
      blocks.add(at + 1, upper);
      block = upper.beginsBehind(job) ? block : upper;
    }
    block.add(job, demand, stay);
    size++;
  }

  /**
   * Removes a job.
   *
   * @throws IllegalStateException if it is not present
   */
  void remove(JobEntry job) {
    int at = blockOf(job);
    if (blocks.isEmpty() || !blocks.get(at).remove(job)) {
      throw new IllegalStateException("no such job: " + job);
    }
    size--;
    if (blocks.get(at).size() == 0) {
      blocks.remove(at);
    } else if (at + 1 < blocks.size() && blocks.get(at).joins(blocks.get(at + 1))) {
      blocks.remove(at + 1);
    }
  }
}
