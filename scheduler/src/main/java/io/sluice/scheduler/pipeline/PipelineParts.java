// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import io.agroal.api.AgroalDataSource;
import io.sluice.manifests.Configuration;
import io.sluice.scheduler.config.DurationSetting;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.run.RunAdvances;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.RunRetention;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.pipeline.schedule.BackfillRepository;
import io.sluice.scheduler.pipeline.schedule.BackfillTransaction;
import io.sluice.scheduler.pipeline.schedule.ScheduleFires;
import io.sluice.scheduler.pipeline.schedule.ScheduleRepository;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.JobCheck;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the parts that store, run and schedule pipelines. */
final class PipelineParts {
  private final AgroalDataSource database;
  private final SharedTransactions transactions;

  PipelineParts(AgroalDataSource database, SharedTransactions transactions) {
    this.database = database;
    this.transactions = transactions;
  }

  @Produces
  @Singleton
  StepCheck stepCheck(JobCheck jobCheck, Configuration configuration) {
    return new StepCheck(jobCheck, configuration.readingTerms());
  }

  @Produces
  @Singleton
  Pipelines pipelines(
      PipelineRepository pipelines, ScheduleRepository schedules, RunRepository runs) {
    return new Pipelines(transactions, pipelines, schedules, runs);
  }

  @Produces
  @Singleton
  PipelineRunner runner(
      JobCheck jobCheck,
      Configuration configuration,
      PipelineRepository pipelines,
      BackfillRepository backfills,
      RunRepository runs,
      Owners owners) {
    return new PipelineRunner(
        database,
        transactions,
        new RunAdvances(
            () -> new RunTransaction(database, jobCheck, configuration.readingTerms(), owners)),
        new RunRetention(transactions, runs),
        backfills,
        new BackfillTransaction(transactions, pipelines, backfills, owners));
  }

  @Produces
  @Singleton
  Schedules schedules(
      PipelineRepository pipelines,
      ScheduleRepository schedules,
      BackfillRepository backfills,
      RunRepository runs) {
    return new Schedules(transactions, pipelines, schedules, backfills, runs);
  }

  @Produces
  @Singleton
  UpcomingRuns upcomingRuns(ScheduleRepository schedules, Configuration configuration) {
    return new UpcomingRuns(transactions, schedules, configuration.readingTerms());
  }

  @Produces
  @Singleton
  ScheduleFires fires(ServerSettings settings, Owners owners) {
    return new ScheduleFires(
        database, DurationSetting.MISSED_AFTER.read(settings.missedAfter()), owners);
  }
}
