// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts items that this server could not process and set aside since its start, so that everything
 * else continued. Each is an error that an operator must look at; the log names it. Thread-safe.
 */
public final class SetAsideCounts {
  /** The kind of an item that was set aside. */
  public enum Kind {
    /** A report of an executor that the database refuses. */
    REPORT,
    /** An output of a job that the database refuses. */
    OUTPUT,
    /** An input that this server cannot read, or whose round fails. */
    INPUT,
    /** A head of a queue for which a cycle reached no decision. */
    HEAD;

    /** The value of the metric's label. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final EnumMap<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);

  /** All counts are zero. */
  public SetAsideCounts() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new AtomicLong());
    }
  }

  /** Counts one more item. */
  public void add(Kind kind) {
    of(kind).incrementAndGet();
  }

  /** Number of items of a kind that were set aside so far. */
  public long count(Kind kind) {
    return of(kind).get();
  }

  private AtomicLong of(Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }
}
