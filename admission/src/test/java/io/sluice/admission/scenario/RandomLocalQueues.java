// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.LocalQueueLimits;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** LocalQueues with weights, and with limits on the running jobs of a submitter. */
final class RandomLocalQueues {
  private static final String NAMESPACE = "default";
  private static final List<String> WEIGHTS = List.of("1", "2", "0.5", "0");

  private RandomLocalQueues() {}

  /** Returns a further LocalQueue of a queue, with a weight. */
  static Input door(SplittableRandom random, int number, String suffix) {
    ObjectMeta meta = ObjectMeta.named(NAMESPACE, "q" + number + suffix);
    FairWeight weight = weight(random.nextInt(WEIGHTS.size()));
    return new Input.SetObject(new LocalQueue(meta, "q" + number, StopPolicy.NONE, weight), 1);
  }

  /** Returns the LocalQueue that has the name of its queue. */
  static Input of(SplittableRandom random, int number, boolean limited) {
    String name = "q" + number;
    String limit = Integer.toString(1 + random.nextInt(2));
    Labels annotations =
        limited ? Labels.of(Map.of(LocalQueueLimits.RUNNING_JOBS_ANNOTATION, limit)) : Labels.NONE;
    ObjectMeta meta = new ObjectMeta(NAMESPACE, name, Labels.NONE, annotations);
    return new Input.SetObject(new LocalQueue(meta, name, StopPolicy.NONE), 1);
  }

  static FairWeight weight(int number) {
    return new FairWeight(new BigDecimal(WEIGHTS.get(number % WEIGHTS.size())));
  }
}
