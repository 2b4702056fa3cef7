// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.scheduler.store.job.JobPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the events of a batch and finds the name and the queues of their jobs: before an event is
 * applied, as it may end its job, or after it, as it may begin its job.
 */
final class PlacedEvents {
  private final AdmissionState state;
  private final List<BatchListener.PlacedEvent> events = new ArrayList<>();
  private boolean complete = true;

  PlacedEvents(AdmissionState state) {
    this.state = state;
  }

  void apply(Event event, Instant now) {
    JobId job = event.job();
    JobPlace place = find(job);
    state.apply(event, now);
    if (place == null) {
      place = find(job);
    }
    complete &= job == null || place != null;
    events.add(new BatchListener.PlacedEvent(event, place));
  }

  private @Nullable JobPlace find(@Nullable JobId id) {
    JobEntry job = id == null ? null : state.findJob(id);
    if (job == null) {
      return null;
    }
    Workload workload = job.workload();
    return new JobPlace(
        workload.queue().namespace(), workload.name(), workload.queue().name(), job.queue().name());
  }

  /** All events; null if the job of one was not found. */
  @Nullable List<BatchListener.PlacedEvent> all() {
    return complete ? events : null;
  }
}
