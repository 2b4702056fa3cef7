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
 * Inputs that this leader leaves unconsumed: those that it cannot read, as a newer server wrote
 * them, and those that make a round fail. Each is logged once and counted. The next leader tries
 * them again. Thread-safe.
 */
public final class SetAsideInputs {
  /** Maximum number of such inputs; a leader that would exceed it ends. */
  public static final int SIZE_MAX = 10_000;

  private static final int REASON_LENGTH_MAX = 500;
  private static final Logger LOG = Logger.getLogger(SetAsideInputs.class);

  private final SetAsideCounts counts;
  private final SortedMap<Long, SetAsideInput> inputs = new TreeMap<>();

  /**
   * An input that is left unconsumed.
   *
   * @param id of its row
   * @param kind as stored; empty if unknown
   * @param reason for people
   */
  public record SetAsideInput(long id, String kind, String reason) {}

  /** Starts empty. */
  public SetAsideInputs(SetAsideCounts counts) {
    this.counts = counts;
  }

  /**
   * Sets an input aside.
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

  /** The ids of the inputs. */
  public synchronized Set<Long> ids() {
    return new TreeSet<>(inputs.keySet());
  }

  /** The number of inputs. */
  public synchronized int size() {
    return inputs.size();
  }

  /** The oldest of the inputs. */
  public synchronized List<SetAsideInput> oldest(int most) {
    return inputs.values().stream().limit(most).toList();
  }

  /** Forgets all inputs, when this server begins or ceases to lead. */
  public synchronized void clear() {
    inputs.clear();
  }
}
