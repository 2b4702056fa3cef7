// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.quartz;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.CronTrigger;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/**
 * This server's member of Quartz's cluster: each trigger fires on one of the servers, and wakes
 * that one. Quartz starts with the first trigger, so that a server without schedules has none of
 * its threads and connections. Used by one thread.
 */
public final class WakingTriggers implements AutoCloseable {
  private static final String NAME = "sluice";
  private static final JobKey JOB = JobKey.jobKey("wake", NAME);

  /** Few, as a wake-up takes no time: Quartz's threads only write that a trigger has fired. */
  private static final int THREADS = 2;

  /** Check-in interval of the cluster, after which a server sees triggers that others created. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final DataSource database;
  private final Runnable wake;
  private @Nullable Scheduler scheduler;

  /**
   * Triggers without a running Quartz.
   *
   * @param wake called by several threads; returns at once
   */
  public WakingTriggers(DataSource database, Runnable wake) {
    this.database = database;
    this.wake = wake;
  }

  /** The job class that Quartz stores; each server runs its own wake-up in its place. */
  static final class Waking implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      throw new IllegalStateException("waking is the server's, not Quartz's");
    }
  }

  /**
   * Replaces the stored triggers by the wanted ones. Several servers may do so concurrently.
   *
   * @throws IllegalStateException if Quartz fails; some triggers may have been changed
   */
  public void keep(Set<WantedTrigger> wanted) {
    if (wanted.isEmpty() && scheduler == null) {
      return;
    }
    try {
      Scheduler running = running();
      TreeMap<String, WantedTrigger> missing = new TreeMap<>();
      for (WantedTrigger one : wanted) {
        missing.put(name(one), one);
      }
      for (TriggerKey there : running.getTriggerKeys(GroupMatcher.triggerGroupEquals(NAME))) {
        if (missing.remove(there.getName()) == null) {
          running.unscheduleJob(there);
        }
      }
      for (var entry : missing.entrySet()) {
        add(running, TriggerKey.triggerKey(entry.getKey(), NAME), entry.getValue());
      }
    } catch (SchedulerException failure) {
      throw new IllegalStateException(
          "Quartz does not take triggers: " + failure.getMessage(), failure);
    }
  }

  /** A name of bounded length that depends only on the line and the zone. */
  private static String name(WantedTrigger wanted) {
    String both = wanted.timeZone() + " " + wanted.line();
    return UUID.nameUUIDFromBytes(both.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static void add(Scheduler running, TriggerKey key, WantedTrigger wanted)
      throws SchedulerException {
    CronTrigger trigger =
        TriggerBuilder.newTrigger()
            .withIdentity(key)
            .forJob(JOB)
            .withSchedule(
                CronScheduleBuilder.cronSchedule(wanted.line())
                    .inTimeZone(TimeZone.getTimeZone(wanted.timeZone()))
                    // The woken server looks for all missed fires, so one wake-up is enough.
                    .withMisfireHandlingInstructionFireAndProceed())
            .build();
    try {
      running.scheduleJob(trigger);
    } catch (SchedulerException failure) {
      if (!running.checkExists(key)) {
        throw failure;
      }
      // Another server has added it meanwhile.
    }
  }

  private Scheduler running() throws SchedulerException {
    Scheduler running = scheduler;
    if (running == null) {
      running = make(UUID.randomUUID().toString());
      running.addJob(
          JobBuilder.newJob(Waking.class).withIdentity(JOB).storeDurably().build(), true);
      running.start();
      scheduler = running;
    }
    return running;
  }

  private Scheduler make(String instance) throws SchedulerException {
    DBConnectionManager.getInstance().addConnectionProvider(instance, new Connections(database));
    Properties settings = new Properties();
    String ofScheduler = "org.quartz.scheduler.";
    settings.setProperty(ofScheduler + "instanceName", NAME);
    settings.setProperty(ofScheduler + "instanceId", instance);
    settings.setProperty(ofScheduler + "skipUpdateCheck", "true");
    settings.setProperty(ofScheduler + "makeSchedulerThreadDaemon", "true");
    settings.setProperty(ofScheduler + "idleWaitTime", Long.toString(LOOK.toMillis()));
    settings.setProperty(
        ofScheduler + "batchTriggerAcquisitionMaxCount", Integer.toString(THREADS));
    settings.setProperty("org.quartz.threadPool.class", SimpleThreadPool.class.getName());
    settings.setProperty("org.quartz.threadPool.threadCount", Integer.toString(THREADS));
    settings.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
    String ofStore = "org.quartz.jobStore.";
    settings.setProperty(ofStore + "class", JobStoreTX.class.getName());
    settings.setProperty(ofStore + "driverDelegateClass", PostgreSQLDelegate.class.getName());
    settings.setProperty(ofStore + "dataSource", instance);
    settings.setProperty(ofStore + "tablePrefix", "qrtz_");
    settings.setProperty(ofStore + "useProperties", "true");
    settings.setProperty(ofStore + "isClustered", "true");
    settings.setProperty(ofStore + "clusterCheckinInterval", Long.toString(LOOK.toMillis()));
    settings.setProperty(ofStore + "acquireTriggersWithinLock", "true");
    Scheduler made;
    synchronized (WakingTriggers.class) {
      made = new StdSchedulerFactory(settings).getScheduler();
      // Otherwise the next scheduler of that name in this process would be this one.
      SchedulerRepository.getInstance().remove(NAME);
    }
    made.setJobFactory((fired, by) -> context -> wake.run());
    return made;
  }

  @Override
  public void close() {
    Scheduler running = scheduler;
    scheduler = null;
    if (running != null) {
      try {
        running.shutdown(false);
      } catch (SchedulerException failure) {
        throw new IllegalStateException("Quartz does not end: " + failure.getMessage(), failure);
      }
    }
  }

  /** Provides Quartz with connections of the server's own pool. */
  private record Connections(DataSource database) implements ConnectionProvider {
    @Override
    public Connection getConnection() throws SQLException {
      return database.getConnection();
    }

    @Override
    public void initialize() {
      // The pool exists already.
    }

    @Override
    public void shutdown() {
      // Other parts use the pool too.
    }
  }
}
