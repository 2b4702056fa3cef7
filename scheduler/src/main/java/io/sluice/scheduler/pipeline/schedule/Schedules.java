// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.pipeline.cron.CronLine;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations of users on schedules and backfills. Each call is one transaction. */
public final class Schedules {
  /** Maximum number of runs of a backfill. */
  public static final int BACKFILL_TIMES_MAX = 10_000;

  private static final String FAILED = "cannot read or write schedules";

  private final SharedTransactions transactions;
  private final PipelineRepository pipelines;
  private final ScheduleRepository schedules;
  private final BackfillRepository backfills;
  private final RunRepository runs;

  public Schedules(
      SharedTransactions transactions,
      PipelineRepository pipelines,
      ScheduleRepository schedules,
      BackfillRepository backfills,
      RunRepository runs) {
    this.transactions = transactions;
    this.pipelines = pipelines;
    this.schedules = schedules;
    this.backfills = backfills;
    this.runs = runs;
  }

  /**
   * Schedules, ordered by namespace, pipeline and name.
   *
   * @param namespaces of which schedules are listed
   * @param pipeline null: all
   * @param after namespace, pipeline and name of the last schedule of the previous page; null:
   *     starts with the first
   */
  public List<StoredSchedule> list(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      @Nullable List<String> after,
      int most) {
    return transactions.run(FAILED, () -> schedules.list(namespaces, pipeline, after, most));
  }

  /**
   * A schedule.
   *
   * @throws RefusedException if there is none
   */
  public StoredSchedule find(String namespace, String pipeline, String name) {
    return transactions.run(
        FAILED,
        () -> require(schedules.find(namespace, pipeline, name), namespace, pipeline, name));
  }

  private static StoredSchedule require(
      @Nullable StoredSchedule found, String namespace, String pipeline, String name) {
    if (found == null) {
      throw new RefusedException(
          Kind.NOT_FOUND,
          "pipeline %s in namespace %s has no schedule %s".formatted(pipeline, namespace, name));
    }
    return found;
  }

  /** The next logical times of a schedule, paused or not; fewer if it ends before. */
  public static List<Instant> upcoming(StoredSchedule stored, int most) {
    FirePlan plan =
        FirePlan.of(stored.namespace(), stored.pipeline(), stored.schedule(), Duration.ZERO);
    List<Instant> times = new ArrayList<>();
    Instant time = plan.next(stored.progress().consideredTo());
    while (time != null && times.size() < most) {
      times.add(time);
      time = plan.next(time);
    }
    return times;
  }

  /**
   * Pauses a schedule: it does not fire until it is resumed. Its runs continue.
   *
   * @throws RefusedException if there is none
   */
  public StoredSchedule pause(String namespace, String pipeline, String name, Caller caller) {
    return set(namespace, pipeline, name, true, caller);
  }

  /**
   * Resumes a schedule: it fires again from now on, without the fires of the pause.
   *
   * @throws RefusedException if there is none
   */
  public StoredSchedule resume(String namespace, String pipeline, String name, Caller caller) {
    return set(namespace, pipeline, name, false, caller);
  }

  private StoredSchedule set(
      String namespace, String pipeline, String name, boolean paused, Caller caller) {
    return transactions.run(
        FAILED,
        connection -> {
          // Lock the pipeline before its schedule, in the same order as a save.
          pipelines.lock(namespace, pipeline);
          StoredSchedule found =
              require(schedules.lock(namespace, pipeline, name), namespace, pipeline, name);
          if (found.paused() == paused) {
            return found;
          }
          Instant consideredTo =
              paused ? found.progress().consideredTo() : RunTransaction.now(connection);
          schedules.setProgress(namespace, pipeline, found.schedule(), consideredTo, paused);
          schedules.edited();
          AuditEntry.Action action = paused ? AuditEntry.Action.PAUSE : AuditEntry.Action.RESUME;
          audit(connection, caller, action, namespace, pipeline, detail(name));
          return require(schedules.find(namespace, pipeline, name), namespace, pipeline, name);
        });
  }

  private static ObjectNode detail(String schedule) {
    return JsonNodeFactory.instance.objectNode().put("schedule", schedule);
  }

  private static void audit(
      Connection connection,
      Caller caller,
      AuditEntry.Action action,
      String namespace,
      String pipeline,
      ObjectNode detail)
      throws SQLException {
    AuditRows.insert(
        connection,
        List.of(new AuditEntry(caller, action, "Pipeline", namespace, pipeline, null, detail)));
  }

  /**
   * A request for a backfill.
   *
   * @param from first logical time, inclusive
   * @param to end of the logical times, exclusive
   * @param maxParallel maximum number of concurrent runs
   * @param key idempotency key: a repetition returns the same backfill; null: each call begins one
   */
  public record Wanted(Instant from, Instant to, int maxParallel, @Nullable String key) {}

