// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.scheduler.pipeline.cron.CronLine;
import io.sluice.scheduler.pipeline.cron.QuartzLines;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/** The rows of schedules. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class ScheduleRepository
    implements PanacheRepositoryBase<ScheduleEntity, ScheduleEntity.Key> {
  /** Schedules with their pipelines in one statement. */
  private static final String SELECT =
      """
      select s, p.manifest, p.version from ScheduleEntity s
      join PipelineEntity p on p.namespace = s.namespace and p.name = s.pipeline
      """;

  private static final String KEY = " where namespace = ?1 and pipeline = ?2 and name = ?3";

  /** A schedule with its pipeline. */
  record Row(ScheduleEntity schedule, String manifest, int version) {}

  /** A schedule; null if there is none. */
  @Nullable StoredSchedule find(String namespace, String pipeline, String name) {
    List<Row> found =
        find(
                SELECT + "where s.namespace = ?1 and s.pipeline = ?2 and s.name = ?3",
                namespace,
                pipeline,
                name)
            .project(Row.class)
            .list();
    return found.isEmpty() ? null : stored(found.get(0)).schedule();
  }

  /** As {@link #find}; locked until the end of the transaction. */
  @Nullable StoredSchedule lock(String namespace, String pipeline, String name) {
    ScheduleEntity row = lockRow(new ScheduleEntity.Key(namespace, pipeline, name));
    return row == null ? null : find(namespace, pipeline, name);
  }

  private @Nullable ScheduleEntity lockRow(ScheduleEntity.Key key) {
    ScheduleEntity row = findById(key, LockModeType.PESSIMISTIC_WRITE);
    if (row != null) {
      getEntityManager().detach(row);
    }
    return row;
  }

  /**
   * Schedules, ordered by namespace, pipeline and name.
   *
   * @param namespaces of which schedules are listed
   * @param pipeline null: all
   * @param after returns only later ones; null: starts with the first
   */
  List<StoredSchedule> list(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      @Nullable List<String> after,
      int most) {
    List<String> last = after == null ? List.of("", "", "") : after;
    String where =
        """
        where (?1 = true or s.namespace in ?2) and (?3 is null or s.pipeline = ?3)
          and (s.namespace, s.pipeline, s.name) > (?4, ?5, ?6)
        order by s.namespace, s.pipeline, s.name
        """;
    return find(
            SELECT + where,
            namespaces.isAll(),
            namespaces.names(),
            pipeline,
            last.get(0),
            last.get(1),
            last.get(2))
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .project(Row.class)
        .list()
        .stream()
        .map(row -> stored(row).schedule())
        .toList();
  }

  /**
   * Schedules due in a period, ordered by due time.
   *
   * @param after exclusive
   * @param until inclusive
   * @param namespaces of which schedules are listed
   * @param pipeline null: all
   */
  List<UpcomingRuns.Found> upcoming(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      Instant after,
      Instant until,
      int most) {
    String where =
        """
        where (?1 = true or s.namespace in ?2) and (?3 is null or s.pipeline = ?3)
          and s.dueAt > ?4 and s.dueAt <= ?5
        order by s.dueAt, s.namespace, s.pipeline, s.name
        """;
    return find(SELECT + where, namespaces.isAll(), namespaces.names(), pipeline, after, until)
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .project(Row.class)
        .list()
        .stream()
        .map(this::stored)
        .toList();
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private UpcomingRuns.Found stored(Row row) {
    ScheduleEntity found = row.schedule();
    getEntityManager().detach(found);
    Pipeline pipeline = ManifestReader.readPipeline(row.manifest());
    Schedule schedule = pipeline.schedule(found.name);
    if (schedule == null) {
      throw new IllegalStateException(
          "pipeline " + pipeline.meta().name() + " has no schedule " + found.name);
    }
    StoredSchedule stored =
        new StoredSchedule(
            found.namespace,
            found.pipeline,
            schedule,
            found.paused,
            new StoredSchedule.Progress(
                found.consideredTo,
                found.nextTime,
                found.dueAt,
                found.missed,
                found.missedAt,
                found.missedReason),
            found.savedBy);
    return new UpcomingRuns.Found(stored, pipeline, row.version());
  }

  /**
   * Replaces the stored schedules of a pipeline by its present ones. A schedule with unchanged
   * times keeps its progress; others start now. A schedule that a user paused stays paused unless
   * the manifest changes that field. The caller has locked the pipeline's row.
   *
   * @param before null: it is new
   * @param now by the database's clock
   */
  public void save(@Nullable Pipeline before, Pipeline pipeline, Caller caller, Instant now) {
    if (pipeline.schedules().isEmpty() && (before == null || before.schedules().isEmpty())) {
      return;
    }
    String namespace = pipeline.meta().namespace();
    String name = pipeline.meta().name();
    Set<String> names = new TreeSet<>();
    for (Schedule schedule : pipeline.schedules()) {
      names.add(schedule.name());
      Schedule former = before == null ? null : before.schedule(schedule.name());
      save(new ScheduleEntity.Key(namespace, name, schedule.name()), former, schedule, caller, now);
    }
    if (names.isEmpty()) {
      delete("namespace = ?1 and pipeline = ?2", namespace, name);
    } else {
      delete("namespace = ?1 and pipeline = ?2 and name not in ?3", namespace, name, names);
    }
    edited();
  }

  private void save(
      ScheduleEntity.Key key,
      @Nullable Schedule former,
      Schedule schedule,
      Caller caller,
      Instant now) {
    ScheduleEntity row = lockRow(key);
    boolean paused = schedule.paused();
    Instant consideredTo = now;
    if (former != null && row != null) {
      paused = former.paused() == paused ? row.paused : paused;
      boolean resumed = row.paused && !paused;
      consideredTo = resumed || !sameTimes(former, schedule) ? now : row.consideredTo;
    }
    String[] lines = QuartzLines.of(CronLine.parse(schedule.cron())).toArray(String[]::new);
    if (row == null) {
      insert(key, schedule, lines, caller, now);
    } else {
      update(
          "quartz = ?4, timeZone = ?5, savedBy = ?6, savedRole = ?7, savedGroups = ?8" + KEY,
          key.namespace(),
          key.pipeline(),
          key.name(),
          lines,
          schedule.timeZone().getId(),
          caller.name(),
          caller.role().word(),
          caller.groups().toArray(String[]::new));
    }
    setProgress(key.namespace(), key.pipeline(), schedule, consideredTo, paused);
  }

  private void insert(
      ScheduleEntity.Key key, Schedule schedule, String[] lines, Caller caller, Instant now) {
    ScheduleEntity row = new ScheduleEntity();
    row.namespace = key.namespace();
    row.pipeline = key.pipeline();
    row.name = key.name();
    row.quartz = lines;
    row.timeZone = schedule.timeZone().getId();
    row.paused = true;
    row.consideredTo = now;
    row.missedReason = "";
    row.savedBy = caller.name();
    row.savedRole = caller.role().word();
    row.savedGroups = caller.groups().toArray(String[]::new);
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  private static boolean sameTimes(Schedule one, Schedule other) {
    return one.cron().equals(other.cron())
        && one.timeZone().equals(other.timeZone())
        && one.span().equals(other.span());
  }

  /** Sets the progress of a schedule, and its next due time. */
  void setProgress(
      String namespace, String pipeline, Schedule schedule, Instant consideredTo, boolean paused) {
    FirePlan plan = FirePlan.of(namespace, pipeline, schedule, Duration.ZERO);
    Instant next = paused ? null : plan.next(consideredTo);
    update(
        "consideredTo = ?4, nextTime = ?5, dueAt = ?6, paused = ?7" + KEY,
        namespace,
        pipeline,
        schedule.name(),
        consideredTo,
        next,
        next == null ? null : plan.dueAt(next),
        paused);
  }

  /** Increases the counter of edits, so that servers update Quartz's triggers. */
  public void edited() {
    getSession()
        .createNativeQuery("SELECT nextval('pipeline_schedule_edit')", Long.class)
        .getSingleResult();
  }
}
