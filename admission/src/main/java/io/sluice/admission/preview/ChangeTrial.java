// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.SmallestChange.Kind;
import io.sluice.admission.explain.SmallestChange.Part;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A copy of a job's competitors to which parts of a change are applied to observe the effect. */
final class ChangeTrial {
  /** With blocking admission, each attempt has to start before the next is admitted. */
  private static final int STARTS_MAX = 200;

  private final JobId job;
  private final AdmissionState state;
  private final Outlook outlook;
  private final SortedMap<JobId, Integer> attemptsBefore = new TreeMap<>();
  private final FleetAddition fleet;

  ChangeTrial(
      JobId job, StateSnapshot snapshot, EnginePolicy policy, Instant now, BooleanSupplier goOn) {
    this.job = job;
    this.state = AdmissionState.restore(snapshot, policy);
    this.state.advance(now);
    this.outlook = new Outlook(state, now, goOn);
    this.fleet = new FleetAddition(state);
    state.jobs().forEach(one -> attemptsBefore.put(one.id(), attempts(one)));
  }

  static boolean canApply(Kind kind) {
    return switch (kind) {
      case ADD_QUOTA, ADD_SLICES, ADD_NODES, RELEASE_JOB -> true;
      case CHANGE_TOPOLOGY_REQUEST,
          CHANGE_COMPUTE_CLASS,
          RAISE_SUBMITTER_LIMIT,
          RESUME_QUEUE,
          SELECT_NAMESPACE,
          ADD_TOLERATION,
          CHANGE_NODE_SELECTOR ->
          false;
    };
  }

  /** Sums the amounts of equal parts, in order of first occurrence. */
  static List<Part> sums(List<Part> steps) {
    List<Part> sums = new ArrayList<>();
    for (Part step : steps) {
      int at = 0;
      while (at < sums.size() && !isOfSame(sums.get(at), step)) {
        at++;
      }
      if (at == sums.size()) {
        sums.add(step);
      } else {
        long sum = Math.addExact(sums.get(at).amount(), step.amount());
        sums.set(at, new Part(step.kind(), step.subject(), step.resource(), sum));
      }
    }
    return sums;
  }

  private static boolean isOfSame(Part one, Part other) {
    return one.kind() == other.kind()
        && one.subject().equals(other.subject())
        && one.resource().equals(other.resource());
  }

  AdmissionState state() {
    return state;
  }

  /** Returns the job; null if it has ended. */
  @Nullable JobEntry job() {
    return state.findJob(job);
  }

  /** Returns whether the job was admitted since the trial began. */
  boolean started() {
    return admitted(job);
  }

  /** Returns whether an index of a job was admitted since the trial began. */
  boolean admitted(JobId id) {
    JobEntry entry = state.findJob(id);
    return entry != null && attempts(entry) > attemptsBefore.getOrDefault(id, 0);
  }

  private static int attempts(JobEntry entry) {
    return entry.progress().values().stream().mapToInt(IndexProgress::attempts).sum();
  }

  /** Applies parts and runs rounds until nothing more is decided. */
  void apply(List<Part> parts) {
    List<Input> inputs = new ArrayList<>();
    JobEntry entry = state.findJob(job);
    if (entry != null) {
      parts.forEach(part -> apply(part, entry, inputs));
    }
    lead(inputs);
  }

  /** Consumes inputs and runs rounds until nothing more is decided. */
  void lead(List<Input> inputs) {
    outlook.lead(inputs);
    for (int count = 0; !state.awaited().isEmpty() && count < STARTS_MAX; count++) {
      List<Input> started = new ArrayList<>();
      for (Attempt attempt : state.awaited()) {
        started.add(
            new Input.Report(
                new AttemptReport(
                    attempt.key(), attempt.generation(), AttemptReport.Kind.STARTED, null, "")));
      }
      outlook.lead(started);
    }
  }

  private void apply(Part part, JobEntry entry, List<Input> inputs) {
    switch (part.kind()) {
      case ADD_QUOTA -> inputs.add(quota(entry, part, inputs));
      case ADD_SLICES -> fleet.slices(entry, part.subject(), part.amount(), inputs);
      case ADD_NODES -> fleet.nodes(part.subject(), part.amount(), inputs);
      case RELEASE_JOB -> inputs.add(new Input.ReleaseJob(job, "trial"));
      case CHANGE_TOPOLOGY_REQUEST,
          CHANGE_COMPUTE_CLASS,
          RAISE_SUBMITTER_LIMIT,
          RESUME_QUEUE,
          SELECT_NAMESPACE,
          ADD_TOLERATION,
          CHANGE_NODE_SELECTOR ->
          throw new IllegalArgumentException("a trial cannot apply " + part);
    }
  }

  /** Adds quota to the job's queue, on top of earlier inputs. */
  private static Input quota(JobEntry entry, Part part, List<Input> before) {
    ClusterQueue queue = entry.queue().spec();
    for (Input input : before) {
      if (input instanceof Input.SetObject set && set.object() instanceof ClusterQueue edited) {
        queue = edited;
      }
    }
    ResourceName resource = part.resource();
    return new Input.SetObject(queue.withMore(part.subject(), resource, part.amount()), 1);
  }
}
