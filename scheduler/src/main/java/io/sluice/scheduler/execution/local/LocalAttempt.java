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
import org.jspecify.annotations.Nullable;

/**
 * An attempt while the executor knows it. Touched by the event loop's thread only, but for {@link
 * #wanted}.
 */
final class LocalAttempt {
  /** Grace for leftovers of an earlier server, and for wrappers that run no program yet. */
  static final Duration SHORT_GRACE = Duration.ofSeconds(2);

  /** Where it stands; only forward. */
  enum Phase {
    /** It waits for room. */
    WAITING,
    /** Its processes are being made. */
    STARTING,
    /** They run, none has failed. */
    RUNNING,
    /** One has failed, which was reported; the others run until they are stopped. */
    FAILED,
    /** What is left of it is looked for and ended. */
    ENDING
  }

  /** What is reported when nothing is left. */
  enum Verdict {
    FINISHED,
    DRAINED,
    /** Of an earlier server's: failed, and drained. */
    LOST,
    /** Of an earlier server's, that came to no program: nothing, and it may start. */
    UNSTARTED,
    /** Nobody asks any more. */
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

  /** One to be started. */
  LocalAttempt(Launch launch) {
    this(launch, launch.attempt(), launch.generation(), List.of());
  }

  /**
   * One that an earlier server started, of which what is left is to be ended.
   *
   * @param leaders of the process groups that are proven to be its
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
   * One that an earlier server started, and that is to run on in a newer generation.
   *
   * @param next the newer generation
   * @param leaders of the process groups that are proven to be of the older one
   */
  static LocalAttempt outgrown(Launch next, AttemptRecord started, List<ProcessMark> leaders) {
    LocalAttempt attempt =
        new LocalAttempt(next.attempt(), started.generation(), Verdict.UNREPORTED, leaders);
    attempt.successor = next;
    return attempt;
  }

  /**
   * One that an earlier server started and that goes on.
   *
   * @param leaders of the process groups that are proven to be its
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

  /** What is to be started; never asked of what an earlier server left to be ended. */
  Launch launch() {
    return Objects.requireNonNull(launch);
  }

  Phase phase() {
    return phase;
  }

  /** Whether its start still makes sense. */
  boolean wanted() {
    return phase != Phase.ENDING;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Whether its processes are being made this moment. */
  boolean startUnderWay() {
    return startUnderWay;
  }

  /** Time between SIGTERM and SIGKILL if nobody says another. */
  Duration gracePeriod() {
    return launch == null ? SHORT_GRACE : launch.job().limits().gracePeriod();
  }

  /** The same of one that a newer generation follows. */
  Duration graceBefore(Launch next) {
    Duration said = next.earlier().grace();
    return said == null ? gracePeriod() : said;
  }

  void starting(List<PodPlan> placed) {
    pods = List.copyOf(placed);
    startUnderWay = true;
    phase = Phase.STARTING;
  }

  /** The starter is done; in phase ENDING these must end without having run a program. */
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

  /** Whether all that was started has ended, as far as this server started it. */
  boolean processesEnded() {
    return !startUnderWay && endedProcesses == madeProcesses;
  }

  List<PodPlan> pods() {
    return pods;
  }

  /** What to look for; the leaders are complete as soon as any program runs. */
  ProcessTable.Sought sought() {
    return new ProcessTable.Sought(key, startUnderWay ? List.of() : leaders);
  }

  /** The newest generation that somebody waits to see drained. */
  int reportedGeneration() {
    return reportedGeneration;
  }

  /** A stop of this or a newer generation came; what was to follow up to that one will not. */
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

  /** What is started when nothing of this generation is left. */
  @Nullable Launch successor() {
    return successor;
  }

  void succeededBy(Launch next) {
    if (successor == null || successor.generation() < next.generation()) {
      successor = next;
    }
  }
}
