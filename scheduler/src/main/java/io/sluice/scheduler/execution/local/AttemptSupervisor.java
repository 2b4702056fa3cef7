// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.AttemptOutput;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.Leftovers.Leftover;
import io.sluice.scheduler.execution.local.LocalAttempt.Phase;
import io.sluice.scheduler.execution.local.LocalAttempt.Verdict;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.files.ExecutorDirectory;
import io.sluice.scheduler.execution.local.files.OutputFiles;
import io.sluice.scheduler.execution.local.process.ExitCode;
import io.sluice.scheduler.execution.local.process.Platform;
import io.sluice.scheduler.execution.local.process.ProcessSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs each local attempt through its phases, from its start to its end, and reports them. Confined
 * to the event loop's thread.
 */
final class AttemptSupervisor {
  private static final Logger LOG = System.getLogger(AttemptSupervisor.class.getName());

  /** The most ended attempts that are remembered, so that a repeated start has no effect. */
  private static final int ENDED_MAX = 65_536;

  /**
   * Interval between tries to place waiting attempts without an ended one: the fleet may have
   * changed.
   */
  private static final Duration WAITING_INTERVAL = Duration.ofSeconds(1);

  private static final String UNSEEN =
      "ended or was left alone: its wrapper is gone and wrote no exit code; what was left was ended";

  private static final String LOST =
      "the server that ran it is gone; what was left of it was ended";

  private final ExecutorDirectory directory;
  private final PodStarter starter;
  private final WaitingLine line;
  private final ReportSink reports;
  private final LivePods livePods;
  private final AttemptEnder ender;
  private final ProgressWatch progress;
  private final CheckpointWatch checkpoints;
  private final OutputFiles outputs;
  private final PodWatch watch;
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

  /** Attempts whose end recovery or a close waits for. */
  private final Set<LocalAttempt> awaited = new HashSet<>();

  /** Completed when no attempt is left. */
  private CompletableFuture<Void> quiet = new CompletableFuture<>();

