// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.pipeline.run.RunStep;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.pipeline.run.RunView;
import io.sluice.scheduler.pipeline.run.StepJobs;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Computes the runs that schedules will begin, and the jobs that these will submit, as far as they
 * are known, from the present pipelines and schedules. Nothing of it is stored.
 */
public final class UpcomingRuns {
  /** Maximum time to look ahead. */
  public static final Duration WITHIN_MAX = Duration.ofDays(7);

  /** Maximum number of steps of all runs in an answer; the run that exceeds it is the last. */
  private static final int STEPS_MAX = 5000;

  private final SharedTransactions transactions;
  private final ScheduleRepository repository;
  private final ReadingTerms terms;

  /**
   * A reader of upcoming runs.
   *
   * @param terms for reading jobs, the same as for those of runs
   */
  public UpcomingRuns(
      SharedTransactions transactions, ScheduleRepository repository, ReadingTerms terms) {
    this.transactions = transactions;
    this.repository = repository;
    this.terms = terms;
  }

  /**
   * Upcoming runs, ordered by due time.
   *
   * @param until the list is complete for runs that are due before this time
   * @param next where the list continues; null: it is complete
   */
  public record Answer(List<UpcomingRun> runs, Instant until, @Nullable Place next) {
    public Answer {
      runs = List.copyOf(runs);
    }
  }

