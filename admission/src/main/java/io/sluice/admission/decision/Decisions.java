// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.decision;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The events of the current round. Recording an event applies it to the state at once. */
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

  /** Leaves out a head for the rest of the round, because its nomination led to no decision. */
  public void passOver(JobEntry head) {
    undecided.add(head);
    state.tries().passOver(head);
  }

  /** Puts the heads that were passed over back into their queues, and returns them. */
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
