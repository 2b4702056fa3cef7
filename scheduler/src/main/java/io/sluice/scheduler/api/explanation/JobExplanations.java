// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.preview.Alternative;
import io.sluice.admission.preview.AlternativeSearch;
import io.sluice.admission.preview.ChangeSearch;
import io.sluice.admission.preview.Competitors;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.explanation.JobExplanation.ClosedSlice;
import io.sluice.restmodel.explanation.JobHeadStart;
import io.sluice.restmodel.pipeline.RunPlace;
import io.sluice.scheduler.estimate.ExpectedStarts;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.store.job.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explains jobs from the committed view, to the caller of the request in progress: attempts of jobs
 * that it may not read are only counted.
 */
public final class JobExplanations {
  private static final int CLOSED_MAX = 5;
  private static final int REASONS_MAX = 5;
  private static final int EXPLAINED_AT_ONCE = 20;

  /**
   * Time limit of a search for the smallest change; beyond it, the change is reported as unknown.
   */
  private static final Duration TRIAL_MAX = Duration.ofSeconds(1);

  /** Maximum number of concurrent searches, each with its own copy. */
  private static final int TRIALS_AT_ONCE = 8;

  private final Semaphore trials = new Semaphore(TRIALS_AT_ONCE);
  private final CommittedView view;
  private final Executor executor;
  private final FleetStandings standings;
  private final ExpectedStarts expected;
  private final CurrentCaller caller;

  public JobExplanations(
      CommittedView view,
      Executor executor,
      FleetStandings standings,
      ExpectedStarts expected,
      CurrentCaller caller) {
    this.caller = caller;
    this.expected = expected;
    this.view = view;
    this.executor = executor;
    this.standings = standings;
  }

  /**
   * The answer about a job: its explanation, with the slices of its flavors that cannot be offered
   * because of their nodes. If its executor knows why an admitted part does not start, that reason
   * replaces the explanation's.
   *
   * @param explained empty: the job does not wait, so only its state is explained
   * @param run the run that the job is part of, if any
   */
  public JobExplanation answer(
      StoredJob job, Optional<Verified> explained, Optional<StoredRun> run) {
    StartWait waitsFor = waitsFor(job);
    StartBlocker blocker = waitsFor == null ? null : waitsFor.blocker();
    Shared shared =
        new Shared(
            job.state().terminal() ? null : ExplanationAnswers.headStart(job.queue().headStart()),
            ExplanationAnswers.run(run.orElse(null)),
            blocker,
            waitsFor == null ? null : waitsFor.sentence(),
            AcceleratorAnswers.of(acceleratorUse(job)));
    return explained.isPresent() ? waiting(job, explained.get(), shared) : settled(job, shared);
  }

  /**
   * The parts of an answer that do not depend on the engine's explanation.
   *
   * @param blocker why an admitted part does not start; null: unknown
   * @param sentence the same in words; null: unknown
   */
  private record Shared(
      @Nullable JobHeadStart headStart,
      @Nullable RunPlace run,
      @Nullable StartBlocker blocker,
      @Nullable String sentence,
      @Nullable AcceleratorUsage accelerators) {}

  /**
   * An explanation with what a trial has verified.
   *
   * @param alternatives changes of the job itself, each of which would start it now
   */
  public record Verified(Explanation explanation, List<Alternative> alternatives) {
    public Verified {
      alternatives = List.copyOf(alternatives);
    }

    private Verified seenBy(Predicate<String> readable) {
      return new Verified(explanation.seenBy(readable), alternatives);
    }
  }

  private JobExplanation waiting(StoredJob job, Verified verified, Shared shared) {
    Explanation found = verified.explanation();
    List<ClosedSlice> closed = closed(found);
    StartBlocker blocker = shared.blocker();
    return new JobExplanation(
        job.id().toString(),
        job.state().name(),
        job.queue().clusterQueue(),
        found.index().index(),
        blocker == null ? found.blocker().name() : blocker.name(),
        (blocker == null ? found.blocker().cure() : blocker.cure()).name(),
        shared.sentence() == null ? sentence(found, closed) : shared.sentence(),
        found.ahead(),
        found.until(),
        found.startsBy(),
        ExplanationAnswers.plannedStart(job.queue().planned()),
        ExplanationAnswers.expectedStart(expected.find(job.id()), Instant.now()),
        ExplanationAnswers.obstacles(found),
        ExplanationAnswers.rungs(found),
        ExplanationAnswers.hold(found.account().hold()),
        ExplanationAnswers.submitter(found),
        ExplanationAnswers.inTheWay(found),
        ExplanationAnswers.othersInTheWay(found),
        ExplanationAnswers.change(found.change()),
        ExplanationAnswers.alternatives(verified.alternatives()),
        closed.isEmpty() ? null : closed,
        shared.headStart(),
        shared.run(),
        shared.accelerators());
  }

