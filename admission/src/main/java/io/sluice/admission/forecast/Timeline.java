// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.forecast;

import java.util.ArrayList;
import java.util.List;

/**
 * An amount as a step function of time. Each block of consecutive steps knows its smallest and
 * largest amount, so searches skip blocks, and a change of a long range touches each whole block
 * once.
 *
 * <p>Times before the first step have its amount. A change is undone exactly by the opposite change
 * of the same range, and leaves no steps behind.
 */
public final class Timeline {
  private static final int SIZE_MAX = 64;

  /** Consecutive steps. The amounts stored are lower than the real ones by {@code more}. */
  private static final class Block {
    final long[] times = new long[SIZE_MAX];
    final long[] amounts = new long[SIZE_MAX];
    int size;
    long more;
    long least;
    long most;

    void refresh() {
      least = Long.MAX_VALUE;
      most = Long.MIN_VALUE;
      for (int at = 0; at < size; at++) {
        least = Math.min(least, amounts[at]);
        most = Math.max(most, amounts[at]);
      }
    }

    /** Returns the last step that begins at or before a time. Requires that there is one. */
    int stepAt(long time) {
      int low = 0;
      int high = size - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (times[middle] <= time) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }
  }

  private final List<Block> blocks = new ArrayList<>();

  /** Creates a timeline with the amount 0 at all times. */
  public Timeline() {
    Block first = new Block();
    first.times[0] = Long.MIN_VALUE;
    first.size = 1;
    first.refresh();
    blocks.add(first);
  }

