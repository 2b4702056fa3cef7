// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.preview.AlternativeSearch;
import io.sluice.admission.preview.ChangeSearch;
import io.sluice.admission.preview.Competitors;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Measures explanations of random jobs among 100,000 pending ones in the world of {@link PlanCost}:
 * the explanation, for which a view is held; the copy of the job's competitors, the same; and the
 * searches on that copy for the smallest change and for changes of the job itself.
 */
final class ExplanationCost {
  private static final int PENDING = 100_000;
  private static final int WARM_UPS = 100;
  private static final int JOBS = 200;

  private ExplanationCost() {}

  /** Prints the figures. */
  public static void main(String[] args) {
    AdmissionState state = PlanCost.world(PENDING);
    List<JobEntry> pending = new ArrayList<>();
    state.queues().forEach(queue -> pending.addAll(queue.pending().inOrder()));
    SplittableRandom random = new SplittableRandom(1);
    long[][] nanos = new long[4][JOBS];
    for (int count = -WARM_UPS; count < JOBS; count++) {
      JobEntry job = pending.get(random.nextInt(pending.size()));
      long[] its = measure(state, job);
      for (int part = 0; part < its.length && count >= 0; part++) {
        nanos[part][count] = its[part];
      }
    }
    System.out.printf(
        Locale.ROOT, "%,d pending, %,d running%n", pending.size(), state.attempts().size());
    print("explanation", nanos[0]);
    print("copy of the competitors", nanos[1]);
    print("smallest change", nanos[2]);
    print("alternatives", nanos[3]);
  }

  private static long[] measure(AdmissionState state, JobEntry job) {
    long begun = System.nanoTime();
    Optional<Explanation> explanation = new Explainer(state).explain(job);
    long explained = System.nanoTime();
    Competitors competitors = Competitors.of(state, job);
    long copied = System.nanoTime();
    if (explanation.map(ChangeSearch::appliesTo).orElse(false)) {
      new ChangeSearch(competitors, state.policy(), () -> true).find();
    }
    long changed = System.nanoTime();
    new AlternativeSearch(competitors, state.policy(), state.now(), () -> true).find();
    return new long[] {
      explained - begun, copied - explained, changed - copied, System.nanoTime() - changed
    };
  }

  private static void print(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-24s p50 %.1f ms, p99 %.1f ms, worst %.1f ms%n",
        what,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }
}
