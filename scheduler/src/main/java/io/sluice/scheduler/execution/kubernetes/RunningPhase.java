// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observes a generation of an attempt from its release to its end. Each observation of its object
 * and pods reports what is new and returns the next step. It changes only the gates of pods in the
 * cluster. All calls but {@link #saw} run in the attempt's executor.
 */
final class RunningPhase {
  /** Time for which an adopted object may be gone before its attempt counts as lost. */
  private static final Duration GONE_PATIENCE = Duration.ofSeconds(30);

  /** Time for which pods may continue after their object ended. */
  private static final Duration PODS_PATIENCE = Duration.ofSeconds(30);

  private final ClusterWork work;
  private final Launch launch;
  private final AttemptKey key;
  private final List<ObjectRef> objects;
  private final GatedPods gatedPods;
  private final ImageWait images = new ImageWait();

  private volatile SeenPod.@Nullable Trouble trouble;
  private @Nullable StartWait waitsFor;
  private boolean startedReported;
  private boolean failureReported;

  /** Whether an observation found one of its objects. */
  private boolean seen;

  /** Whether the watch had time to show new objects. */
  private boolean waitedForSight;

  /** How many pods may exist, by the last observation before the start. */
  private int expected;

  /** Times (nanoseconds) at which all objects were gone, and the object was over; 0: not yet. */
  private long goneSince;

  private long overSince;

  /** The next step after an observation. */
  enum Step {
    /** Wait for the next change. */
    WAIT,
    /** Observe again after a while, even without a change. */
    LOOK_AGAIN,
    /** Report the failure, then end what is left. */
    FAIL,
    /** End what is left. */
    END,
    /** Done: nothing is left. */
    OVER
  }

  /**
   * The result of an observation.
   *
   * @param as the report once nothing is left; null: none
   * @param cause cause of the failure; null: no failure
   * @param grace grace period for what is left
   */
  record Next(
      Step step, @Nullable Kind as, @Nullable FailureCause cause, String message, Duration grace) {
    private static final Next WAIT = new Next(Step.WAIT, null, null, "", Duration.ZERO);
    private static final Next LOOK_AGAIN = new Next(Step.LOOK_AGAIN, null, null, "", Duration.ZERO);

    private static Next fail(FailureCause cause, String message) {
      return new Next(Step.FAIL, Kind.DRAINED, cause, message, Duration.ZERO);
    }
  }

  /**
   * Creates the phase of a generation that was not observed yet.
   *
   * @param objects the generation's objects; the attempt adds to this list
   */
  RunningPhase(ClusterWork work, Launch launch, List<ObjectRef> objects) {
    this.work = work;
    this.launch = launch;
    this.key = launch.attempt();
    this.objects = objects;
    this.gatedPods = new GatedPods(work, launch);
  }

  /** Returns why it did not start, run or end at the last observation; null: no known reason. */
  @Nullable StartWait waitsFor() {
    return waitsFor;
  }

  /** Observes the current or last state of a pod and remembers its trouble after it is gone. */
  void saw(SeenPod pod) {
    SeenPod.Trouble found = pod.trouble();
    if (found != null && (launch.documents() != null || trouble == null || !pod.begun())) {
      trouble = found;
    }
  }

  /**
   * Observes the object and its pods, reports what is new, and returns the next step.
   *
   * @param searched whether all objects that can exist are known
   */
  Next look(boolean searched) {
    List<SeenPod> pods = work.watch().pods(key, launch.generation());
    Observation observed = observe(pods);
    if (observed == null) {
      return missing(searched);
    }
    seen = true;
    if (launch.adopted() != null && !observed.over() && Suspension.isByOthers(work, key, objects)) {
      return Next.fail(
          FailureCause.HOST_LOST, objects.get(0).words() + " was suspended by somebody else");
    }
    if (!observed.over()) {
      gatedPods.release();
    }
    if (observed.started() && !startedReported) {
      startedReported = true;
      waitsFor = null;
      report(Kind.STARTED, null, "");
    }
    if (observed.finished()) {
      return over(Kind.FINISHED, pods);
    }
    if (observed.failure() != null) {
      if (!failureReported) {
        failureReported = true;
        reportFailure(observed.failure());
      }
      return over(Kind.DRAINED, pods);
    }
    return startedReported ? Next.WAIT : comingUp(pods);
  }

  private @Nullable Observation observe(List<SeenPod> pods) {
    if (!objects.isEmpty() && objects.get(0).kind() == ClusterKind.POD) {
      expected = Rendering.pods(launch);
      return pods.isEmpty() ? null : Observation.ofPods(pods, expected);
    }
    for (ObjectRef object : objects) {
      GenericKubernetesResource owner = work.watch().owner(key, object);
      if (owner != null) {
        expected = startedReported ? 0 : work.rendering().podsNow(launch, object.kind(), owner);
        return Observation.of(object.kind(), owner, pods, expected);
      }
    }
    return null;
  }

  /** An object missing in the watch may be too new to be seen; else the API server is asked. */
  private Next missing(boolean searched) {
    if (!work.watch().isComplete() || (!seen && searched && !waitedForSight)) {
      // A new object appears in the watch soon. If not, the next observation asks for it.
      waitedForSight = true;
      return Next.LOOK_AGAIN;
    }
    boolean gone = true;
    for (ObjectRef object : objects) {
      gone &= work.cluster().isGone(object);
    }
    if (!gone) {
      return Next.WAIT;
    }
    goneSince = goneSince == 0 ? System.nanoTime() : goneSince;
    long goneFor = System.nanoTime() - goneSince;
    if (launch.adopted() != null && goneFor < GONE_PATIENCE.toNanos()) {
      // Adoption sees it too, and cancels the job: do not requeue it before that.
      return Next.LOOK_AGAIN;
    }
    String what = objects.isEmpty() ? "what it ran as" : objects.get(0).words();
    return Next.fail(FailureCause.HOST_LOST, what + " was deleted by somebody else");
  }

  /** Waits for pods to start; an image that is missing for too long fails the start. */
  private Next comingUp(List<SeenPod> pods) {
    waitsFor = StartWait.of(Observation.startProgress(pods, expected));
    SeenPod.Trouble missing = images.missing(pods);
    if (missing != null && images.isHopeless(missing)) {
      return Next.fail(FailureCause.START_FAILED, missing.message());
    }
    if (pods.size() < expected) {
      askWhyThereAreNoMore();
      return Next.LOOK_AGAIN;
    }
    return missing == null ? Next.WAIT : Next.LOOK_AGAIN;
  }

  /** Looks up why the controller could not create more pods, from the second observation on. */
  private void askWhyThereAreNoMore() {
    if (waitedForSight && !objects.isEmpty()) {
      String refusal = work.refused().of(objects.get(0));
      waitsFor = refusal == null ? waitsFor : StartWait.of(refusal);
    }
    waitedForSight = true;
  }

  /** Waits for the pods of an object that is over, and ends them after a bound. */
  private Next over(Kind as, List<SeenPod> pods) {
    long now = System.nanoTime();
    overSince = overSince == 0 ? now : overSince;
    if (pods.stream().allMatch(SeenPod::over)) {
      return new Next(Step.OVER, as, null, "", Duration.ZERO);
    }
    if (now - overSince > PODS_PATIENCE.toNanos()) {
      return new Next(Step.END, as, null, "", launch.job().limits().gracePeriod());
    }
    return Next.LOOK_AGAIN;
  }

  private void reportFailure(Observation.Failure failure) {
    SeenPod.Trouble found = trouble;
    if (failure.cause() != null) {
      report(Kind.FAILED, failure.cause(), failure.message());
    } else if (found != null) {
      report(Kind.FAILED, found.cause(), found.message());
    } else {
      report(Kind.FAILED, FailureCause.HOST_LOST, failure.message());
    }
  }

  private void report(Kind kind, @Nullable FailureCause cause, String message) {
    work.reports().report(new AttemptReport(key, launch.generation(), kind, cause, message));
  }
}