  private int blockAt(long time) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).times[0] <= time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Returns the amount at a time. */
  public long at(long time) {
    Block block = blocks.get(blockAt(time));
    return block.amounts[block.stepAt(time)] + block.more;
  }

  /**
   * Adds an amount, which may be negative, to a range of time.
   *
   * @param from first time of the range
   * @param to end of the range, exclusive; {@link Ticks#NEVER} for an endless one
   */
  public void add(long from, long to, long amount) {
    if (from >= to || amount == 0) {
      return;
    }
    begin(from);
    if (to != Ticks.NEVER) {
      begin(to);
    }
    for (int number = blockAt(from); number < blocks.size(); number++) {
      Block block = blocks.get(number);
      if (block.times[0] >= to) {
        break;
      }
      boolean whole =
          block.times[0] >= from
              && (number + 1 < blocks.size() ? blocks.get(number + 1).times[0] <= to : endless(to));
      if (whole) {
        block.more += amount;
      } else {
        for (int at = 0; at < block.size; at++) {
          if (block.times[at] >= from && (block.times[at] < to || endless(to))) {
            block.amounts[at] += amount;
          }
        }
        block.refresh();
      }
    }
    if (to != Ticks.NEVER) {
      join(to);
    }
    join(from);
  }

  private static boolean endless(long to) {
    return to == Ticks.NEVER;
  }

  /** Has a step begin at a time. */
  private void begin(long time) {
    int number = blockAt(time);
    Block block = blocks.get(number);
    int step = block.stepAt(time);
    if (block.times[step] == time) {
      return;
    }
    if (block.size == SIZE_MAX) {
      split(number);
      begin(time);
      return;
    }
    int place = step + 1;
    System.arraycopy(block.times, place, block.times, place + 1, block.size - place);
    System.arraycopy(block.amounts, place, block.amounts, place + 1, block.size - place);
    block.times[place] = time;
    block.amounts[place] = block.amounts[step];
    block.size++;
  }

  private void split(int number) {
    Block block = blocks.get(number);
    Block upper = new Block();
    int left = block.size / 2;
    upper.size = block.size - left;
    System.arraycopy(block.times, left, upper.times, 0, upper.size);
    System.arraycopy(block.amounts, left, upper.amounts, 0, upper.size);
    upper.more = block.more;
    block.size = left;
    block.refresh();
    upper.refresh();
    blocks.add(number + 1, upper);
  }

  /** Joins the step that begins at a time with the one before it, if both have one amount. */
  private void join(long time) {
    int number = blockAt(time);
    Block block = blocks.get(number);
    int step = block.stepAt(time);
    if (block.times[step] != time || (number == 0 && step == 0)) {
      return;
    }
    Block former = step > 0 ? block : blocks.get(number - 1);
    int last = step > 0 ? step - 1 : former.size - 1;
    if (former.amounts[last] + former.more != block.amounts[step] + block.more) {
      return;
    }
    remove(number, step, 1);
  }

  private void remove(int number, int step, int count) {
    Block block = blocks.get(number);
    int rest = block.size - step - count;
    System.arraycopy(block.times, step + count, block.times, step, rest);
    System.arraycopy(block.amounts, step + count, block.amounts, step, rest);
    block.size -= count;
    if (block.size == 0) {
      blocks.remove(number);
    } else {
      block.refresh();
    }
  }

  /** Forgets the steps that end at or before a time. Ranges that began before it stay exact. */
  public void forgetBefore(long time) {
    int number = blockAt(time);
    blocks.subList(0, number).clear();
    Block block = blocks.get(0);
    int step = block.stepAt(time);
    if (step > 0) {
      remove(0, 0, step);
    }
    block.times[0] = Long.MIN_VALUE;
  }

  /**
   * Returns the first time of a range at which more than an amount is in use; {@link Ticks#NEVER}
   * if there is none.
   *
   * @param to end of the range, exclusive
   */
  public long firstAbove(long from, long to, long amount) {
    for (int number = blockAt(from); number < blocks.size(); number++) {
      Block block = blocks.get(number);
      if (block.times[0] >= to) {
        return Ticks.NEVER;
      }
      if (block.most + block.more > amount) {
        int first = block.times[0] <= from ? block.stepAt(from) : 0;
        for (int at = first; at < block.size; at++) {
          if (block.amounts[at] + block.more > amount) {
            long time = Math.max(from, block.times[at]);
            return time < to ? time : Ticks.NEVER;
          }
        }
      }
    }
    return Ticks.NEVER;
  }

  /**
   * Returns the first time, not before another, at which at most an amount is in use; {@link
   * Ticks#NEVER} if there is none.
   */
  public long firstNotAbove(long from, long amount) {
    for (int number = blockAt(from); number < blocks.size(); number++) {
      Block block = blocks.get(number);
      if (block.least + block.more <= amount) {
        int first = block.times[0] <= from ? block.stepAt(from) : 0;
        for (int at = first; at < block.size; at++) {
          if (block.amounts[at] + block.more <= amount) {
            return Math.max(from, block.times[at]);
          }
        }
      }
    }
    return Ticks.NEVER;
  }

  /**
   * Returns the first time, not before another, from which at most an amount is in use for a while;
   * {@link Ticks#NEVER} if there is none.
   *
   * @param length {@link Ticks#NEVER} for an endless while
   */
  public long firstFit(long from, long length, long amount) {
    long start = firstNotAbove(from, amount);
    while (start != Ticks.NEVER) {
      long above = firstAbove(start, Ticks.plus(start, length), amount);
      if (above == Ticks.NEVER) {
        return start;
      }
      start = firstNotAbove(above, amount);
    }
    return Ticks.NEVER;
  }

  /** Returns the first step that begins after a time; {@link Ticks#NEVER} if there is none. */
  public long nextStep(long time) {
    int number = blockAt(time);
    Block block = blocks.get(number);
    int next = block.stepAt(time) + 1;
    if (next < block.size) {
      return block.times[next];
    }
    return number + 1 < blocks.size() ? blocks.get(number + 1).times[0] : Ticks.NEVER;
  }

  /** Returns the number of steps. */
  public int size() {
    return blocks.stream().mapToInt(block -> block.size).sum();
  }
}
