// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A page of jobs is explained by a few of them, and each as by itself. */
class PageExplanationsTest {
  private static final int EVENTS_MAX = 10_000;

  /** Three hundred arrays of two shapes in a queue that has room for fifty indices. */
  private static AdmissionState arrays(int indices) {
    AdmissionState state = AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        new Input.SetObject(
            new ResourceFlavor(ObjectMeta.named("default"), Labels.NONE, List.of(), List.of()), 1));
    inputs.add(
        new Input.SetObject(
            ClusterQueueBuilder.named("q").nominal("default", ResourceName.CPU, 50_000).build(),
            1));
    inputs.add(
        new Input.SetObject(
            new LocalQueue(ObjectMeta.named("team", "main"), "q", StopPolicy.NONE), 1));
    for (int number = 1; number <= 300; number++) {
      inputs.add(
          new Input.SubmitJob(
              WorkloadBuilder.named("job-" + number, number)
                  .queue("team", "main")
                  .array(indices, indices)
                  .requests(1, ResourceName.CPU, 1000L * (1 + number % 2))
                  .build(),
              false));
    }
    Instant now = Instant.EPOCH.plusSeconds(10_000);
    AdmissionEngine engine = new AdmissionEngine(state);
    AdmissionEngine.Round round = engine.decide(inputs, now, EVENTS_MAX);
    while (round.more()) {
      round = engine.decide(List.of(), now, EVENTS_MAX);
    }
    return state;
  }

  private static int explained(AdmissionState state) {
    PageExplanations page = new PageExplanations(state);
    for (JobEntry job : state.jobs()) {
      assertThat(page.explain(job)).isEqualTo(new Explainer(state).explain(job));
    }
    return page.explained();
  }

  @Test
  void arraysOfAMillionIndicesAreExplainedByAsManyAsThereAreShapes() {
    AdmissionState large = arrays(1_000_000);
    assertThat(large.attempts()).isNotEmpty();
    // Of each shape the first, and that of which something is live.
    assertThat(explained(large)).isLessThanOrEqualTo(4);
    assertThat(explained(arrays(1_000))).isEqualTo(explained(large));
  }

  @Test
  void eachIsExplainedAsByItself() {
    Seeds.check(
        60,
        random -> {
          RandomWorld world = new RandomWorld(random);
          AdmissionState state =
              AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
          AdmissionEngine engine = new AdmissionEngine(state);
          VirtualClock clock = new VirtualClock();
          List<Input> inputs = world.setUp();
          for (int round = 0; round < 30; round++) {
            clock.advance(Duration.ofSeconds(1));
            engine.decide(inputs, clock.now(), EVENTS_MAX);
            assertThat(explained(state)).isLessThanOrEqualTo(2 * state.jobs().size());
            inputs = world.next(state);
          }
        });
  }
}
