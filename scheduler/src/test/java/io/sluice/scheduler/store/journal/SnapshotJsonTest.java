// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a state remembers is read back as it was. */
class SnapshotJsonTest {
  private static final int ROUNDS = 30;
  private static final AdmissionFairSharing USAGE =
      new AdmissionFairSharing(
          Duration.ofSeconds(15),
          Duration.ofSeconds(2),
          new TreeMap<>(Map.of(ResourceName.CPU, new BigDecimal("0.50"))));

  private static byte[] write(AdmissionState state) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SnapshotWalk walk = state.walk();
    walk.sort();
    try (SnapshotJson.Writer json = new SnapshotJson.Writer(out, walk.others())) {
      for (SnapshotWalk.Part part : walk.next(Integer.MAX_VALUE)) {
        json.write(part);
      }
      json.finish();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return out.toByteArray();
  }

  private static StateSnapshot read(byte[] stored) {
    try {
      return SnapshotJson.read(new ByteArrayInputStream(stored));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static AdmissionState live(
      SplittableRandom random, RandomWorld world, EnginePolicy policy, boolean compared) {
    AdmissionState state = AdmissionState.restore(StateSnapshot.empty(), policy);
    VirtualClock clock = new VirtualClock();
    for (int round = 0; round < ROUNDS; round++) {
      List<Input> inputs = round == 0 ? world.setUp() : world.next(state);
      clock.advance(world.pause());
      new AdmissionEngine(state).decide(inputs, clock.now(), 1 + random.nextInt(1_000));
      if (compared && round % 5 == 4) {
        assertThat(read(write(state))).isEqualTo(state.snapshot());
      }
    }
    return state;
  }

  @Test
  void aSnapshotIsReadBackAsItWas() {
    EnginePolicy byUsage = EnginePolicy.DEFAULT.withAdmissionFairSharing(USAGE);
    Seeds.check(12, random -> live(random, new RandomWorld(random), EnginePolicy.DEFAULT, true));
    Seeds.check(12, random -> live(random, RandomWorld.byUsage(random), byUsage, true));
  }

  @Test
  void aShapeThatJobsShareIsSharedWhenItIsReadBack() {
    int shared = 0;
    for (int seed = 1; seed <= 5; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AdmissionState state =
          live(random, RandomWorld.withoutLadders(random), EnginePolicy.DEFAULT, false);
      StateSnapshot read = read(write(state));
      Map<WorkloadShape, WorkloadShape> shapes = new HashMap<>();
      for (JobRecord job : read.jobs()) {
        WorkloadShape shape = job.workload().shape();
        assertThat(shapes.getOrDefault(shape, shape)).isSameAs(shape);
        shapes.put(shape, shape);
      }
      shared += read.jobs().size() - shapes.size();
    }
    assertThat(shared).isPositive();
  }

  @Test
  void aSnapshotThatIsCutShortIsRefused() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] whole = write(live(random, new RandomWorld(random), EnginePolicy.DEFAULT, false));
    for (int length : new int[] {0, 1, whole.length / 2, whole.length - 1}) {
      assertThatThrownBy(
              () -> SnapshotJson.read(new ByteArrayInputStream(Arrays.copyOf(whole, length))))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aPolicyIsReadBackAsItWas() {
    EnginePolicy policy =
        EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT).withAdmissionFairSharing(USAGE);
    assertThat(JournalJson.read(JournalJson.write(policy), EnginePolicy.class)).isEqualTo(policy);
    assertThat(JournalJson.read(JournalJson.write(EnginePolicy.DEFAULT), EnginePolicy.class))
        .isEqualTo(EnginePolicy.DEFAULT);
  }
}