  private static String sentence(Explanation found, List<ClosedSlice> closed) {
    StringBuilder sentence = new StringBuilder(ExplanationSentence.of(found));
    for (ClosedSlice one : closed) {
      sentence.append("; slice ").append(one.slice()).append(": ").append(one.reason());
    }
    return sentence.toString();
  }

  private JobExplanation settled(StoredJob job, Shared shared) {
    StartBlocker blocker = shared.blocker();
    return new JobExplanation(
        job.id().toString(),
        job.state().name(),
        job.queue().clusterQueue(),
        null,
        blocker == null ? null : blocker.name(),
        blocker == null ? null : blocker.cure().name(),
        shared.sentence() == null ? sentence(job) : shared.sentence(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        shared.headStart(),
        shared.run(),
        shared.accelerators());
  }

  private String sentence(StoredJob job) {
    return switch (job.state()) {
      case SUBMITTED -> "acknowledged; it is queued with the next round";
      case PENDING -> "it is queued";
      case ADMITTED -> "admitted; its attempt is being started";
      case RUNNING -> running(job.id()).orElse("it runs");
      case DRAINING -> "its attempt was told to end and is not gone yet";
      case SUCCEEDED, FAILED, CANCELLED -> job.message().isEmpty() ? "it has ended" : job.message();
    };
  }

  private List<ClosedSlice> closed(Explanation explanation) {
    Set<String> flavors = new TreeSet<>();
    explanation.obstacles().stream()
        .filter(obstacle -> obstacle.resource().equals(ResourceName.TPU))
        .forEach(obstacle -> flavors.add(obstacle.flavor()));
    if (flavors.isEmpty() || standings.clusters().isEmpty()) {
      return List.of();
    }
    SortedMap<String, String> closed = new TreeMap<>();
    List<Slice> absent = view.ask(state -> absent(state, flavors)).value();
    for (Slice slice : absent) {
      String reason = closed.size() < CLOSED_MAX ? standings.reason(slice) : null;
      if (reason != null) {
        closed.put(slice.name(), reason);
      }
    }
    return closed.entrySet().stream()
        .map(entry -> new ClosedSlice(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static List<Slice> absent(AdmissionState state, Set<String> flavors) {
    List<Slice> absent = new ArrayList<>();
    for (SliceStanding standing : state.slices().standings().all()) {
      Slice slice = state.slices().find(standing.slice());
      if (slice != null
          && standing.condition() == SliceCondition.ABSENT
          && state.slices().flavorsOf(slice.name()).stream().anyMatch(flavors::contains)) {
        absent.add(slice);
      }
    }
    return absent;
  }

  /** The reason why an admitted part of a job does not start; null: none is known. */
  public @Nullable StartWait waitsFor(StoredJob job) {
    return switch (job.state()) {
      case ADMITTED, RUNNING, DRAINING -> executor.waitsFor(job.id());
      case SUBMITTED, PENDING, SUCCEEDED, FAILED, CANCELLED -> null;
    };
  }

  /** When a job is expected to start; null: it does not wait, or nothing is estimated. */
  public @Nullable JobExpectedStart expectedStart(StoredJob job) {
    return job.state() == JobState.PENDING
        ? ExplanationAnswers.expectedStart(expected.find(job.id()), Instant.now())
        : null;
  }

  /** The accelerator use of a job; null: unknown. */
  public @Nullable AcceleratorUse acceleratorUse(StoredJob job) {
    return job.state() == JobState.RUNNING ? executor.acceleratorUse().get(job.id()) : null;
  }

  /** A sentence about a running job; empty: there is nothing to say beyond its state. */
  private Optional<String> running(JobId id) {
    return view.ask(
            state -> {
              JobEntry job = state.findJob(id);
              return job == null
                  ? Optional.<String>empty()
                  : job.live().stream()
                      .map(ElasticSentence::of)
                      .filter(Objects::nonNull)
                      .findFirst();
            })
        .value();
  }

  /**
   * The jobs among these that have nothing admitted, each with the reason. Jobs of one caller
   * mostly wait for the same reason, so only the first {@value #REASONS_MAX} are explained; the
   * reason of the others is empty.
   */
  public Map<JobId, String> pending(List<JobId> jobs) {
    Predicate<String> readable = caller.readable()::contains;
    return view.ask(
            state -> {
              Map<JobId, String> pending = new TreeMap<>();
              for (JobId id : jobs) {
                JobEntry job = state.findJob(id);
                if (job != null && job.state() == JobState.PENDING) {
                  pending.put(id, pending.size() < REASONS_MAX ? reason(state, job, readable) : "");
                }
              }
              return pending;
            })
        .value();
  }

  private static String reason(AdmissionState state, JobEntry job, Predicate<String> readable) {
    return new Explainer(state)
        .explain(job)
        .map(found -> ExplanationSentence.of(found.seenBy(readable)))
        .orElse("");
  }

  /**
   * Explanations of a page of jobs, by job; jobs that are not in the view, or do not wait, are left
   * out. Commits wait for {@value #EXPLAINED_AT_ONCE} jobs at a time.
   */
  public Map<JobId, Explanation> explain(List<JobId> ids) {
    Map<JobId, Explanation> explanations = new TreeMap<>();
    Predicate<String> readable = caller.readable()::contains;
    LatestExplanations latest = new LatestExplanations(view);
    for (int from = 0; from < ids.size(); from += EXPLAINED_AT_ONCE) {
      List<JobId> some = ids.subList(from, Math.min(ids.size(), from + EXPLAINED_AT_ONCE));
      view.ask(
          state -> {
            PageExplanations page = latest.of(state);
            for (JobId id : some) {
              JobEntry job = state.findJob(id);
              if (job != null) {
                page.explain(job).ifPresent(found -> explanations.put(id, found.seenBy(readable)));
              }
            }
            return page.explained();
          });
    }
    return explanations;
  }

  /** The explanation of a job; empty if the job is not in the view, or does not wait. */
  public CommittedView.Answer<Optional<Explanation>> explain(JobId id) {
    Predicate<String> readable = caller.readable()::contains;
    return view.ask(
        state -> {
          JobEntry job = state.findJob(id);
          return job == null
              ? Optional.empty()
              : new Explainer(state).explain(job).map(found -> found.seenBy(readable));
        });
  }

  /**
   * As {@link #explain(JobId)}, with a smallest change that the engine has verified. Commits wait
   * only until the job's competitors are copied; the trials run on the copy.
   *
   * @param alternatives whether to seek changes of the job itself, too
   */
  public CommittedView.Answer<Optional<Verified>> explainByTrial(JobId id, boolean alternatives) {
    Predicate<String> readable = caller.readable()::contains;
    CommittedView.Answer<Optional<ToVerify>> answer =
        view.ask(
            state -> {
              JobEntry job = state.findJob(id);
              return job == null
                  ? Optional.<ToVerify>empty()
                  : new Explainer(state)
                      .explain(job)
                      .map(
                          found ->
                              new ToVerify(
                                  found,
                                  alternatives || ChangeSearch.appliesTo(found)
                                      ? Competitors.of(state, job)
                                      : null));
            });
    return new CommittedView.Answer<>(
        answer.value().map(found -> verified(found, alternatives).seenBy(readable)),
        answer.sequence());
  }

  private Verified verified(ToVerify found, boolean alternatives) {
    Explanation explanation = found.explanation();
    Competitors competitors = found.competitors();
    if (competitors == null) {
      return new Verified(explanation, List.of());
    }
    boolean named = ChangeSearch.appliesTo(explanation);
    if (!trials.tryAcquire()) {
      return new Verified(
          named ? explanation.withChange(SmallestChange.UNKNOWN) : explanation, List.of());
    }
    try {
      long deadline = System.nanoTime() + TRIAL_MAX.toNanos();
      BooleanSupplier goOn = () -> System.nanoTime() < deadline;
      EnginePolicy policy = view.policy();
      if (named) {
        SmallestChange change = new ChangeSearch(competitors, policy, goOn).find();
        explanation = explanation.withChange(change);
      }
      List<Alternative> others =
          alternatives
              ? new AlternativeSearch(competitors, policy, Instant.now(), goOn).find()
              : List.of();
      return new Verified(explanation, others);
    } finally {
      trials.release();
    }
  }

  /**
   * An explanation, and the copy for its trials.
   *
   * @param competitors null: there is nothing to try
   */
  private record ToVerify(Explanation explanation, @Nullable Competitors competitors) {}
}
