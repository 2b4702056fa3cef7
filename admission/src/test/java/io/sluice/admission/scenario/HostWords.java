// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.util.List;
import java.util.Map;

/** The words for labels and taints of the hosts of slices, and for pods that select them. */
final class HostWords {
  private HostWords() {}

  /**
   * {@code label s1-0 pool a}: a label of a host, besides those of its slice. {@code taint s1-0
   * team red}: only pods come there that tolerate it.
   */
  static void change(FleetBuilder fleet, String verb, Words words) {
    String host = words.next();
    String key = words.next();
    String value = words.next();
    if (verb.equals("label")) {
      fleet.labels(host, Labels.of(Map.of(key, value)));
    } else {
      fleet.taint(host, new Taint(key, value, Taint.Effect.NO_SCHEDULE));
    }
  }

  /** {@code select pool a} and {@code tolerates team red}, of a job. */
  static void select(WorkloadBuilder job, String word, Words words) {
    String key = words.next();
    String value = words.next();
    if (word.equals("select")) {
      job.selecting(Labels.of(Map.of(key, value)), List.of());
    } else {
      job.selecting(
          Labels.NONE, List.of(new Toleration(key, Toleration.Operator.EQUAL, value, null)));
    }
  }
}
