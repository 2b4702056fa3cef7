// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a cluster that this server does not know now, so that its objects cannot be
 * observed.
 *
 * @param cluster name of the cluster
 * @param created whether an object of it may exist
 * @param start whether to start it when the cluster is known
 * @param stop grace period with which to end it when the cluster is known; null: do not end it
 * @param why reason why the cluster is not known
 */
record Unconfirmed(
    Launch launch,
    String cluster,
    boolean created,
    boolean start,
    @Nullable Duration stop,
    String why) {
  /** Creates one for an attempt that an earlier server began. */
  static Unconfirmed found(Launch launch, String cluster, boolean created, String why) {
    return new Unconfirmed(launch, cluster, created, false, null, why);
  }

  /** Creates one for an attempt that this server ran until now. */
  static Unconfirmed abandoned(AttemptRun run, String cluster) {
    String why = "cluster " + cluster + " is no longer in the kubeconfig";
    return new Unconfirmed(run.launch(), cluster, true, run.isStarting(), run.ending(), why);
  }

  Unconfirmed starting(Launch asked) {
    return new Unconfirmed(asked, cluster, created, true, stop, why);
  }

  Unconfirmed ending(Duration grace) {
    return new Unconfirmed(launch, cluster, created, false, grace, why);
  }

  /** Returns the launch with which the attempt continues. */
  Launch goingOn() {
    return start || !created || stop != null
        ? launch
        : new Launch(
            launch.attempt(),
            launch.generation(),
            AttemptState.RUNNING,
            launch.job(),
            launch.assignment(),
            new Launch.Earlier(launch.earlier().ranFor(), launch.earlier().checkpoint(), null),
            launch.documents(),
            launch.adopted());
  }
}
