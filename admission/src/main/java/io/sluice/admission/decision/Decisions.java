// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.decision;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The events of a round in the making. Each is applied as it is recorded. */
public final class Decisions {
  private final AdmissionState state;
  private final Instant now;
  private final List<Event> events = new ArrayList<>();
  private final List<JobEntry> undecided = new ArrayList<>();

  public Decisions(AdmissionState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  public AdmissionState state() {
    return state;
  }

  public Instant now() {
    return now;
  }

  public void record(Event event) {
    state.apply(event, now);
    events.add(event);
  }

  /** Leaves a head out of its queue, of which something was expected and nothing came. */
  public void passOver(JobEntry head) {
    undecided.add(head);
    state.tries().passOver(head);
  }

  /** Puts back into their queues what was passed over; returns it. */
  public List<JobId> endPassingOver() {
    undecided.forEach(state.tries()::endPassingOver);
    return undecided.stream().map(JobEntry::id).toList();
  }

  public int size() {
    return events.size();
  }

  public List<Event> events() {
    return List.copyOf(events);
  }
}
