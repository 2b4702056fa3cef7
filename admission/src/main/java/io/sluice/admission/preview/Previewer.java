// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the effects of an edit: the engine runs two copies of a state, one without the edit and
 * one with it, and compares them. The decisions of the copies are discarded, and the snapshot is
 * not changed.
 *
 * <p>The first copy is released before the second is made, so only one is in memory.
 */
public final class Previewer {
  private final StateSnapshot snapshot;
  private final EnginePolicy policy;
  private final Instant now;
  private final BooleanSupplier goOn;

  /** The results kept of the copy without the edit. */
  private record Without(
      boolean complete,
      QuotaAccount account,
      SortedMap<JobId, Integer> admitted,
      SortedSet<AttemptKey> told,
      SortedSet<JobId> waitingForAnEdit) {}

  /**
   * Creates a previewer of a state.
   *
   * @param policy policy under which the state decides
   * @param time time of the rounds; that of the last round if it is earlier
   * @param goOn asked before each round; once it returns false, the preview is incomplete
   */
  public Previewer(
      StateSnapshot snapshot, EnginePolicy policy, Instant time, BooleanSupplier goOn) {
    Instant last = snapshot.lastRoundAt();
    this.snapshot = snapshot;
    this.policy = policy;
    this.now = last != null && last.isAfter(time) ? last : time;
    this.goOn = goOn;
  }

  private Outlook outlook(List<Input> inputs) {
    return Outlook.of(AdmissionState.restore(snapshot, policy), inputs, now, goOn);
  }

  /**
   * Previews an edit.
   *
   * @param edit inputs in order, which must not refer to unknown objects
   * @param asked jobs whose outcomes are reported, whether the edit concerns them or not
   */
  public Preview preview(List<Input> edit, List<JobId> asked) {
    Without without = without();
    Outlook with = outlook(edit);
    AdmissionState state = with.state();
    QuotaAccount account = new QuotaAccount(state);
    SortedSet<JobId> submitted = submitted(edit);
    List<JobEntry> more = new ArrayList<>();
    List<JobEntry> less = new ArrayList<>();
    SortedSet<JobId> waitingForAnEdit = new WaitingKinds(state).forAnEdit();
    waitingForAnEdit.removeAll(without.waitingForAnEdit());
    for (JobEntry job : state.jobs()) {
      int change = change(job, without);
      if (submitted.contains(job.id())) {
        continue;
      }
      if (change > 0) {
        more.add(job);
      } else if (change < 0 || waitingForAnEdit.contains(job.id())) {
        less.add(job);
      }
    }
    more.sort(null);
    less.sort(null);
    Explainer explainer = new Explainer(state);
    return new Preview(
        without.complete() && with.complete(),
        Listed.of(queues(without.account(), account)),
        new ExcessReport(state).of(without.account(), account),
        Listed.of(more, job -> gain(job, change(job, without))),
        evictions(with, without.told()),
        Listed.of(
            less,
            job ->
                new Preview.Wait(
                    who(job),
                    Math.max(0, -change(job, without)),
                    explainer.explain(job).orElse(null))),
        asked.stream().map(job -> outcome(state, explainer, job)).toList());
  }

  private Without without() {
    Outlook outlook = outlook(List.of());
    SortedMap<JobId, Integer> admitted = new TreeMap<>();
    for (JobEntry job : outlook.state().jobs()) {
      if (Outlook.admitted(job) > 0) {
        admitted.put(job.id(), Outlook.admitted(job));
      }
    }
    return new Without(
        outlook.complete(),
        new QuotaAccount(outlook.state()),
        admitted,
        new TreeSet<>(outlook.told().keySet()),
        new WaitingKinds(outlook.state()).forAnEdit());
  }

  /** Returns how many more indices of a job are admitted with the edit. */
  private static int change(JobEntry job, Without without) {
    return Outlook.admitted(job) - without.admitted().getOrDefault(job.id(), 0);
  }

  private static SortedSet<JobId> submitted(List<Input> edit) {
    SortedSet<JobId> submitted = new TreeSet<>();
    for (Input input : edit) {
      if (input instanceof Input.SubmitJob job) {
        submitted.add(job.workload().id());
      }
    }
    return submitted;
  }

