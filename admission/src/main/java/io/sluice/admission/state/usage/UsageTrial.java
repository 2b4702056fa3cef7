// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.quota.QuotaUsage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A temporary change of a usage total: removes usage from it, or adds usage to it. Closing the
 * trial undoes the changes in reverse order.
 */
public final class UsageTrial implements AutoCloseable {
  private final QuotaUsage total;
  private final Deque<Change> changes = new ArrayDeque<>();

  private enum Direction {
    ADDED,
    REMOVED
  }

  private record Change(Usage usage, Direction direction) {}

  /** Starts a trial without a change. */
  public UsageTrial(QuotaUsage total) {
    this.total = total;
  }

  /** Removes usage that the total contains. */
  public void remove(Usage usage) {
    usage.removeFrom(total);
    changes.push(new Change(usage, Direction.REMOVED));
  }

  /** Removes usages that the total contains. */
  public void removeAll(List<Usage> usages) {
    usages.forEach(this::remove);
  }

  /** Adds usage to the total. */
  public void add(Usage usage) {
    usage.addTo(total);
    changes.push(new Change(usage, Direction.ADDED));
  }

  @Override
  public void close() {
    while (!changes.isEmpty()) {
      Change last = changes.pop();
      if (last.direction() == Direction.ADDED) {
        last.usage().removeFrom(total);
      } else {
        last.usage().addTo(total);
      }
    }
  }
}
