// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.scheduler.store.StoreException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Inputs that this leader leaves unconsumed: those that it cannot read, as a newer server writes
 * them, and those with which a round fails. Each is logged once and counted. The next leader tries
 * them again. For any thread.
 */
public final class SetAsideInputs {
  /** How many there may be; a leader that would have to set aside more ends. */
  public static final int SIZE_MAX = 10_000;

  private static final int REASON_LENGTH_MAX = 500;
  private static final Logger LOG = Logger.getLogger(SetAsideInputs.class);

  private final SetAsideCounts counts;
  private final SortedMap<Long, SetAsideInput> inputs = new TreeMap<>();

  /**
   * An input that is left unconsumed.
   *
   * @param id its number
   * @param kind as it is stored; empty if it is not known
   * @param reason why, for people
   */
  public record SetAsideInput(long id, String kind, String reason) {}

  /** There is none yet. */
  public SetAsideInputs(SetAsideCounts counts) {
    this.counts = counts;
  }

  /**
   * Sets one aside.
   *
   * @throws StoreException if there are too many
   */
  public synchronized void add(long id, String kind, String reason) {
    if (inputs.size() >= SIZE_MAX) {
      throw new StoreException("more than " + SIZE_MAX + " inputs would have to be set aside");
    }
    String shown =
        reason.length() <= REASON_LENGTH_MAX ? reason : reason.substring(0, REASON_LENGTH_MAX);
    if (inputs.putIfAbsent(id, new SetAsideInput(id, kind, shown)) == null) {
      counts.add(SetAsideCounts.Kind.INPUT);
      LOG.errorf(
          "input %d%s is left unconsumed until another server leads: %s",
          id, kind.isEmpty() ? "" : " of kind " + kind, shown);
    }
  }

  /** Their numbers. */
  public synchronized Set<Long> ids() {
    return new TreeSet<>(inputs.keySet());
  }

  /** How many there are. */
  public synchronized int size() {
    return inputs.size();
  }

  /** The oldest of them. */
  public synchronized List<SetAsideInput> oldest(int most) {
    return inputs.values().stream().limit(most).toList();
  }

  /** A server begins to lead, or ceases to. */
  public synchronized void clear() {
    inputs.clear();
  }
}
