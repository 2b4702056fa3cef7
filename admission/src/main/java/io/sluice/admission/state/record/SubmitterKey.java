// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.QueueKey;
import java.util.Comparator;

/** The key of a submitter within one LocalQueue. */
public record SubmitterKey(QueueKey queue, String submitter) implements Comparable<SubmitterKey> {
  private static final Comparator<SubmitterKey> ORDER =
      Comparator.comparing(SubmitterKey::queue).thenComparing(SubmitterKey::submitter);

  public static SubmitterKey of(Workload workload) {
    return new SubmitterKey(workload.queue(), workload.submitter());
  }

  @Override
  public int compareTo(SubmitterKey other) {
    return ORDER.compare(this, other);
  }
}