  private static Preview.Who who(JobEntry job) {
    return who(job, job.workload().name());
  }

  private static Preview.Who who(JobEntry job, String name) {
    return new Preview.Who(
        job.id(),
        job.workload().queue().namespace(),
        name,
        job.queue().name(),
        job.workload().priority().value());
  }

  /** An attempt of an array is named with its index. */
  static Preview.Holder holder(JobEntry job, AttemptKey attempt) {
    String name = job.workload().name();
    boolean single = job.workload().array().single();
    return new Preview.Holder(
        attempt, who(job, single ? name : name + "[" + attempt.index() + "]"));
  }

  private static List<Preview.QueueChange> queues(QuotaAccount without, QuotaAccount with) {
    SortedSet<String> names = new TreeSet<>(without.queues().keySet());
    names.addAll(with.queues().keySet());
    List<Preview.QueueChange> changes = new ArrayList<>();
    for (String name : names) {
      Map<FlavorResources.Pair, Preview.Amounts> before = amounts(without, name);
      Map<FlavorResources.Pair, Preview.Amounts> after = amounts(with, name);
      SortedSet<FlavorResources.Pair> pairs = new TreeSet<>(QuotaAccount.PAIRS);
      pairs.addAll(before.keySet());
      pairs.addAll(after.keySet());
      List<Preview.AmountChange> amounts = new ArrayList<>();
      for (FlavorResources.Pair pair : pairs) {
        Preview.Amounts one = before.getOrDefault(pair, Preview.Amounts.NONE);
        Preview.Amounts other = after.getOrDefault(pair, Preview.Amounts.NONE);
        if (!one.equals(other)) {
          amounts.add(new Preview.AmountChange(pair, one, other));
        }
      }
      if (!amounts.isEmpty()) {
        changes.add(new Preview.QueueChange(name, amounts));
      }
    }
    return changes;
  }

  /** Returns no amounts for a queue that does not exist. */
  private static Map<FlavorResources.Pair, Preview.Amounts> amounts(
      QuotaAccount account, String queue) {
    Map<FlavorResources.Pair, Preview.Amounts> amounts = account.queues().get(queue);
    return amounts == null ? Collections.emptyMap() : amounts;
  }

  /** The rounds admitted the newest attempts of a job. */
  private static Preview.Gain gain(JobEntry job, int indices) {
    Attempt newest = null;
    for (Attempt attempt : job.live()) {
      boolean newer = newest == null || attempt.admittedAt().isAfter(newest.admittedAt());
      newest = !attempt.draining() && newer ? attempt : newest;
    }
    if (newest == null) {
      throw new IllegalStateException("no index of job " + job + " is admitted");
    }
    return new Preview.Gain(who(job), indices, newest.assignment());
  }

  /** Lists only attempts of the snapshot: those that rounds admit and evict again are no loss. */
  private Listed<Preview.Eviction> evictions(Outlook with, SortedSet<AttemptKey> without) {
    AdmissionState state = with.state();
    List<AttemptKey> keys = new ArrayList<>();
    for (AttemptRecord attempt : snapshot.attempts()) {
      if (with.told().containsKey(attempt.key()) && !without.contains(attempt.key())) {
        keys.add(attempt.key());
      }
    }
    return Listed.of(
        keys.stream().filter(key -> state.findJob(key.job()) != null).toList(),
        key -> eviction(state, key, with.told().get(key)));
  }

  private static Preview.Eviction eviction(
      AdmissionState state, AttemptKey key, @Nullable Drain drain) {
    JobEntry job = state.findJob(key.job());
    if (job == null || drain == null) {
      throw new IllegalStateException(key + " was not told to end");
    }
    Drain.Preemption preemption = drain.preemption();
    JobEntry preemptor = preemption == null ? null : state.findJob(preemption.preemptor().job());
    return new Preview.Eviction(holder(job, key), drain, preemptor == null ? null : who(preemptor));
  }

  private static Preview.Outcome outcome(AdmissionState state, Explainer explainer, JobId id) {
    JobEntry job = state.findJob(id);
    return job == null
        ? new Preview.Outcome(id, false, 0, null)
        : new Preview.Outcome(id, true, Outlook.admitted(job), explainer.explain(job).orElse(null));
  }
}
