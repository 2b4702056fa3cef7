// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.quota.QueueKey;
import java.util.Comparator;

/** A submitter as one LocalQueue knows them. */
public record SubmitterKey(QueueKey queue, String submitter) implements Comparable<SubmitterKey> {
  private static final Comparator<SubmitterKey> ORDER =
      Comparator.comparing(SubmitterKey::queue).thenComparing(SubmitterKey::submitter);

  public static SubmitterKey of(JobEntry job) {
    return new SubmitterKey(job.workload().queue(), job.workload().submitter());
  }

  @Override
  public int compareTo(SubmitterKey other) {
    return ORDER.compare(this, other);
  }
}
