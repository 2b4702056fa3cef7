// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.JobId;
import java.util.Comparator;

/**
 * The identity of a rung: the job and the rung's position in its class.
 *
 * @param rung from 0
 */
public record RungKey(JobId job, int rung) implements Comparable<RungKey> {
  private static final Comparator<RungKey> ORDER =
      Comparator.comparing(RungKey::job).thenComparing(RungKey::rung);

  @Override
  public int compareTo(RungKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return job + " rung " + rung;
  }
}
