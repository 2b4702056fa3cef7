// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine.Round;
import io.sluice.admission.cycle.CycleEntry;
import io.sluice.admission.cycle.RoomKeeping;
import io.sluice.admission.cycle.TakenFillers;
import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A head that is nominated and never served, as a fault of the engine would have it. */
class UndecidedHeadTest {
  private static final Instant NOW = VirtualClock.BEGIN;
  private static final int EVENTS_MAX = 1_000;
  private static final JobId BAD = WorkloadBuilder.id(1);
  private static final Workload ALIKE = workload("alike", 2, "a", 1_000);
  private static final Workload BEHIND = workload("behind", 3, "a", 2_000);
  private static final Workload OTHER = workload("other", 4, "b", 1_000);

  /** Serves everybody but one job. */
  private record RefusingRoom(RoomKeeping room) implements RoomKeeping {
    @Override
    public CycleEntry refresh(CycleEntry entry) {
      return room.refresh(entry);
    }

    @Override
    public void admit(CycleEntry entry) {
      if (!entry.job().id().equals(BAD)) {
        room.admit(entry);
      }
    }

    @Override
    public void takeBack(CycleEntry entry, TakenFillers fillers) {
      room.takeBack(entry, fillers);
    }

    @Override
    public void evict(CycleEntry entry, Victims victims) {
      room.evict(entry, victims);
    }

    @Override
    public void reserve(CycleEntry entry) {
      room.reserve(entry);
    }

    @Override
    public void giveUp(CycleEntry entry) {
      room.giveUp(entry);
    }

    @Override
    public void end() {
      room.end();
    }
  }

  private static Workload workload(String name, long number, String queue, long milliCpu) {
    return WorkloadBuilder.named(name, number)
        .queue("default", queue)
        .requests(1, ResourceName.CPU, milliCpu)
        .build();
  }

  private static List<Input> inputs() {
    List<QuotaObject> objects = new ArrayList<>();
    objects.add(new ResourceFlavor(ObjectMeta.named("default"), Labels.NONE, List.of(), List.of()));
    for (String queue : List.of("a", "b")) {
      objects.add(
          ClusterQueueBuilder.named(queue)
              .cohort("lab")
              .nominal("default", ResourceName.CPU, 8_000)
              .build());
      objects.add(new LocalQueue(ObjectMeta.named("default", queue), queue, StopPolicy.NONE));
    }
    List<Input> inputs = new ArrayList<>();
    objects.forEach(object -> inputs.add(new Input.SetObject(object, 1)));
    for (Workload workload : List.of(workload("bad", 1, "a", 1_000), ALIKE, BEHIND, OTHER)) {
      inputs.add(new Input.SubmitJob(workload, false));
    }
    return inputs;
  }

  private static List<JobId> admitted(Round round) {
    return round.events().stream()
        .filter(Event.Admitted.class::isInstance)
        .map(event -> ((Event.Admitted) event).attempt().job())
        .sorted()
        .toList();
  }

  private static Blocker blocker(AdmissionState state) {
    JobEntry bad = state.findJob(BAD);
    assertThat(bad).isNotNull();
    return bad == null
        ? Blocker.NEXT_ROUND
        : new Explainer(state).explain(bad).map(Explanation::blocker).orElseThrow();
  }

  @Test
  void othersOfItsShapeOfItsQueueAndOfOtherQueuesAreAdmitted() {
    AdmissionState state = new AdmissionState();
    Round round = new AdmissionEngine(state, RefusingRoom::new).decide(inputs(), NOW, EVENTS_MAX);
    assertThat(admitted(round)).containsExactly(ALIKE.id(), BEHIND.id(), OTHER.id());
    assertThat(round.more()).isFalse();
    assertThat(round.undecided()).containsExactly(BAD);
  }

  @Test
  void itsExplanationSaysThatNothingWasDecided() {
    AdmissionState state = new AdmissionState();
    new AdmissionEngine(state, RefusingRoom::new).decide(inputs(), NOW, EVENTS_MAX);
    assertThat(blocker(state)).isEqualTo(Blocker.UNDECIDED);
  }

  @Test
  void itIsTriedAgainInEachRoundAndAdmittedOnceTheFaultIsGone() {
    AdmissionState state = new AdmissionState();
    AdmissionEngine faulty = new AdmissionEngine(state, RefusingRoom::new);
    faulty.decide(inputs(), NOW, EVENTS_MAX);
    Round next = faulty.decide(List.of(), NOW.plusSeconds(1), EVENTS_MAX);
    assertThat(next.events()).isEmpty();
    assertThat(next.undecided()).containsExactly(BAD);
    Round sound = new AdmissionEngine(state).decide(List.of(), NOW.plusSeconds(2), EVENTS_MAX);
    assertThat(admitted(sound)).containsExactly(BAD);
    assertThat(sound.undecided()).isEmpty();
    assertThat(state.tries().isUndecided(BAD)).isFalse();
  }

  /** What a round decides must not depend on what an earlier one passed over. */
  @Test
  void aRestoredStateDecidesTheSame() {
    AdmissionState state = new AdmissionState();
    AdmissionEngine faulty = new AdmissionEngine(state, RefusingRoom::new);
    faulty.decide(inputs(), NOW, EVENTS_MAX);
    AdmissionState restored = AdmissionState.restore(state.snapshot());
    List<Input> later = List.of(new Input.SubmitJob(workload("later", 5, "a", 1_000), false));
    Round live = faulty.decide(later, NOW.plusSeconds(1), EVENTS_MAX);
    Round again =
        new AdmissionEngine(restored, RefusingRoom::new)
            .decide(later, NOW.plusSeconds(1), EVENTS_MAX);
    assertThat(again).isEqualTo(live);
  }
}
