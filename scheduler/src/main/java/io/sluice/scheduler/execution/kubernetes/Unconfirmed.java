// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a cluster that this server does not know now: nobody can say what is left of it.
 *
 * @param cluster which it is
 * @param created whether there may be something of it
 * @param start whether it is to be started when the cluster is known
 * @param stop how long it has to end when the cluster is known; null: it is not to end
 * @param why the cluster is not known
 */
record Unconfirmed(
    Launch launch,
    String cluster,
    boolean created,
    boolean start,
    @Nullable Duration stop,
    String why) {
  /** Of what an earlier server began. */
  static Unconfirmed found(Launch launch, String cluster, boolean created, String why) {
    return new Unconfirmed(launch, cluster, created, false, null, why);
  }

  /** Of what this server looked after until now. */
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

  /** The launch as whoever goes on with it is to see it. */
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
