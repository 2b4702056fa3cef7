// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.AdmissionEngine.Round;
import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.SliceRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures two kinds of rounds: placing a job of 64 slices among 10,000, and losing 1,000 slices at
 * once. Then an explanation of a job that waits for one of them. Prints median and maximum in
 * milliseconds, after 60 rounds or explanations of warm-up.
 */
final class ElasticCost {
  private static final int SLICES = 10_000;
  private static final int LOST = 1_000;
  private static final int SIZE = 64;
  private static final int FEW = 4;

  /** As many as a server has had after some minutes. */
  private static final int WARMING = 60;

  private static final int MEASURED = 10;
  private static final int EVENTS_MAX = 100_000;

  private ElasticCost() {}

  /** Prints the figures. */
  public static void main(String[] arguments) {
    print("64 slices, the first of a new fleet", () -> place(0, SliceRange.exactly(SIZE)));
    print("64 slices, nearly all are free", () -> place(1, SliceRange.exactly(SIZE)));
    print("64 slices, the last that are free", () -> place(155, SliceRange.exactly(SIZE)));
    print("1 to 64 slices, 16 of them free", () -> place(156, new SliceRange(1, SIZE)));
    print("1,000 slices lost, of 156 attempts", ElasticCost::lose);
    SliceRange few = SliceRange.exactly(FEW);
    AdmissionState full = world(SLICES / FEW, few);
    measure(full, List.of(submit(SLICES, few)), "JobEnqueued", 1);
    print("explanation, 2,500 attempts hold all", () -> explain(full));
  }

  /** One measured round; nanoseconds. */
  private interface Measured {
    long run();
  }

  private static void print(String what, Measured measured) {
    for (int warming = 0; warming < WARMING; warming++) {
      measured.run();
    }
    long[] nanos = new long[MEASURED];
    for (int at = 0; at < MEASURED; at++) {
      nanos[at] = measured.run();
    }
    Arrays.sort(nanos);
    double millis = 1e6;
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-36s median %6.2f ms, worst %6.2f ms",
            what,
            nanos[MEASURED / 2] / millis,
            nanos[MEASURED - 1] / millis));
  }

  /** Places one job more where some have 64 slices each. */
  private static long place(int before, SliceRange wanted) {
    AdmissionState state = world(before, SliceRange.exactly(SIZE));
    return measure(state, List.of(submit(before + 1, wanted)), "Admitted", 1);
  }

  /** Every tenth slice is lost. */
  private static long lose() {
    int attempts = SLICES / SIZE;
    AdmissionState state = world(attempts, new SliceRange(1, SIZE));
    List<Input> losses = new ArrayList<>();
    for (int lost = 0; lost < LOST; lost++) {
      losses.add(new Input.ReclaimSlice(SliceObjects.name(lost * (SLICES / LOST)), Duration.ZERO));
    }
    return measure(state, losses, "AttemptResized", attempts);
  }

  /** Explains the only job that waits. */
  private static long explain(AdmissionState state) {
    JobEntry waiting =
        state.queues().stream()
            .flatMap(queue -> queue.pending().inOrder().stream())
            .findFirst()
            .orElseThrow();
    long begin = System.nanoTime();
    Optional<Explanation> explanation = new Explainer(state).explain(waiting);
    long took = System.nanoTime() - begin;
    if (explanation.map(Explanation::blocker).orElse(null) != Blocker.SLICES_IN_USE) {
      throw new IllegalStateException("another explanation than was meant: " + explanation);
    }
    return took;
  }

  private static long measure(AdmissionState state, List<Input> inputs, String kind, int expected) {
    AdmissionEngine engine = new AdmissionEngine(state);
    long begin = System.nanoTime();
    Round round = engine.decide(inputs, Instant.EPOCH.plusSeconds(2), EVENTS_MAX);
    long took = System.nanoTime() - begin;
    long found =
        round.events().stream()
            .filter(event -> event.getClass().getSimpleName().equals(kind))
            .count();
    if (found != expected) {
      throw new IllegalStateException(found + " " + kind + ", not " + expected);
    }
    return took;
  }

  /** Slices of which jobs have some. */
  private static AdmissionState world(int jobs, SliceRange each) {
    AdmissionState state = new AdmissionState();
    List<Input> inputs = new ArrayList<>();
    inputs.add(new Input.SetFleet(SliceObjects.fleet(SLICES)));
    inputs.add(SliceObjects.flavor());
    inputs.add(SliceObjects.clusterQueue("q", null, SLICES));
    inputs.add(WorldObjects.localQueue("q"));
    for (int job = 1; job <= jobs; job++) {
      inputs.add(submit(job, each));
    }
    List<Event> events =
        new AdmissionEngine(state)
            .decide(inputs, Instant.EPOCH.plusSeconds(1), EVENTS_MAX)
            .events();
    if (state.attempts().size() != jobs) {
      throw new IllegalStateException("another world than was meant: " + events.size());
    }
    return state;
  }

  private static Input submit(int number, SliceRange slices) {
    return new Input.SubmitJob(
        WorldObjects.workload(
            number, "q", 0, Instant.EPOCH.plusSeconds(number), SliceObjects.shape(slices)));
  }
}
