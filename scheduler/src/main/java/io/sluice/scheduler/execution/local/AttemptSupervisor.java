// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.FailureCause;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.LocalAttempt.Phase;
import io.sluice.scheduler.execution.local.LocalAttempt.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes attempts from their arrival to their end, and reports. Touched by the event loop's thread
 * only.
 */
final class AttemptSupervisor {
  private static final Logger LOG = System.getLogger(AttemptSupervisor.class.getName());

  /** Most ends that are remembered, so that what is asked for again is not started again. */
  private static final int ENDED_MAX = 65_536;

  /** How often those who wait are looked at though nothing ended: the fleet may have changed. */
  private static final Duration WAITING_INTERVAL = Duration.ofSeconds(1);

  private static final String LOST =
      "the server that ran it is gone; what was left of it was ended";

  private final EventLoop loop;
  private final ExecutorDirectory directory;
  private final PodStarter starter;
  private final WaitingLine line;
  private final ReportSink reports;
  private final ConcurrentMap<AttemptKey, List<String>> livePods;
  private final AttemptEnder ender;
  private final Map<AttemptKey, LocalAttempt> attempts = new HashMap<>();

  /** The newest generation that ended, by attempt. */
  private final Map<AttemptKey, Integer> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptKey, Integer> eldest) {
          return size() > ENDED_MAX;
        }
      };

  private boolean closing;

  /** Completed, if somebody waits for it, when nothing of any attempt is left. */
  private @Nullable CompletableFuture<Void> quiet;

  /**
   * A supervisor.
   *
   * @param livePods names of the pods of each attempt that has not ended; kept here, read by others
   */
  AttemptSupervisor(
      EventLoop loop,
      ExecutorDirectory directory,
      PodStarter starter,
      WaitingLine line,
      ReportSink reports,
      ConcurrentMap<AttemptKey, List<String>> livePods) {
    this.loop = loop;
    this.directory = directory;
    this.starter = starter;
    this.line = line;
    this.reports = reports;
    this.livePods = livePods;
    Platform platform = directory.platform();
    this.ender =
        new AttemptEnder(
            loop,
            platform.table(),
            new ProcessSignals(platform.shell(), platform.table()),
            this::settle);
    loop.repeat(WAITING_INTERVAL, this::advance);
  }

  void start(Launch launch) {
    LocalAttempt known = attempts.get(launch.attempt());
    if (closing || ended.getOrDefault(launch.attempt(), -1) >= launch.generation()) {
      return;
    }
    if (known == null) {
      arrive(launch);
    } else if (known.generation() < launch.generation()) {
      succeed(known, launch);
    }
  }

  private void arrive(Launch launch) {
    LocalAttempt attempt = new LocalAttempt(launch);
    attempts.put(attempt.key(), attempt);
    livePods.put(attempt.key(), List.of());
    try {
      line.join(attempt);
    } catch (CannotStartException refused) {
      refuse(attempt, String.valueOf(refused.getMessage()));
    } catch (RuntimeException defect) {
      LOG.log(Level.ERROR, "Attempt " + attempt.key() + " could not be placed", defect);
      refuse(attempt, "the local executor could not place it: " + defect);
    }
    advance();
  }

  /** A newer generation waits until nothing of the older one is left, and replaces it. */
  private void succeed(LocalAttempt known, Launch next) {
    if (known.phase() == Phase.WAITING) {
      line.leave(known);
      attempts.remove(known.key());
      arrive(next);
      return;
    }
    known.succeededBy(next);
    if (known.phase() != Phase.ENDING) {
      end(known, Verdict.UNREPORTED, known.gracePeriod());
    }
  }

  private void advance() {
    for (WaitingLine.Next next : line.advance()) {
      if (next.refusal() != null) {
        refuse(next.attempt(), next.refusal());
      } else {
        make(next.attempt(), next.pods());
      }
    }
  }

  /** It never ran: there is nothing to look for. */
  private void refuse(LocalAttempt attempt, String message) {
    forget(attempt);
    report(attempt, Kind.FAILED, FailureCause.START_FAILED, message);
    report(attempt, Kind.DRAINED, null, "");
  }

  private void make(LocalAttempt attempt, List<PodPlan> pods) {
    attempt.starting(pods);
    livePods.put(attempt.key(), pods.stream().map(PodPlan::name).toList());
    starter.make(attempt, made -> made(attempt, made));
  }

  private void made(LocalAttempt attempt, PodStarter.Made made) {
    attempt.made(made.processes());
    for (PodProcess process : made.processes()) {
      var unused =
          process.ended().thenAccept(code -> loop.post(() -> processEnded(attempt, process, code)));
    }
    if (attempt.phase() == Phase.ENDING) { // it was stopped meanwhile
      made.processes().forEach(PodProcess::release);
      ender.lookSoon();
    } else if (made.failure() != null) {
      made.processes().forEach(PodProcess::release);
      report(attempt, Kind.FAILED, FailureCause.START_FAILED, made.failure());
      end(attempt, Verdict.DRAINED, LocalAttempt.SHORT_GRACE);
    } else {
      made.processes().forEach(PodProcess::go);
      attempt.running();
      report(attempt, Kind.STARTED, null, "");
    }
  }

  private void processEnded(LocalAttempt attempt, PodProcess process, int code) {
    attempt.processEnded();
    if (code != 0 && attempt.phase() == Phase.RUNNING) {
      attempt.failed();
      report(attempt, Kind.FAILED, ExitCode.cause(code), ExitCode.describe(process.named(), code));
    }
    if (attempt.phase() == Phase.ENDING) {
      ender.lookSoon();
    } else if (attempt.processesEnded()) {
      end(
          attempt,
          attempt.phase() == Phase.RUNNING ? Verdict.FINISHED : Verdict.DRAINED,
          attempt.gracePeriod());
    }
  }

  private void end(LocalAttempt attempt, Verdict verdict, Duration gracePeriod) {
    attempt.ending(verdict);
    ender.end(attempt, gracePeriod);
  }

  void stop(AttemptKey key, int generation, Duration gracePeriod) {
    LocalAttempt known = attempts.get(key);
    if (closing || (known != null && generation < known.generation())) {
      return;
    }
    if (known == null) {
      ended.merge(key, generation, Math::max);
      report(new AttemptReport(key, generation, Kind.DRAINED, null, ""));
      return;
    }
    known.stopAsked(generation);
    switch (known.phase()) {
      case WAITING -> {
        line.leave(known);
        forget(known);
        report(known, Kind.DRAINED, null, "");
        advance();
      }
      case STARTING, RUNNING, FAILED -> end(known, Verdict.DRAINED, gracePeriod);
      case ENDING -> ender.end(known, gracePeriod);
    }
  }

  /** Nothing of these attempts is left. */
  private void settle(List<LocalAttempt> gone) {
    List<Launch> successors = new ArrayList<>();
    for (LocalAttempt attempt : gone) {
      line.vacate(attempt);
      forget(attempt);
      directory.work().discard(attempt.key());
      if (closing) {
        continue; // its record tells the next server
      }
      if (reportEnd(attempt)) {
        directory.records().remove(attempt.key());
      }
      Launch successor = attempt.successor();
      if (successor != null) {
        successors.add(successor);
      }
    }
    successors.forEach(this::start);
    if (!closing) {
      advance();
    }
    if (quiet != null && attempts.isEmpty()) {
      quiet.complete(null);
    }
  }

  private boolean reportEnd(LocalAttempt attempt) {
    return switch (attempt.verdict()) {
      case FINISHED -> report(attempt, Kind.FINISHED, null, "");
      case DRAINED -> report(attempt, Kind.DRAINED, null, "");
      case LOST ->
          report(attempt, Kind.FAILED, FailureCause.SERVER_LOST, LOST)
              && report(attempt, Kind.DRAINED, null, "");
      case UNREPORTED -> true;
    };
  }

  private void forget(LocalAttempt attempt) {
    attempts.remove(attempt.key());
    livePods.remove(attempt.key());
    ended.merge(attempt.key(), attempt.reportedGeneration(), Math::max);
  }

  private boolean report(
      LocalAttempt attempt, Kind kind, @Nullable FailureCause cause, String message) {
    return attempt.verdict() == Verdict.UNREPORTED
        || report(
            new AttemptReport(attempt.key(), attempt.reportedGeneration(), kind, cause, message));
  }

  private boolean report(AttemptReport report) {
    try {
      reports.report(report);
      return true;
    } catch (RuntimeException lost) {
      LOG.log(Level.ERROR, "Report was not taken: " + report, lost);
      return false;
    }
  }

  /**
   * Ends what an earlier server left, and reports those of it that are listed.
   *
   * @param leftovers leaders of their process groups
   * @param over completed when nothing of them is left
   */
  void recover(
      Map<AttemptKey, List<ProcessMark>> leftovers,
      List<Launch> listed,
      CompletableFuture<Void> over) {
    if (!attempts.isEmpty()) {
      throw new IllegalStateException("recovery comes before the first start");
    }
    directory.work().discardAll();
    Map<AttemptKey, LocalAttempt> lost = new TreeMap<>();
    leftovers.forEach(
        (key, leaders) -> lost.put(key, new LocalAttempt(key, 0, Verdict.UNREPORTED, leaders)));
    for (Launch launch : listed) {
      AttemptKey key = launch.attempt();
      if (leftovers.containsKey(key)
          || launch.state() == AttemptState.RUNNING
          || launch.state() == AttemptState.DRAINING) {
        List<ProcessMark> leaders = leftovers.getOrDefault(key, List.of());
        lost.put(key, new LocalAttempt(key, launch.generation(), Verdict.LOST, leaders));
      }
    }
    if (lost.isEmpty()) {
      over.complete(null);
      return;
    }
    quiet = over;
    attempts.putAll(lost);
    lost.values().forEach(attempt -> ender.end(attempt, attempt.gracePeriod()));
  }

  /**
   * Ends everything without a report.
   *
   * @param over completed when nothing is left
   */
  void close(Duration graceMax, CompletableFuture<Void> over) {
    closing = true;
    line.clear();
    attempts.values().removeIf(attempt -> attempt.phase() == Phase.WAITING);
    if (attempts.isEmpty()) {
      over.complete(null);
      return;
    }
    quiet = over;
    for (LocalAttempt attempt : attempts.values()) {
      Duration grace = attempt.gracePeriod();
      end(attempt, Verdict.UNREPORTED, grace.compareTo(graceMax) < 0 ? grace : graceMax);
    }
  }
}
