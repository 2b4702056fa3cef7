// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.fleet.FleetMap;
import io.sluice.restmodel.fleet.FleetMap.SliceKind;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnHolder;
import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnSlice;
import io.sluice.scheduler.security.NamespaceScope;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What callers are told of the fleet, and of its changes. */
class FleetMapAnswersTest {
  private static final SliceKind KIND = new SliceKind("v6e", "4x4", 16, "spot");
  private static final DrawnHolder VISION = holder(1, "vision");
  private static final DrawnHolder SPEECH = holder(2, "speech");

  private static DrawnHolder holder(int job, String namespace) {
    return new DrawnHolder(
        new AttemptKey(new JobId(new UUID(0, job)), 0, 1),
        "train-" + job,
        namespace,
        "team-" + namespace,
        "research",
        "RUNNING");
  }

  private static DrawnSlice slice(String name, DrawnHolder... holders) {
    return new DrawnSlice(
        name, KIND, SliceCondition.READY, false, false, null, false, List.of(holders));
  }

  private static DrawnFleet fleet(String revision, DrawnSlice... slices) {
    return new DrawnFleet(revision, slices.length, List.of(slices));
  }

  @Test
  void kindsAndHoldersStandOnce() {
    FleetMap map =
        FleetMapAnswers.of(
            fleet("p-0", slice("a", VISION), slice("b", SPEECH), slice("c", VISION), slice("d")),
            null,
            NamespaceScope.ALL);
    assertThat(map.kinds()).containsExactly(KIND);
    assertThat(map.holders()).hasSize(2);
    assertThat(map.slices().stream().map(FleetMap.MapSlice::holders))
        .containsExactly(List.of(0), List.of(1), List.of(0), null);
  }

  @Test
  void othersAreNotNamed() {
    FleetMap map =
        FleetMapAnswers.of(
            fleet("p-0", slice("a", VISION), slice("b", SPEECH)),
            null,
            NamespaceScope.of("vision"));
    assertThat(map.holders())
        .containsExactly(
            new FleetMap.MapHolder(
                VISION.attempt().job().toString(),
                "train-1",
                "vision",
                "team-vision",
                "research",
                "RUNNING"),
            new FleetMap.MapHolder(null, null, null, null, "research", "RUNNING"));
  }

  @Test
  void aClaimOfOthersIsNotTold() {
    DrawnSlice claimed =
        new DrawnSlice("a", KIND, SliceCondition.READY, false, false, "speech", false, List.of());
    assertThat(claimedFor(claimed, NamespaceScope.of("vision"))).isNull();
    assertThat(claimedFor(claimed, NamespaceScope.of("speech"))).isTrue();
  }

  private static @Nullable Boolean claimedFor(DrawnSlice slice, NamespaceScope readable) {
    return FleetMapAnswers.of(fleet("p-0", slice), null, readable).slices().get(0).claimed();
  }

  @Test
  void whatACallerHasWithTheChangesIsWhatThereIs() {
    SplittableRandom random = new SplittableRandom(7);
    DrawnFleet known = random(random, "p-0");
    for (int round = 1; round < 200; round++) {
      DrawnFleet present = random(random, "p-" + round);
      FleetMap changes = FleetMapAnswers.of(present, known, NamespaceScope.ALL);
      TreeMap<String, DrawnSlice> merged = new TreeMap<>();
      known.slices().forEach(slice -> merged.put(slice.name(), slice));
      if (changes.gone() != null) {
        changes.gone().forEach(merged::remove);
      }
      TreeMap<String, DrawnSlice> now = new TreeMap<>();
      present.slices().forEach(slice -> now.put(slice.name(), slice));
      for (FleetMap.MapSlice changed : changes.slices()) {
        DrawnSlice slice = now.get(changed.name());
        assertThat(slice).isNotEqualTo(merged.get(changed.name()));
        merged.put(changed.name(), slice);
      }
      assertThat(merged).isEqualTo(now);
      known = present;
    }
  }

  private static DrawnFleet random(SplittableRandom random, String revision) {
    TreeMap<String, DrawnSlice> slices = new TreeMap<>();
    for (int i = 0; i < 12; i++) {
      String name = "s-" + i;
      switch (random.nextInt(4)) {
        case 0 -> slices.put(name, slice(name));
        case 1 -> slices.put(name, slice(name, VISION));
        case 2 -> slices.put(name, slice(name, SPEECH));
        default -> {}
      }
    }
    return fleet(revision, slices.values().toArray(DrawnSlice[]::new));
  }
}
