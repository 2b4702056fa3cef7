// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.execution.kubernetes.cluster.RetryPause;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import io.sluice.scheduler.execution.kubernetes.cluster.SerialExecutor;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.cluster.ClusterObject;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs one attempt in a cluster, from its start until nothing of it is left. All calls but {@link
 * #saw} and {@link #changed} run in the attempt's executor.
 */
final class AttemptRun {
  private static final Logger LOG = Logger.getLogger(AttemptRun.class);
  private static final Duration SOON = Duration.ofMillis(250);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final AttemptKey key;
  private final ClusterWork work;
  private final ReleasePolicy release;
  private final SerialExecutor executor;
  private final AtomicBoolean lookPending = new AtomicBoolean();
  private final List<ObjectRef> objects = new ArrayList<>();

  /** Objects of older generations; they must be gone before this generation starts. */
  private final List<ObjectRef> older = new ArrayList<>();

  private volatile RunningPhase running;

  /** Why it does not start, run or end; null: no known reason. */
  private volatile @Nullable StartWait waitsFor;

  private Launch launch;
  private AttemptPhase phase = AttemptPhase.KNOWN;
  private int generation;
  private @Nullable Starting starting;
  private final RetryPause pause = new RetryPause(SOON);

  /** Whether all its objects that can exist are known here. */
  private boolean searched;

  /** Number of the latest delayed task; only that task runs. */
  private int turn;

  /** The report once nothing is left; null: none. */
  private @Nullable Kind endsAs;

  private Duration grace = Duration.ZERO;
  private boolean told;

  /** Whether an object may not have received the call that ends it. */
  private boolean unsure;

  AttemptRun(Launch launch, ClusterWork work, SerialExecutor executor) {
    this.key = launch.attempt();
    this.launch = launch;
    this.running = new RunningPhase(work, launch, objects);
    this.generation = launch.generation();
    this.work = work;
    this.release = ReleasePolicy.of(work, launch);
    this.executor = executor;
  }

  AttemptKey key() {
    return key;
  }

  /** Returns the latest launch; call it when the executor is closed. */
  Launch launch() {
    return launch;
  }

  /** Whether it was being started and is not released; call it when the executor is closed. */
  boolean isStarting() {
    return phase == AttemptPhase.STARTING;
  }

  /**
   * Returns the grace period of its end; null: it is not ending. Call it when the executor is
   * closed.
   */
  @Nullable Duration ending() {
    return phase == AttemptPhase.ENDING ? grace : null;
  }

  SerialExecutor executor() {
    return executor;
  }

  /** Returns why it does not start, run or end; null: no known reason. Thread-safe. */
  @Nullable StartWait waitsFor() {
    return waitsFor;
  }

  /** Takes over the objects that an earlier server committed; a running attempt continues. */
  void adopt(List<ClusterObject> written) {
    for (ClusterObject object : written) {
      (object.generation() == generation ? objects : older).add(ObjectRef.of(object));
    }
    if (launch.state() == AttemptState.RUNNING && !launch.starting()) {
      older.clear();
      phase = AttemptPhase.RUNNING;
      changed();
    }
  }

  /** Starts a generation; idempotent. */
  void start(Launch asked) {
    boolean known = phase == AttemptPhase.STARTING || phase == AttemptPhase.RUNNING;
    if (phase == AttemptPhase.ENDING
        || phase == AttemptPhase.OVER
        || (known && asked.generation() <= generation)) {
      return;
    }
    Starting resize = WorkerResize.of(work, asked, objects.isEmpty() ? older : objects);
    if (resize != null && objects.isEmpty()) {
      objects.addAll(older);
      older.clear();
    } else if (resize == null && asked.generation() > generation) {
      older.addAll(objects);
    }
    launch = asked;
    running = new RunningPhase(work, asked, objects);
    generation = asked.generation();
    phase = AttemptPhase.STARTING;
    starting = resize == null ? new StartProtocol(work, asked) : resize;
    Duration left = asked.earlier().grace();
    grace = left == null ? asked.job().limits().gracePeriod() : left;
    told = false;
    goOn();
  }

  /** Continues the current phase, or schedules a retry. */
  private void goOn() {
    try {
      if (!work.lead().holds()) {
        if (work.lead().lost() == null) {
          again("the lease is not held");
        }
        return;
      }
      switch (phase) {
        case STARTING -> goOnStarting();
        case RUNNING -> look();
        case ENDING -> goOnEnding();
        case KNOWN, OVER -> {}
      }
    } catch (ClusterException failure) {
      failed(failure);
    } catch (LostEpochException lost) {
      LOG.warnf("attempt %s is left to the leader: %s", key, lost.getMessage());
      work.lead().lose(lost);
    } catch (StoreException failure) {
      again(String.valueOf(failure.getMessage()));
    } catch (InvalidValueException impossible) {
      startFailed(String.valueOf(impossible.getMessage()));
    }
  }

  private void failed(ClusterException failure) {
    if (phase == AttemptPhase.STARTING && failure.reason() == Reason.INVALID) {
      startFailed(failure.text());
    } else {
      again(failure.waiting(), RetryPause.most(failure.reason()));
    }
  }

