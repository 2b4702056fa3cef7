// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt in the local executor. Confined to the event loop's thread, except {@link
 * #wanted}.
 */
final class LocalAttempt {
  /** Grace period for leftovers of an earlier server, and for wrappers that run no program yet. */
  static final Duration SHORT_GRACE = Duration.ofSeconds(2);

  /** Phases; an attempt only moves forward. */
  enum Phase {
    /** Waits for room. */
    WAITING,
    /** Its processes are being created. */
    STARTING,
    /** Its processes run and none has failed. */
    RUNNING,
    /** A process has failed, which was reported; the others run until they are stopped. */
    FAILED,
    /** Its processes are being ended. */
    ENDING
  }

  /** The report once nothing is left. */
  enum Verdict {
    FINISHED,
    DRAINED,
    /** Lost with an earlier server: failed and drained. */
    LOST,
    /** An earlier server had not run its program: no report, and it may start. */
    UNSTARTED,
    /** No report. */
    UNREPORTED
  }

  private final AttemptKey key;
  private final int generation;
  private final @Nullable Launch launch;
  private volatile Phase phase = Phase.WAITING;
  private Verdict verdict = Verdict.DRAINED;
  private List<PodPlan> pods = List.of();
  private int madeProcesses;
  private List<ProcessMark> leaders = List.of();
  private boolean startUnderWay;
  private int endedProcesses;
  private int reportedGeneration;
  private @Nullable Launch successor;

  /** Creates an attempt that is to be started. */
  LocalAttempt(Launch launch) {
    this(launch, launch.attempt(), launch.generation(), List.of());
  }

  /**
   * Creates an attempt of an earlier server that is to be ended.
   *
   * @param leaders leaders of its proven process groups
   */
  LocalAttempt(AttemptKey key, int generation, Verdict verdict, List<ProcessMark> leaders) {
    this(null, key, generation, leaders);
    this.verdict = verdict;
    this.phase = Phase.ENDING;
  }

  private LocalAttempt(
      @Nullable Launch launch, AttemptKey key, int generation, List<ProcessMark> leaders) {
    this.key = key;
    this.generation = generation;
    this.launch = launch;
    this.reportedGeneration = generation;
    this.leaders = List.copyOf(leaders);
  }

  /**
   * Creates an attempt of an earlier server that is to continue in a newer generation.
   *
   * @param next the newer generation
   * @param leaders leaders of the process groups that are proven to belong to the older one
   */
  static LocalAttempt outgrown(Launch next, AttemptRecord started, List<ProcessMark> leaders) {
    LocalAttempt attempt =
        new LocalAttempt(next.attempt(), started.generation(), Verdict.UNREPORTED, leaders);
    attempt.successor = next;
    return attempt;
  }

  /**
   * Creates an attempt of an earlier server that continues.
   *
   * @param leaders leaders of its proven process groups
   */
  static LocalAttempt adopted(Launch launch, List<PodPlan> pods, List<ProcessMark> leaders) {
    LocalAttempt attempt = new LocalAttempt(launch, launch.attempt(), launch.generation(), leaders);
    attempt.pods = List.copyOf(pods);
    attempt.madeProcesses = pods.size();
    attempt.phase = Phase.RUNNING;
    return attempt;
  }

  AttemptKey key() {
    return key;
  }

  int generation() {
    return generation;
  }

  /** Returns the launch; not available for an attempt that is only to be ended. */
  Launch launch() {
    return Objects.requireNonNull(launch);
  }

  Phase phase() {
    return phase;
  }

  /** Whether its start is still needed. Thread-safe. */
  boolean wanted() {
    return phase != Phase.ENDING;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Whether its processes are being created now. */
  boolean startUnderWay() {
    return startUnderWay;
  }

  /** Returns the default time between SIGTERM and SIGKILL. */
  Duration gracePeriod() {
    return launch == null ? SHORT_GRACE : launch.job().limits().gracePeriod();
  }

  /** Returns the grace period if a newer generation follows. */
  Duration graceBefore(Launch next) {
    Duration said = next.earlier().grace();
    return said == null ? gracePeriod() : said;
  }

  void starting(List<PodPlan> placed) {
    pods = List.copyOf(placed);
    startUnderWay = true;
    phase = Phase.STARTING;
  }

  /** Records the created processes; in phase ENDING they must end without running a program. */
  void made(List<PodProcess> made) {
    madeProcesses = made.size();
    startUnderWay = false;
    List<ProcessMark> known = new ArrayList<>();
    for (PodProcess process : made) {
      PodRecord started = process.started();
      if (started != null) {
        known.add(started.leader());
      }
    }
    leaders = List.copyOf(known);
  }

  void running() {
    phase = Phase.RUNNING;
  }

  void failed() {
    phase = Phase.FAILED;
  }

  void ending(Verdict last) {
    phase = Phase.ENDING;
    verdict = last;
  }

  void processEnded() {
    endedProcesses++;
  }

  /** Whether all processes that this server started have ended. */
  boolean processesEnded() {
    return !startUnderWay && endedProcesses == madeProcesses;
  }

  List<PodPlan> pods() {
    return pods;
  }

  /**
   * Returns what to look for in the process table; its leaders are complete once a program runs.
   *
   * @param user user id of its processes; empty: not known
   */
  ProcessTable.Sought sought(OptionalInt user) {
    return new ProcessTable.Sought(key, startUnderWay ? List.of() : leaders, user);
  }

  /** Returns the newest generation whose drain must be reported. */
  int reportedGeneration() {
    return reportedGeneration;
  }

  /** Handles a stop of this or a newer generation: drops successors up to that one. */
  void stopAsked(int ofGeneration) {
    reportedGeneration = Math.max(reportedGeneration, ofGeneration);
    if (successor != null && successor.generation() <= ofGeneration) {
      successor = null;
    }
    boolean unstarted = verdict == Verdict.UNSTARTED && ofGeneration >= generation;
    if (unstarted || (verdict == Verdict.UNREPORTED && ofGeneration > generation)) {
      verdict = Verdict.DRAINED;
    }
  }

  /** Returns the launch to start when nothing of this generation is left. */
  @Nullable Launch successor() {
    return successor;
  }

  void succeededBy(Launch next) {
    if (successor == null || successor.generation() < next.generation()) {
      successor = next;
    }
  }
}
