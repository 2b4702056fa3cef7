// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much this server has set aside since its start, because it could not be processed, so that
 * everything else went on. Every such thing is an error that somebody has to look at; the log names
 * each. For any thread.
 */
public final class SetAsideCounts {
  /** What is set aside. */
  public enum Kind {
    /** A report of an executor that the database refuses. */
    REPORT,
    /** An output of a job that the database refuses. */
    OUTPUT,
    /** An input that this server cannot read, or whose round fails. */
    INPUT,
    /** A head of a queue about which a cycle decided nothing. */
    HEAD;

    /** The value of a metric's label. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final EnumMap<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);

  /** Nothing was set aside yet. */
  public SetAsideCounts() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new AtomicLong());
    }
  }

  /** One more was set aside. */
  public void add(Kind kind) {
    of(kind).incrementAndGet();
  }

  /** How many were set aside so far. */
  public long count(Kind kind) {
    return of(kind).get();
  }

  private AtomicLong of(Kind kind) {
    return Objects.requireNonNull(counts.get(kind));
  }
}