  /**
   * The position of a run in the list.
   *
   * @param time logical time of the run
   */
  public record Place(
      Instant dueAt, String namespace, String pipeline, String schedule, Instant time)
      implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::dueAt)
            .thenComparing(Place::namespace)
            .thenComparing(Place::pipeline)
            .thenComparing(Place::schedule)
            .thenComparing(Place::time);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** A schedule with its pipeline as it is now. */
  record Found(StoredSchedule schedule, Pipeline pipeline, int version) {}

  /** The next run of a schedule. */
  private record Next(Found found, FirePlan plan, Instant time, Instant dueAt) {
    static final Comparator<Next> ORDER = Comparator.comparing(Next::place);

    /**
     * The first run of a schedule in the list after a place; null: there is none.
     *
     * @param after null: the first run of all
     */
    static @Nullable Next first(Found found, @Nullable Place after) {
      StoredSchedule schedule = found.schedule();
      FirePlan plan =
          FirePlan.of(
              schedule.namespace(), schedule.pipeline(), schedule.schedule(), Duration.ZERO);
      Instant from = schedule.progress().consideredTo();
      if (after != null) {
        // A fire before this time is due before the place, and so is any fire that it delays.
        Instant skipped = after.dueAt().minus(schedule.schedule().jitter()).minusMillis(1);
        from = skipped.isAfter(from) ? skipped : from;
      }
      Instant time = plan.next(from);
      Next next = time == null ? null : new Next(found, plan, time, plan.dueAt(time));
      while (next != null && after != null && next.place().compareTo(after) <= 0) {
        next = next.after();
      }
      return next;
    }

    Place place() {
      StoredSchedule schedule = found.schedule();
      return new Place(
          dueAt, schedule.namespace(), schedule.pipeline(), schedule.schedule().name(), time);
    }

    /**
     * The run after this one; null: there is none. Fires keep their order, whatever their jitter.
     */
    @Nullable Next after() {
      Instant later = plan.next(time);
      if (later == null) {
        return null;
      }
      Instant due = plan.dueAt(later);
      return new Next(found, plan, later, due.isBefore(dueAt) ? dueAt : due);
    }
  }

  /**
   * The next runs of schedules that are not paused.
   *
   * @param namespaces of whose schedules runs are listed
   * @param pipeline null: all
   * @param within how far ahead, at most {@link #WITHIN_MAX}
   * @param after the last run of the previous page; null: starts with the first
   */
  public Answer list(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      Duration within,
      @Nullable Place after,
      int most) {
    return transactions.run(
        "cannot read schedules",
        connection -> {
          Instant until = RunTransaction.now(connection).plus(within);
          return list(due(namespaces, pipeline, after, until, most), after, until, most);
        });
  }

  /** The schedules to which the next runs belong. */
  private List<Found> due(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      @Nullable Place after,
      Instant until,
      int most) {
    // The first runs belong to the schedules due first, so further schedules need not be read.
    if (after == null) {
      return repository.upcoming(namespaces, pipeline, Instant.EPOCH, until, most + 1);
    }
    List<Found> found = new ArrayList<>();
    if (after.dueAt().isBefore(until)) {
      found.addAll(
          repository.upcoming(
              namespaces, pipeline, Instant.EPOCH, after.dueAt(), Integer.MAX_VALUE));
      found.addAll(repository.upcoming(namespaces, pipeline, after.dueAt(), until, most + 1));
    }
    return found;
  }

  private Answer list(List<Found> due, @Nullable Place after, Instant until, int most) {
    PriorityQueue<Next> next = new PriorityQueue<>(Next.ORDER);
    for (Found found : due) {
      Next first = Next.first(found, after);
      if (first != null) {
        next.add(first);
      }
    }
    List<UpcomingRun> runs = new ArrayList<>();
    Place last = null;
    int steps = 0;
    while (!next.isEmpty() && !next.peek().dueAt().isAfter(until)) {
      Next first = next.remove();
      if (last != null && (runs.size() == most || steps >= STEPS_MAX)) {
        return new Answer(runs, last.dueAt(), last);
      }
      runs.add(run(first));
      last = first.place();
      steps += first.found().pipeline().allSteps().size();
      Next following = first.after();
      if (following != null) {
        next.add(following);
      }
    }
    return new Answer(runs, until, null);
  }

  private UpcomingRun run(Next next) {
    StoredSchedule schedule = next.found().schedule();
    return new UpcomingRun(
        schedule.namespace(),
        schedule.pipeline(),
        next.found().version(),
        schedule.schedule().name(),
        next.time(),
        next.dueAt(),
        jobs(next));
  }

  private List<UpcomingRun.Wanted> jobs(Next next) {
    Pipeline pipeline = next.found().pipeline();
    List<Step> steps = new ArrayList<>(pipeline.inOrder());
    if (pipeline.exitHandler() != null) {
      steps.add(pipeline.exitHandler());
    }
    List<UpcomingRun.Wanted> jobs = new ArrayList<>();
    RunView view;
    try {
      view = view(next);
    } catch (RefusedException refused) {
      String why = String.valueOf(refused.getMessage());
      steps.forEach(step -> jobs.add(new UpcomingRun.Wanted(step.name(), false, null, null, why)));
      return jobs;
    }
    StepJobs stepJobs = new StepJobs(view);
    for (Step step : steps) {
      boolean first = step.dependsOn().isEmpty() && !step.equals(pipeline.exitHandler());
      jobs.add(wanted(stepJobs, step, first));
    }
    return jobs;
  }

  /** The run as it will begin; its number is unknown before. */
  private static RunView view(Next next) {
    StoredSchedule schedule = next.found().schedule();
    Pipeline pipeline = next.found().pipeline();
    TreeMap<String, RunStep> steps = new TreeMap<>();
    for (Step step : pipeline.allSteps()) {
      steps.put(step.name(), new RunStep(step.name(), StepState.WAITING, List.of(), null, ""));
    }
    return new RunView(
        new UUID(0, 0),
        pipeline,
        new RunView.Identity(
            schedule.namespace(),
            schedule.pipeline() + "-0",
            next.time(),
            schedule.schedule().name(),
            next.dueAt()),
        parameters(pipeline, schedule),
        steps,
        null);
  }

  private static SortedMap<String, String> parameters(Pipeline pipeline, StoredSchedule schedule) {
    JsonNode values = RunStart.parameters(pipeline, ScheduleCheck.given(schedule.schedule()));
    return new TreeMap<>(RunRows.values(JournalJson.write(values)));
  }

  private UpcomingRun.Wanted wanted(StepJobs stepJobs, Step step, boolean first) {
    Integer count = null;
    try {
      List<@Nullable JsonNode> items = stepJobs.items(step);
      count = items.size();
      if (items.isEmpty()) {
        // Before its dependencies have run, their outputs read as a list without items.
        return first
            ? new UpcomingRun.Wanted(step.name(), true, count, null, "")
            : new UpcomingRun.Wanted(
                step.name(), false, null, null, "it is known when steps before it have ended");
      }
      JsonNode manifest = stepJobs.manifest(step, 0, 1, items.get(0), null);
      return new UpcomingRun.Wanted(
          step.name(), first, count, ManifestReader.readJobManifest(manifest, terms).job(), "");
    } catch (InvalidManifestException | InvalidValueException unknown) {
      return new UpcomingRun.Wanted(
          step.name(), first, count, null, String.valueOf(unknown.getMessage()));
    }
  }
}
