// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.explain;

import io.sluice.admission.ordering.VictimOrder;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.List;

/** Sorts attempts by victim order for display, without a special place for draining ones. */
public final class AttemptOrder {
  private record Entry(Attempt attempt) implements VictimOrder.Orderable {
    @Override
    public Workload workload() {
      return attempt.job().workload();
    }

    @Override
    public String clusterQueue() {
      return attempt.job().queue().name();
    }

    @Override
    public Instant admittedAt() {
      return attempt.admittedAt();
    }

    @Override
    public int index() {
      return attempt.key().index();
    }
  }

  private AttemptOrder() {}

  /** Sorts attempts, preferred victim of the queue first. */
  public static List<Attempt> seenFrom(String preemptorsQueue, List<Attempt> attempts) {
    return attempts.stream()
        .map(Entry::new)
        .sorted(VictimOrder.seenFrom(preemptorsQueue))
        .map(Entry::attempt)
        .toList();
  }
}
