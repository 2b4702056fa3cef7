// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Quota of pods, which jobs use without a request for it. */
class PodsQuotaTest {
  private static final int EVENTS_MAX = 1_000;

  /** Its cores come free when it is gone. */
  private static final Workload LEAVING =
      job("leaving", 1).requests(1, ResourceName.CPU, 4_000).build();

  /** It has a pod, and no cores. */
  private static final Workload FILLER =
      job("filler", 2).priority(-1, true).requests(1, ResourceName.MEMORY, 1).build();

  /** It lacks cores until another one has left, and a pod after that, too. */
  private static final Workload HEAD = job("head", 3).requests(2, ResourceName.CPU, 2_000).build();

  private static WorkloadBuilder job(String name, long number) {
    return WorkloadBuilder.named(name, number).queue("default", "q");
  }

  /** Returns the attempts that are preempted. */
  private static List<AttemptKey> preempted(HeadChoice choice) {
    AdmissionState state = new AdmissionState();
    AdmissionEngine engine = new AdmissionEngine(state, choice);
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        new Input.SetObject(
            new ResourceFlavor(ObjectMeta.named("f"), Labels.NONE, List.of(), List.of()), 1));
    inputs.add(
        new Input.SetObject(
            ClusterQueueBuilder.named("q")
                .nominal("f", ResourceName.CPU, 4_000)
                .nominal("f", ResourceName.MEMORY, 1)
                .nominal("f", ResourceName.PODS, 2)
                .build(),
            1));
    inputs.add(
        new Input.SetObject(
            new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE), 1));
    inputs.add(new Input.SubmitJob(LEAVING, false));
    inputs.add(new Input.SubmitJob(FILLER, false));
    engine.decide(inputs, VirtualClock.BEGIN, EVENTS_MAX);
    assertThat(state.attempts()).hasSize(2);

    List<Input> then =
        List.of(new Input.CancelJob(LEAVING.id(), "alice"), new Input.SubmitJob(HEAD, false));
    return engine.decide(then, VirtualClock.BEGIN.plusSeconds(1), EVENTS_MAX).events().stream()
        .filter(Event.AttemptDraining.class::isInstance)
        .map(event -> ((Event.AttemptDraining) event).attempt())
        .filter(attempt -> attempt.job().equals(FILLER.id()))
        .toList();
  }

  @Test
  void aPodIsTakenFromWhoHasNoneOfTheResourcesThatTheHeadAsksFor() {
    assertThat(preempted(HeadChoices.TRYING_EVERYBODY)).hasSize(1);
    assertThat(preempted(HeadChoice.FORESEEING)).isEqualTo(preempted(HeadChoices.TRYING_EVERYBODY));
  }
}