  private void again(String why) {
    again(StartWait.of(why), RetryPause.AWAY_MAX);
  }

  private void again(StartWait why, Duration most) {
    LOG.debugf("attempt %s: %s", key, why.sentence());
    waitsFor = why;
    later(pause.take(most));
  }

  private void later(Duration delay) {
    int own = ++turn;
    executor.later(
        delay,
        () -> {
          if (own == turn) {
            goOn();
          }
        });
  }

  private void goOnStarting() {
    Starting way = starting;
    if (way == null) {
      return;
    }
    if (!endOlder()) {
      again("an older generation is still there");
      return;
    }
    switch (way.run(objects)) {
      case RELEASED -> {
        phase = AttemptPhase.RUNNING;
        starting = null;
        searched = true;
        pause.reset();
        waitsFor = null;
        later(LOOK_AGAIN);
        look();
      }
      case LATER -> again("an older object is still there");
      // The newer decision follows as a call: a stop, or the start of a later generation.
      case OVERTAKEN -> phase = AttemptPhase.KNOWN;
      case IMPOSSIBLE -> {
        older.addAll(objects);
        starting = new StartProtocol(work, launch);
        goOnStarting();
      }
    }
  }

  private boolean endOlder() {
    if (!told) {
      tell(older);
      told = true;
    }
    older.removeIf(release::isBack);
    tellAgainIfUnsure();
    return older.isEmpty();
  }

  private void startFailed(String message) {
    report(Kind.FAILED, FailureCause.START_FAILED, message);
    end(Kind.DRAINED, Duration.ZERO);
  }

  /** Observes the current or last state of one of its pods. Thread-safe. */
  void saw(SeenPod pod) {
    running.saw(pod);
  }

  /** Schedules an observation. Thread-safe. */
  void changed() {
    if (lookPending.compareAndSet(false, true)) {
      executor.post(
          () -> {
            lookPending.set(false);
            if (phase == AttemptPhase.RUNNING || phase == AttemptPhase.ENDING) {
              goOn();
            }
          });
    }
  }

  private void look() {
    RunningPhase.Next next = running.look(searched);
    waitsFor = running.waitsFor();
    switch (next.step()) {
      case WAIT -> {}
      case LOOK_AGAIN -> later(LOOK_AGAIN);
      case FAIL -> {
        report(Kind.FAILED, next.cause(), next.message());
        end(next.as(), next.grace());
      }
      case END -> end(next.as(), next.grace());
      case OVER -> {
        phase = AttemptPhase.OVER;
        report(Objects.requireNonNull(next.as()), null, "");
      }
    }
  }

  /** Ends the attempt as the engine decided. */
  void stop(int asked, Duration gracePeriod) {
    generation = Math.max(generation, asked);
    if (phase == AttemptPhase.OVER) {
      report(Kind.DRAINED, null, "");
    } else {
      end(Kind.DRAINED, gracePeriod);
    }
  }

  /** Ends the attempt without a report: its end is committed, and nothing of it may stay. */
  void forget() {
    if (phase != AttemptPhase.OVER) {
      end(null, Duration.ZERO);
    }
  }

  private void end(@Nullable Kind as, Duration gracePeriod) {
    endsAs = as;
    grace = gracePeriod;
    told = false;
    phase = AttemptPhase.ENDING;
    pause.reset();
    goOn();
  }

  private void goOnEnding() {
    if (!searched) {
      // An earlier server may have created an object without committing it.
      addFound();
      searched = true;
    }
    if (!told) {
      objects.addAll(older);
      older.clear();
      tell(objects);
      told = true;
    }
    if (!isNothingLeft()) {
      tellAgainIfUnsure();
      again("an object or pod of it is still there");
      return;
    }
    phase = AttemptPhase.OVER;
    waitsFor = null;
    if (endsAs != null) {
      report(endsAs, null, "");
    }
  }

  private void addFound() {
    for (ObjectRef found : StartProtocol.search(work, launch)) {
      if (objects.stream().noneMatch(one -> one.uid().equals(found.uid()))) {
        objects.add(found);
      }
    }
  }

  private void tell(List<ObjectRef> all) {
    for (ObjectRef object : all) {
      unsure |= !release.tell(object, grace);
    }
  }

  /**
   * After a conflict the call is repeated: another object may have the name, or another client
   * wrote at that moment.
   */
  private void tellAgainIfUnsure() {
    told &= !unsure;
    unsure = false;
  }

  private boolean isNothingLeft() {
    for (ObjectRef object : objects) {
      // An object in the watch's cache still exists; for others the API server is asked.
      boolean seenStill = launch.adopted() == null && work.watch().owner(key, object) != null;
      if (seenStill || !release.isBack(object)) {
        return false;
      }
    }
    return objects.isEmpty() || work.cluster().arePodsOver(launch.job().meta().namespace(), key);
  }

  private void report(Kind kind, @Nullable FailureCause cause, String message) {
    work.reports().report(new AttemptReport(key, generation, kind, cause, message));
  }
}
