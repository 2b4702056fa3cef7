// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;

/** Starts parts in the order of their places, and ends the started ones in reverse order. */
public final class PartSequence implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(PartSequence.class);

  private final Map<StartOrder, Part> parts = new EnumMap<>(StartOrder.class);
  private final Deque<Part> started = new ArrayDeque<>();

  /**
   * A sequence of parts, none of them started.
   *
   * @throws IllegalStateException unless each place has exactly one part
   */
  public PartSequence(Collection<? extends Part> parts) {
    for (Part part : parts) {
      Part other = this.parts.put(part.place(), part);
      if (other != null) {
        throw new IllegalStateException(
            "%s and %s have the same place, %s".formatted(other, part, part.place()));
      }
    }
    Set<StartOrder> empty = EnumSet.allOf(StartOrder.class);
    empty.removeAll(this.parts.keySet());
    if (!empty.isEmpty()) {
      throw new IllegalStateException("no part has the place " + empty);
    }
  }

  /** Starts all parts. If one fails, it is ended first, and then those started before it. */
  public void start() {
    try {
      for (Part part : parts.values()) {
        started.push(part);
        part.start();
      }
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  /** Ends the started parts, once. If a part fails to end, the others are ended all the same. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      Part part = started.pop();
      try {
        part.close();
      } catch (RuntimeException failure) {
        LOG.warnf(failure, "%s did not end well", part.getClass().getSimpleName());
      }
    }
  }
}
