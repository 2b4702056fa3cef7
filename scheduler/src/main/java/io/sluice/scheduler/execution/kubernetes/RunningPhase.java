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
 * A generation of an attempt from its release to its end: each look at its object and its pods
 * reports what is new and says what follows. It changes nothing in the cluster but the gates of
 * pods. All but {@link #saw} happens in the attempt's executor.
 */
final class RunningPhase {
  /** For how long an adopted object is gone before its attempt counts as lost. */
  private static final Duration GONE_PATIENCE = Duration.ofSeconds(30);

  /** For how long pods may go on when their object is over. */
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

  /** Whether an object of it was there at one look. */
  private boolean seen;

  /** Whether the cluster was given time to show what has just been created. */
  private boolean waitedForSight;

  /** How many pods may exist, as its object said at the last look before the start. */
  private int expected;

  /** Since when all objects are gone, and since when the object is over; nanoseconds, 0: not. */
  private long goneSince;

  private long overSince;

  /** What follows a look. */
  enum Step {
    /** Nothing until something changes. */
    WAIT,
    /** Another look after a while, whatever changes. */
    LOOK_AGAIN,
    /** It failed, and what is left of it is to end. */
    FAIL,
    /** What is left of it is to end. */
    END,
    /** Nothing is left of it. */
    OVER
  }

  /**
   * What follows a look.
   *
   * @param as what is reported when nothing is left; null: nothing yet
   * @param cause why it failed; null: it did not
   * @param grace how long what is left has to end
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
   * A generation that nothing is known of yet.
   *
   * @param objects what it runs as; the attempt adds to them
   */
  RunningPhase(ClusterWork work, Launch launch, List<ObjectRef> objects) {
    this.work = work;
    this.launch = launch;
    this.key = launch.attempt();
    this.objects = objects;
    this.gatedPods = new GatedPods(work, launch);
  }

  /** What keeps it from coming on, as of the last look; null: nothing that is known. */
  @Nullable StartWait waitsFor() {
    return waitsFor;
  }

  /** A pod of it is so now, or was so last: what went wrong is remembered when it is gone. */
  void saw(SeenPod pod) {
    SeenPod.Trouble found = pod.trouble();
    if (found != null && (launch.documents() != null || trouble == null || !pod.begun())) {
      trouble = found;
    }
  }

  /**
   * Looks at its object and its pods.
   *
   * @param searched whether all that there can be of the attempt is known
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

  /** What is not seen may not have been seen yet; what was seen, or all of the rest, is gone. */
  private Next missing(boolean searched) {
    if (!work.watch().isComplete() || (!seen && searched && !waitedForSight)) {
      // Just created: it will be seen. Should it not be, it is asked for at the next look.
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
      // Adoption sees it too, and cancels its job: it is not to be admitted once more.
      return Next.LOOK_AGAIN;
    }
    String what = objects.isEmpty() ? "what it ran as" : objects.get(0).words();
    return Next.fail(FailureCause.HOST_LOST, what + " was deleted by somebody else");
  }

  /** An image that is not had in time fails the start. */
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

  /** Who creates pods says of those that it could not; it is asked while there is nothing else. */
  private void askWhyThereAreNoMore() {
    if (waitedForSight && !objects.isEmpty()) {
      String refusal = work.refused().of(objects.get(0));
      waitsFor = refusal == null ? waitsFor : StartWait.of(refusal);
    }
    waitedForSight = true;
  }

  /** The object is over; its pods should be too, or will be in a moment, or are ended. */
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
