// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.projection.ProjectedJob.Loss;
import io.sluice.admission.projection.ProjectedJob.Who;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two projections of one state, without and with changes.
 *
 * @param begun virtual time at which both begin
 * @param until virtual time up to which both decided everything; nothing later is compared
 * @param truncated whether a bound stopped one of them before its horizon
 * @param jobs jobs that were asked for, in that order; then the other affected ones, those that
 *     lose most first
 * @param counts number of jobs by effect
 */
public record ProjectionComparison(
    Instant begun,
    Instant until,
    boolean truncated,
    List<JobChange> jobs,
    Map<Effect, Integer> counts,
    Cost without,
    Cost with) {
  private static final Comparator<JobChange> ORDER =
      Comparator.comparing(JobChange::effect)
          .thenComparing(
              change -> change.delay() == null ? Duration.ZERO : change.delay().negated())
          .thenComparing(change -> change.who().job());

  public ProjectionComparison {
    jobs = List.copyOf(jobs);
    counts = Collections.unmodifiableMap(new EnumMap<>(counts));
  }

  /** The effect of the changes on a job. Affected jobs are listed in this order. */
  public enum Effect {
    /** More of its attempts are evicted. */
    DISPLACED,
    /** It does not start by the end of the comparison; without the changes it does, or is new. */
    NEVER,
    LATER,
    /** Whether it starts depends on a provider of capacity, with or without the changes. */
    UNKNOWN,
    /** It starts; without the changes it does not by the end of the comparison, or is new. */
    STARTS,
    EARLIER,
    /** Fewer of its attempts are evicted. */
    SPARED,
    UNCHANGED
  }

  /**
   * A job without and with the changes.
   *
   * @param running whether it runs at the beginning
   * @param before its start without the changes; null if there is none by the end
   * @param after its start with the changes; after an eviction that of its restart. Null if there
   *     is none by the end
   * @param seeksCapacity whether it seeks capacity from a provider before it starts
   * @param loss its evictions with the changes
   * @param preemptor the job for which the first of them happens; null if it is unknown
   */
  public record JobChange(
      Who who,
      Effect effect,
      boolean running,
      @Nullable Instant before,
      @Nullable Instant after,
      boolean seeksCapacity,
      Loss loss,
      @Nullable Who preemptor) {
    private JobChange never() {
      return new JobChange(
          who, Effect.NEVER, running, before, after, seeksCapacity, loss, preemptor);
    }

    /** Returns how much later it starts, negative if earlier; null unless it starts in both. */
    public @Nullable Duration delay() {
      return before == null || after == null ? null : Duration.between(before, after);
    }
  }

  /**
   * What evictions cost in a projection.
   *
   * @param jobs number of jobs of which attempts are evicted
   */
  public record Cost(int jobs, int evictions, long attemptSeconds, long deviceSeconds) {
    private static Cost of(Projection projection) {
      Cost sum = new Cost(0, 0, 0, 0);
      for (ProjectedJob job : projection.jobs().values()) {
        Loss loss = job.loss();
        if (loss.evictions() > 0) {
          sum =
              new Cost(
                  sum.jobs + 1,
                  sum.evictions + loss.evictions(),
                  sum.attemptSeconds + loss.attemptSeconds(),
                  sum.deviceSeconds + loss.deviceSeconds());
        }
      }
      return sum;
    }
  }

  /**
   * Compares two projections that begin at the same time.
   *
   * @param asked jobs that are listed in any case
   * @param submitted those of them that the changes submit
   */
  public static ProjectionComparison of(
      Projection without, Projection with, List<Who> asked, Set<JobId> submitted) {
    Instant until = without.until().isBefore(with.until()) ? without.until() : with.until();
    List<JobChange> jobs = new ArrayList<>();
    Map<Effect, Integer> counts = new EnumMap<>(Effect.class);
    SortedSet<JobId> others = new TreeSet<>(without.jobs().keySet());
    others.addAll(with.jobs().keySet());
    for (Who who : asked) {
      others.remove(who.job());
      JobChange change = change(who, without, with, until);
      boolean never = change.effect() == Effect.UNCHANGED && submitted.contains(who.job());
      JobChange told = never ? change.never() : change;
      jobs.add(told);
      counts.merge(told.effect(), 1, Integer::sum);
    }
    List<JobChange> affected = new ArrayList<>();
    for (JobId id : others) {
      ProjectedJob known =
          with.jobs().containsKey(id) ? with.jobs().get(id) : without.jobs().get(id);
      if (known != null) {
        JobChange change = change(known.who(), without, with, until);
        counts.merge(change.effect(), 1, Integer::sum);
        if (change.effect() != Effect.UNCHANGED) {
          affected.add(change);
        }
      }
    }
    affected.sort(ORDER);
    jobs.addAll(affected);
    return new ProjectionComparison(
        without.begun(),
        until,
        without.truncated() || with.truncated(),
        jobs,
        counts,
        Cost.of(without),
        Cost.of(with));
  }

  private static JobChange change(Who who, Projection without, Projection with, Instant until) {
    ProjectedJob one = of(who, without);
    ProjectedJob other = of(who, with);
    Loss loss = other.loss();
    boolean displaced = loss.evictions() > one.loss().evictions();
    Instant restart = loss.restart();
    Instant before = one.startBy(until);
    Instant after = displaced ? restart : other.startBy(until);
    boolean running = other.running() || one.running();
    Effect effect =
        displaced
            ? Effect.DISPLACED
            : loss.evictions() < one.loss().evictions()
                ? Effect.SPARED
                : effect(one, other, before, after);
    return new JobChange(
        who, effect, running, before, after, other.sought() != null, loss, preemptor(loss, with));
  }

  private static @Nullable Who preemptor(Loss loss, Projection with) {
    JobId id = loss.preemptor();
    ProjectedJob known = id == null ? null : with.jobs().get(id);
    return known == null ? null : known.who();
  }

  private static ProjectedJob of(Who who, Projection projection) {
    ProjectedJob known = projection.jobs().get(who.job());
    return known == null ? new ProjectedJob(who, false, null, null, Loss.NONE) : known;
  }

  private static Effect effect(
      ProjectedJob one, ProjectedJob other, @Nullable Instant before, @Nullable Instant after) {
    if (one.sought() != null && other.sought() != null) {
      return Effect.UNCHANGED;
    }
    if (one.sought() != null || other.sought() != null) {
      return Effect.UNKNOWN;
    }
    if (before == null || after == null) {
      return before != null ? Effect.NEVER : after != null ? Effect.STARTS : Effect.UNCHANGED;
    }
    int order = after.compareTo(before);
    return order > 0 ? Effect.LATER : order < 0 ? Effect.EARLIER : Effect.UNCHANGED;
  }
}
