// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.TransientStoreException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of the virtual provider's fleet file that callers have set; they survive restarts. Each
 * change is written in one transaction with its inputs and its audit entry.
 *
 * <p>All methods throw {@link TransientStoreException} if the database does not answer.
 */
public interface ProviderNotes {
  /**
   * The supply of one capacity type.
   *
   * @param grantAfter delay of a grant; null: never
   */
  record Said(@Nullable Duration grantAfter, boolean outOfStock) {}

  /**
   * All overrides.
   *
   * @param taken slices that were taken away
   * @param failed hosts that have failed
   */
  record Noted(
      SortedMap<CapacityType, Said> supplies,
      NavigableSet<String> taken,
      NavigableSet<String> failed) {
    /** No overrides. */
    public static final Noted NOTHING =
        new Noted(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());

    public Noted {
      supplies = Collections.unmodifiableSortedMap(new TreeMap<>(supplies));
      taken = Collections.unmodifiableNavigableSet(new TreeSet<>(taken));
      failed = Collections.unmodifiableNavigableSet(new TreeSet<>(failed));
    }
  }

  /** The kind of thing that a name refers to. */
  enum Noun {
    SLICE,
    HOST
  }

  Noted read();

  /** Stores inputs durably, without an override. */
  void append(List<Input> inputs);

  /**
   * Sets the supply of a capacity type, if the stored one meets a condition.
   *
   * @param precondition on what callers last set; empty: nothing yet
   * @return whether it was met; otherwise nothing was written
   */
  boolean say(
      CapacityType type, Said said, Predicate<Optional<Said>> precondition, AuditEntry blame);

  /** Takes a slice away, or has a host fail. Idempotent. */
  void takeAway(Noun noun, String name, List<Input> inputs, AuditEntry blame);

  /** Returns a slice or a host. Idempotent. */
  void giveBack(Noun noun, String name, List<Input> inputs, AuditEntry blame);
}