  /**
   * Begins a backfill.
   *
   * @throws RefusedException if there is no such schedule, or the range has no past logical times,
   *     or too many
   */
  public StoredBackfill backfill(
      String namespace, String pipeline, String name, Wanted wanted, Caller caller) {
    return transactions.run(
        FAILED,
        connection -> {
          StoredPipeline stored = pipelines.lock(namespace, pipeline);
          StoredSchedule schedule =
              require(schedules.find(namespace, pipeline, name), namespace, pipeline, name);
          UUID id =
              stored == null
                  ? UUID.randomUUID()
                  : RunStart.id(stored.pipeline(), wanted.key(), caller);
          StoredBackfill before = backfills.find(id);
          if (before != null) {
            return same(before, wanted, name);
          }
          if (wanted.to().isAfter(RunTransaction.now(connection))) {
            throw refused("a backfill is of past times: it must not go on after now");
          }
          StoredBackfill made = made(id, schedule, wanted, caller);
          backfills.insert(made, caller);
          ObjectNode detail =
              detail(name)
                  .put("backfill", id.toString())
                  .put("from", wanted.from().toString())
                  .put("to", wanted.to().toString());
          audit(connection, caller, AuditEntry.Action.SUBMIT, namespace, pipeline, detail);
          RunRows.tell(connection);
          return require(backfills.find(id), id);
        });
  }

  private static StoredBackfill same(StoredBackfill before, Wanted wanted, String schedule) {
    if (before.times().from().equals(wanted.from().truncatedTo(ChronoUnit.MICROS))
        && before.times().to().equals(wanted.to().truncatedTo(ChronoUnit.MICROS))
        && before.of().schedule().equals(schedule)
        && before.counts().maxParallel() == wanted.maxParallel()) {
      return before;
    }
    throw new RefusedException(
        Kind.KEY_REUSED, "the idempotency key was used for another backfill: " + before.id());
  }

  private static StoredBackfill made(
      UUID id, StoredSchedule schedule, Wanted wanted, Caller caller) {
    String cron = schedule.schedule().cron();
    CronLine line = CronLine.parse(cron);
    Instant before = wanted.from().minusMillis(1);
    int times = 0;
    Instant time = line.next(before, schedule.schedule().timeZone());
    while (time != null && time.isBefore(wanted.to()) && times <= BACKFILL_TIMES_MAX) {
      times++;
      time = line.next(time, schedule.schedule().timeZone());
    }
    if (times > BACKFILL_TIMES_MAX) {
      throw refused(
          "a backfill has at most %d runs; %s fires more often from %s to %s: ask for less at a time"
              .formatted(BACKFILL_TIMES_MAX, cron, wanted.from(), wanted.to()));
    }
    if (times == 0) {
      throw refused(
          "%s fires at no time from %s to %s".formatted(cron, wanted.from(), wanted.to()));
    }
    return new StoredBackfill(
        id,
        new StoredBackfill.Of(
            schedule.namespace(), schedule.pipeline(), schedule.schedule().name()),
        new StoredBackfill.Times(
            wanted.from(), wanted.to(), cron, schedule.schedule().timeZone(), before, before, null),
        new StoredBackfill.Counts(wanted.maxParallel(), times, 0, 0),
        StoredBackfill.State.RUNNING,
        "",
        caller.name());
  }

  private static RefusedException refused(String reason) {
    return new RefusedException(Kind.UNPROCESSABLE, reason);
  }

  private static StoredBackfill require(@Nullable StoredBackfill found, UUID id) {
    if (found == null) {
      throw new RefusedException(Kind.NOT_FOUND, "there is no backfill " + id);
    }
    return found;
  }

  /**
   * A backfill.
   *
   * @throws RefusedException if there is none in these namespaces
   */
  public StoredBackfill backfill(UUID id, NamespaceScope readable) {
    Optional<StoredBackfill> found =
        transactions
            .run(FAILED, () -> Optional.ofNullable(backfills.find(id)))
            .filter(backfill -> readable.contains(backfill.of().namespace()));
    return require(found.orElse(null), id);
  }

  /** Backfills, the newest first. */
  public List<StoredBackfill> backfills(BackfillFilter filter, int most) {
    return transactions.run(FAILED, () -> backfills.list(filter, most));
  }

  /**
   * Cancels a backfill with its live runs. A backfill that has ended is left as it is.
   *
   * @throws RefusedException if there is none
   */
  public StoredBackfill cancel(UUID id, Caller caller) {
    return transactions.run(
        FAILED,
        connection -> {
          StoredBackfill found = require(backfills.lock(id), id);
          if (found.state() == StoredBackfill.State.RUNNING) {
            String reason = "cancelled by " + caller.name();
            backfills.end(id, StoredBackfill.State.CANCELLED, reason);
            runs.cancelOfBackfill(id, reason);
            StoredBackfill.Of of = found.of();
            ObjectNode detail = detail(of.schedule()).put("backfill", id.toString());
            audit(
                connection,
                caller,
                AuditEntry.Action.CANCEL,
                of.namespace(),
                of.pipeline(),
                detail);
            RunRows.tell(connection);
          }
          return require(backfills.find(id), id);
        });
  }
}
