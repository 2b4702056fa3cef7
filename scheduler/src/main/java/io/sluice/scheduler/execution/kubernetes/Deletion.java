// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;

/** Ends an attempt by deleting the objects that Sluice created for it. */
final class Deletion implements ReleasePolicy {
  private final ClusterWork work;
  private final Launch launch;

  Deletion(ClusterWork work, Launch launch) {
    this.work = work;
    this.launch = launch;
  }

  @Override
  public boolean tell(ObjectRef object, Duration grace) {
    boolean there = work.cluster().delete(object, grace);
    if (there && grace.compareTo(launch.job().limits().gracePeriod()) < 0) {
      work.cluster()
          .deletePods(object.namespace(), LabelledAttempt.selector(launch.attempt()), grace);
    }
    return there;
  }

  @Override
  public boolean isBack(ObjectRef object) {
    return work.cluster().isGone(object);
  }
}
