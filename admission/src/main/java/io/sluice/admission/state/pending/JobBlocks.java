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
 * Pending jobs in the order of their queue, in blocks of neighbours that know the least demand and
 * the highest priority of theirs: the first that has a {@link Prospect} is found without a look
 * into blocks of which nothing can come, and how many stand before one by the sizes of the blocks.
 *
 * <p>Blocks are arrays, which are cheap to search and to shift. A full one is split, and two
 * neighbours are joined that would fill half of one, so there are about as few as can be.
 */
final class JobBlocks {
  private final List<JobBlock> blocks = new ArrayList<>();
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** How many there are. */
  int size() {
    return size;
  }

  /** How many stand before a job, whether it is there or not. */
  int countBefore(JobEntry job) {
    int last = blockOf(job);
    int before = 0;
    for (int at = 0; at < last; at++) {
      before += blocks.get(at).size();
    }
    return blocks.isEmpty() ? 0 : before + blocks.get(last).placeOf(job);
  }

  /** All of them in order, found as they are asked for; good until one comes or goes. */
  Iterator<JobEntry> iterator() {
    return blocks.stream().flatMap(JobBlock::stream).iterator();
  }

  /** As {@link #iterator()}, of those behind a job, whether it is there or not. */
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

  /** Hands over all of them in order. */
  void forEach(Consumer<JobEntry> action) {
    blocks.forEach(block -> block.forEach(action));
  }

  /** The first; only if there is one. */
  JobEntry first() {
    if (size == 0) {
      throw new IllegalStateException("there is none");
    }
    return blocks.get(0).first();
  }

  /** The last; only if there is one. */
  JobEntry last() {
    if (size == 0) {
      throw new IllegalStateException("there is none");
    }
    return blocks.get(blocks.size() - 1).last();
  }

  /** The last that stands before a job, which need not be there; null if there is none. */
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

  /** The first of which something may come; null if there is none. */
  @Nullable JobEntry first(Prospect prospect) {
    return firstBehind(null, prospect);
  }

  /**
   * The first behind a place of which something may come; null if there is none.
   *
   * @param place null: the first of all
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

  /** The first block that may have a job behind a place. */
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
   * Lowers amounts, from a place on by number of resource, to the least that is asked for.
   *
   * @param behind leaves out blocks that end before this place; null: none
   */
  void lowerToLeast(@Nullable QueuePlace behind, long[] amounts, int from, int resources) {
    for (int at = blockBehind(behind); at < blocks.size(); at++) {
      JobBlock block = blocks.get(at);
      if (behind == null || behind.isBefore(block.last())) {
        block.lowerToLeast(amounts, from, resources);
      }
    }
  }

  /** The last block that begins before a job or with it, else the first; 0 if there is none. */
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
   * Adds a job that is not there.
   *
   * @param demand what a prospect is asked for
   */
  void add(JobEntry job, long[] demand) {
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
    block.add(job, demand);
    size++;
  }

  /**
   * Takes a job out that is there.
   *
   * @throws IllegalStateException if it is not
   */
  void remove(JobEntry job) {
    int at = blockOf(job);
    if (blocks.isEmpty() || !blocks.get(at).remove(job)) {
      throw new IllegalStateException("not there: " + job);
    }
    size--;
    if (blocks.get(at).size() == 0) {
      blocks.remove(at);
    } else if (at + 1 < blocks.size() && blocks.get(at).joins(blocks.get(at + 1))) {
      blocks.remove(at + 1);
    }
  }
}
