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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was said of the virtual provider over what the fleet file says; it outlives servers. Each
 * change is written in one transaction with the inputs that follow from it and with who is to
 * blame.
 *
 * <p>All methods throw {@link TransientStoreException} if the database does not answer.
 */
public interface ProviderNotes {
  /**
   * How slices of a type come.
   *
   * @param grantAfter null: never
   */
  record Said(@Nullable Duration grantAfter, boolean outOfStock) {}

  /**
   * All that was said.
   *
   * @param taken slices that were taken away
   * @param failed hosts that have failed
   */
  record Noted(
      SortedMap<CapacityType, Said> supplies,
      NavigableSet<String> taken,
      NavigableSet<String> failed) {
    /** Nothing was said. */
    public static final Noted NOTHING =
        new Noted(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());

    public Noted {
      supplies = Collections.unmodifiableSortedMap(new TreeMap<>(supplies));
      taken = Collections.unmodifiableNavigableSet(new TreeSet<>(taken));
      failed = Collections.unmodifiableNavigableSet(new TreeSet<>(failed));
    }
  }

  /** What is there to be said of: names are those of slices and of hosts. */
  enum Noun {
    SLICE,
    HOST
  }

  Noted read();

  /** Makes inputs durable of which nothing is noted. */
  void append(List<Input> inputs);

  /** Slices of a type come so from now on. */
  void say(CapacityType type, Said said, AuditEntry blame);

  /** A slice is taken away, or a host fails; may be said twice. */
  void takeAway(Noun noun, String name, List<Input> inputs, AuditEntry blame);

  /** It is back; may be said twice. */
  void giveBack(Noun noun, String name, List<Input> inputs, AuditEntry blame);
}
