// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.PipelineSchedule;
import io.sluice.restmodel.pipeline.UpcomingRunList;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
import io.sluice.scheduler.pipeline.schedule.StoredSchedule;
import io.sluice.scheduler.pipeline.schedule.UpcomingRun;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts schedules and backfills to answers. */
final class ScheduleAnswers {
  private ScheduleAnswers() {}

  /** The time zone as manifests write it: UTC, whose id would be {@code Z}. */
  private static String zone(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  /**
   * A schedule.
   *
   * @param upcoming number of its next logical times to add
   */
  static PipelineSchedule schedule(StoredSchedule stored, int upcoming) {
    Schedule schedule = stored.schedule();
    StoredSchedule.Progress progress = stored.progress();
    return new PipelineSchedule(
        stored.namespace(),
        stored.pipeline(),
        schedule.name(),
        schedule.cron(),
        zone(schedule.timeZone()),
        schedule.policies().concurrency().word(),
        schedule.policies().misfire().word(),
        stored.paused(),
        stored.savedBy(),
        progress.consideredTo(),
        progress.next(),
        progress.dueAt(),
        progress.missed(),
        progress.missedAt(),
        Texts.unlessEmpty(progress.missedReason()),
        upcoming > 0 ? Schedules.upcoming(stored, upcoming) : null);
  }

  static UpcomingRunList upcoming(UpcomingRuns.Answer answer) {
    return new UpcomingRunList(
        answer.runs().stream().map(ScheduleAnswers::upcomingRun).toList(),
        answer.next() == null ? null : Pages.write(answer.next()),
        answer.until());
  }

  private static UpcomingRunList.Upcoming upcomingRun(UpcomingRun run) {
    return new UpcomingRunList.Upcoming(
        run.namespace(),
        run.pipeline(),
        run.version(),
        run.schedule(),
        run.logicalTime(),
        run.dueAt(),
        run.jobs().stream().map(ScheduleAnswers::jobs).toList());
  }

  private static UpcomingRunList.StepJobs jobs(UpcomingRun.Wanted wanted) {
    JobSpec job = wanted.job();
    return new UpcomingRunList.StepJobs(
        wanted.step(),
        wanted.first(),
        wanted.count(),
        Texts.unlessEmpty(wanted.unknown()),
        job == null ? null : job.queue(),
        job == null ? null : job.computeClass(),
        job == null ? null : job.priority().className(),
        job == null ? null : slices(job.accelerator()),
        job == null ? null : job.shape().podSets().stream().map(ScheduleAnswers::podSet).toList());
  }

  private static UpcomingRunList.@Nullable Slices slices(@Nullable AcceleratorRequest accelerator) {
    return accelerator == null
        ? null
        : new UpcomingRunList.Slices(
            accelerator.type(),
            accelerator.topology().toString(),
            accelerator.slices().min(),
            accelerator.slices().max());
  }

  private static UpcomingRunList.PodSet podSet(PodSet podSet) {
    Map<String, String> requests = new LinkedHashMap<>();
    podSet
        .requests()
        .amounts()
        .forEach(
            (resource, amount) ->
                requests.put(resource.value(), Quantities.format(amount, resource)));
    return new UpcomingRunList.PodSet(podSet.name(), podSet.count(), requests);
  }

  static Backfill backfill(StoredBackfill backfill) {
    StoredBackfill.Times times = backfill.times();
    StoredBackfill.Counts counts = backfill.counts();
    return new Backfill(
        backfill.id().toString(),
        backfill.of().namespace(),
        backfill.of().pipeline(),
        backfill.of().schedule(),
        times.from(),
        times.to(),
        counts.maxParallel(),
        counts.times(),
        counts.begun(),
        counts.thereBefore(),
        backfill.state().name(),
        Texts.unlessEmpty(backfill.reason()),
        backfill.createdBy(),
        times.created(),
        times.ended());
  }
}