  /**
   * Creates a supervisor.
   *
   * @param livePods pods of attempts that have not ended; written here
   */
  AttemptSupervisor(
      EventLoop loop,
      ExecutorDirectory directory,
      PodStarter starter,
      WaitingLine line,
      ReportSink reports,
      LivePods livePods) {
    this.directory = directory;
    this.starter = starter;
    this.line = line;
    this.reports = reports;
    this.livePods = livePods;
    Platform platform = directory.platform();
    this.progress = new ProgressWatch(directory.work(), reports);
    this.checkpoints = new CheckpointWatch(directory.work(), reports);
    this.outputs = new OutputFiles(directory.work(), directory.records());
    this.ender =
        new AttemptEnder(
            loop,
            platform.table(),
            new ProcessSignals(platform.shell(), platform.table()),
            directory.work()::user,
            this::settle);
    this.watch = new PodWatch(loop, platform.table(), directory.records(), this::podEnded);
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

  /** Ends the older generation and starts the newer one when nothing of it is left. */
  private void succeed(LocalAttempt known, Launch next) {
    if (known.phase() == Phase.WAITING) {
      line.leave(known);
      attempts.remove(known.key());
      arrive(next);
      return;
    }
    known.succeededBy(next);
    if (known.phase() == Phase.ENDING) {
      ender.end(known, known.graceBefore(next));
    } else {
      end(known, Verdict.UNREPORTED, known.graceBefore(next));
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

  /** Fails an attempt that never ran, so there is no process to look for. */
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
    made.processes().forEach(process -> watch.watch(attempt, process));
    if (attempt.phase() == Phase.ENDING) { // it was stopped meanwhile
      made.processes().forEach(PodProcess::release);
      ender.lookSoon();
    } else if (made.failure() != null) {
      made.processes().forEach(PodProcess::release);
      report(attempt, Kind.FAILED, FailureCause.START_FAILED, made.failure());
      end(attempt, Verdict.DRAINED, LocalAttempt.SHORT_GRACE);
    } else {
      watchCheckpoints(attempt);
      made.processes().forEach(PodProcess::go);
      attempt.running();
      report(attempt, Kind.STARTED, null, "");
      progress.watch(attempt);
    }
  }

  private void watchCheckpoints(LocalAttempt attempt) {
    List<String> pods = attempt.pods().stream().map(PodPlan::name).toList();
    String before = attempt.launch().earlier().checkpoint();
    checkpoints.watch(attempt.key(), attempt.generation(), pods, before);
  }

  private void podEnded(LocalAttempt attempt, PodPlan pod, OptionalInt exitCode) {
    attempt.processEnded();
    boolean running = attempt.phase() == Phase.RUNNING;
    if (attempt.phase() == Phase.ENDING) {
      ender.lookSoon();
    } else if (exitCode.isEmpty()) {
      if (running) {
        attempt.failed();
        report(attempt, Kind.FAILED, FailureCause.HOST_LOST, pod.named() + " " + UNSEEN);
      }
      end(attempt, Verdict.DRAINED, attempt.gracePeriod());
    } else {
      int code = exitCode.getAsInt();
      if (code != 0 && running) {
        attempt.failed();
        String why =
            ExitCode.describe(pod.named(), code)
                + directory.isolation().killed(attempt.key(), pod.name());
        report(attempt, Kind.FAILED, ExitCode.cause(code), why);
      }
      if (attempt.processesEnded()) {
        end(
            attempt,
            attempt.phase() == Phase.RUNNING ? Verdict.FINISHED : Verdict.DRAINED,
            attempt.gracePeriod());
      }
    }
  }

  private void end(LocalAttempt attempt, Verdict verdict, Duration gracePeriod) {
    progress.forget(attempt.key());
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

  /** Handles attempts of which nothing is left. */
  private void settle(List<LocalAttempt> gone) {
    List<Launch> successors = new ArrayList<>();
    for (LocalAttempt attempt : gone) {
      line.vacate(attempt);
      String checkpoint = checkpoints.last(attempt.key());
      AttemptOutput output = attempt.verdict() == Verdict.FINISHED ? output(attempt) : null;
      forget(attempt);
      directory.work().discard(attempt.key());
      directory.isolation().discard(attempt.key());
      if (!closing) { // else the next server reports the end, from the record
        if (output == null || handOn(output)) {
          reportEnd(attempt);
        }
        Launch successor = attempt.successor();
        if (successor != null) {
          directory.records().remove(attempt.key());
          // The launch was read before the older generation wrote its last checkpoint.
          successors.add(checkpoint == null ? successor : successor.from(checkpoint));
        }
      }
    }
    successors.forEach(this::start);
    if (!closing) {
      advance();
    }
    awaited.removeAll(gone);
    if (awaited.isEmpty()) {
      quiet.complete(null);
    }
  }

  private @Nullable AttemptOutput output(LocalAttempt attempt) {
    List<String> pods = attempt.pods().stream().map(PodPlan::name).toList();
    return outputs.take(attempt.key(), attempt.generation(), pods);
  }

  /** Stores the output. If that fails it returns false: the next server then reports the end. */
  private boolean handOn(AttemptOutput output) {
    try {
      reports.output(output);
      return true;
    } catch (RuntimeException lost) {
      LOG.log(Level.ERROR, "The output of " + output.attempt() + " was not stored", lost);
      return false;
    }
  }

  /** Reports the end. The record stays until the end is committed, unless there is no report. */
  private void reportEnd(LocalAttempt attempt) {
    switch (attempt.verdict()) {
      case FINISHED -> report(attempt, Kind.FINISHED, null, "");
      case DRAINED -> report(attempt, Kind.DRAINED, null, "");
      case LOST -> {
        report(attempt, Kind.FAILED, FailureCause.SERVER_LOST, LOST);
        report(attempt, Kind.DRAINED, null, "");
      }
      case UNSTARTED, UNREPORTED -> directory.records().remove(attempt.key());
    }
  }

  private void forget(LocalAttempt attempt) {
    attempts.remove(attempt.key());
    if (closing || attempt.successor() == null) { // else its logs continue
      livePods.remove(attempt.key());
    }
    if (attempt.verdict() != Verdict.UNSTARTED) {
      ended.merge(attempt.key(), attempt.reportedGeneration(), Math::max);
    }
  }

  /** Forgets an attempt whose end is committed. */
  void ended(AttemptKey key) {
    LocalAttempt known = attempts.get(key);
    if (closing) {
      return;
    }
    if (known == null) {
      directory.records().remove(key);
    } else if (known.phase() == Phase.WAITING) {
      line.leave(known);
      forget(known);
      advance();
    } else {
      LOG.log(Level.WARNING, "Attempt " + key + " has ended but runs here: it is ended");
      known.stopAsked(known.reportedGeneration());
      end(known, Verdict.UNREPORTED, known.gracePeriod());
    }
  }

  private void report(
      LocalAttempt attempt, Kind kind, @Nullable FailureCause cause, String message) {
    if (attempt.verdict() != Verdict.UNREPORTED) {
      report(new AttemptReport(attempt.key(), attempt.reportedGeneration(), kind, cause, message));
    }
  }

  private void report(AttemptReport report) {
    try {
      reports.report(report);
    } catch (RuntimeException lost) {
      LOG.log(Level.ERROR, "Report was not stored: " + report, lost);
    }
  }

  /**
   * Takes over from an earlier server: adopts listed attempts that can continue, ends all others.
   *
   * @param over completed when nothing is left of the attempts ended here
   */
  void recover(
      Map<AttemptKey, Leftover> leftovers, List<Launch> listed, CompletableFuture<Void> over) {
    if (!attempts.isEmpty()) {
      throw new IllegalStateException("recovery comes before the first start");
    }
    RecoveryVerdict verdict = new RecoveryVerdict(directory.records());
    Map<AttemptKey, LocalAttempt> taken = new TreeMap<>();
    leftovers.forEach(
        (key, left) ->
            taken.put(key, new LocalAttempt(key, 0, Verdict.UNREPORTED, left.leaders())));
    for (Launch launch : listed) {
      LocalAttempt attempt = verdict.judge(launch, leftovers.get(launch.attempt()));
      if (attempt != null) {
        taken.put(launch.attempt(), attempt);
      }
    }
    quiet = over;
    attempts.putAll(taken);
    Set<AttemptKey> kept = new HashSet<>();
    for (LocalAttempt attempt : taken.values()) {
      Leftover left = leftovers.get(attempt.key());
      AttemptRecord started = left == null ? null : left.started();
      Launch successor = attempt.successor();
      if (attempt.phase() == Phase.RUNNING && started != null) {
        kept.add(attempt.key());
        adopt(attempt, started);
      } else if (successor != null && started != null) {
        kept.add(attempt.key());
        endOutgrown(attempt, successor, started);
      } else {
        awaited.add(attempt);
        ender.end(attempt, attempt.gracePeriod());
      }
    }
    directory.work().discardAllBut(kept);
    directory.isolation().discardAllBut(kept);
    if (awaited.isEmpty()) {
      over.complete(null);
    }
  }

  /**
   * Ends an older generation with the grace period that its own server would have used; recovery
   * does not wait for it.
   */
  private void endOutgrown(LocalAttempt attempt, Launch successor, AttemptRecord started) {
    List<String> pods = started.pods().stream().map(PodRecord::pod).toList();
    livePods.put(attempt.key(), pods);
    checkpoints.watch(attempt.key(), attempt.generation(), pods, successor.earlier().checkpoint());
    ender.end(attempt, attempt.graceBefore(successor));
  }

  private void adopt(LocalAttempt attempt, AttemptRecord started) {
    livePods.put(attempt.key(), attempt.pods().stream().map(PodPlan::name).toList());
    line.occupy(attempt);
    boolean sameBoot = started.bootId().equals(directory.platform().table().bootId());
    for (int at = 0; at < started.pods().size(); at++) {
      watch.watch(attempt, attempt.pods().get(at), started.pods().get(at), sameBoot);
    }
    watchCheckpoints(attempt);
    if (attempt.launch().starting()) {
      report(attempt, Kind.STARTED, null, "");
    } else if (attempt.launch().state() == AttemptState.DRAINING) {
      end(attempt, Verdict.DRAINED, attempt.gracePeriod());
    }
    if (attempt.phase() == Phase.RUNNING) {
      progress.adopt(attempt);
    }
  }

  /** Sets the failed hosts: kills the pods on them, and places nothing there. */
  void failHosts(Set<String> hosts) {
    line.failHosts(hosts);
    for (LocalAttempt attempt : List.copyOf(attempts.values())) {
      for (PodPlan pod : attempt.pods()) {
        if (hosts.contains(pod.host()) && attempt.phase() != Phase.ENDING) {
          report(
              attempt, Kind.FAILED, FailureCause.HOST_LOST, "host " + pod.host() + " has failed");
          end(attempt, Verdict.DRAINED, Duration.ZERO);
        }
      }
    }
    advance();
  }

  /** Stops watching the files of pods. */
  void stopWatching() {
    progress.close();
    checkpoints.close();
  }

  /**
   * Ends starting attempts without a report, and all others with a grace period.
   *
   * @param graceMax the longest time between SIGTERM and SIGKILL; null: running attempts continue
   * @param over completed when nothing is left of the attempts ended here
   */
  void close(@Nullable Duration graceMax, CompletableFuture<Void> over) {
    closing = true;
    quiet = over;
    line.clear();
    attempts.values().removeIf(attempt -> attempt.phase() == Phase.WAITING);
    for (LocalAttempt attempt : attempts.values()) {
      if (attempt.startUnderWay()) {
        awaited.add(attempt);
        end(attempt, Verdict.UNREPORTED, LocalAttempt.SHORT_GRACE);
      } else if (graceMax != null) {
        if (attempt.phase() == Phase.RUNNING) {
          directory.records().endedByServer(attempt.key());
        }
        awaited.add(attempt);
        Duration grace = attempt.gracePeriod();
        end(attempt, Verdict.UNREPORTED, grace.compareTo(graceMax) < 0 ? grace : graceMax);
      }
    }
    if (awaited.isEmpty()) {
      over.complete(null);
    }
  }
}
