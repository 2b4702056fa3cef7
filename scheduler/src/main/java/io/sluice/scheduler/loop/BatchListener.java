// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.queuemodel.event.Event;
import io.sluice.scheduler.store.job.JobPlace;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Told of each durable batch that a view takes in, on leader and follower alike. The view waits
 * meanwhile, so each method returns at once and throws nothing.
 */
public interface BatchListener {
  /** Whether {@link #tookIn} is to get the events of the next batch. */
  boolean wantsEvents();

  /**
   * Called after a view has taken in the next batch.
   *
   * @param events null if the listener did not want them, or if the view does not know the job of
   *     one, because that job has ended
   */
  void tookIn(long sequence, Instant decidedAt, @Nullable List<PlacedEvent> events);

  /** Called after a view was loaded from the database, which may skip batches. */
  void loaded(long lastSequence);

  /**
   * An event with the name and the queues of its job.
   *
   * @param place null if it is about no job
   */
  record PlacedEvent(Event event, @Nullable JobPlace place) {}
}
