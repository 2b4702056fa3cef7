// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.testing.FleetBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceFormsTest {
  private static final Fleet CUBES =
      FleetBuilder.fleet()
          .cubes(12, "c-", "a", true)
          .cubes(1, "lone", "a", false)
          .cubes(2, "d-", "b", false)
          .build();
  private static final SliceForms FORMS = new SliceForms(CUBES);

  private static List<String> hosts(String name) {
    Slice slice = FORMS.find(name);
    return slice == null ? List.of() : slice.hosts();
  }

  @Test
  void namesAreReadAsTheyAreWritten() {
    for (String name :
        List.of(
            "c-1",
            "c-1/2x2x4-3",
            "4x4x8:c-[0,3]",
            "8x8x8:c-[0-6,9]",
            "4x4x8:c-11+lone0",
            "4x4x12:c-[1-2]+x",
            "4x4x8:a-0[0-1]")) {
      assertThat(SliceName.parse(name)).hasToString(name);
    }
    assertThat(SliceName.parse("8x8x8:c-[0-6,9]").members())
        .containsExactly("c-0", "c-1", "c-2", "c-3", "c-4", "c-5", "c-6", "c-9");
    assertThat(SliceName.joined(SliceTopology.parse("4x4x12"), List.of("c-10", "c-9", "c-2")))
        .hasToString("4x4x12:c-[2,9-10]");
    assertThat(SliceName.joined(SliceTopology.parse("4x4x8"), List.of("x-007", "x-07")))
        .satisfies(name -> assertThat(SliceName.parse(name.toString())).isEqualTo(name));
    for (String odd : List.of("4x4:[", "a/b-1", "4x4x8:c-[9-1", "x:y", "4x4x8:c-[0-2000000]")) {
      assertThat(SliceName.parse(odd).isWhole()).as(odd).isTrue();
    }
  }

  @Test
  void hostsOfABoxAreCountedAnewWithXFastest() {
    assertThat(hosts("c-1/2x2x4-1")).containsExactly("c-1-1", "c-1-5", "c-1-9", "c-1-13");
    assertThat(hosts("c-1/2x4x4-0"))
        .containsExactly("c-1-0", "c-1-2", "c-1-4", "c-1-6", "c-1-8", "c-1-10", "c-1-12", "c-1-14");
    assertThat(hosts("c-1/2x2x1-15")).containsExactly("c-1-15");
  }

  @Test
  void hostsOfJoinedCubesAreThoseOfTheWholeGrid() {
    List<String> along = hosts("4x4x8:c-[0,3]");
    assertThat(along.subList(0, 16)).containsExactlyElementsOf(hosts("c-0"));
    assertThat(along.subList(16, 32)).containsExactlyElementsOf(hosts("c-3"));
    List<String> flat = hosts("4x8x8:c-[0-3]");
    assertThat(flat).hasSize(64);
    // Workers 0 and 1 are of the first cube, then comes its second row; the next cube adds rows.
    assertThat(flat.subList(0, 8))
        .containsExactly("c-0-0", "c-0-1", "c-0-2", "c-0-3", "c-1-0", "c-1-1", "c-1-2", "c-1-3");
    assertThat(flat.subList(32, 34)).containsExactly("c-2-0", "c-2-1");
    assertThat(hosts("8x8x8:c-[0-7]").subList(0, 4))
        .containsExactly("c-0-0", "c-0-1", "c-1-0", "c-1-1");
  }

  @Test
  void whatTheFleetCannotMakeIsNotThere() {
    for (String name :
        List.of(
            "c-1/2x2x4-4",
            "c-1/2x2x3-0",
            "lone0/2x2x4-0",
            "c-99/2x2x4-0",
            "4x4x8:c-0+d-0",
            "4x4x8:c-[0-2]",
            "4x4x8:c-0",
            "4x4x8:c-[3,0]",
            "4x4x4:c-0",
            "6x4x8:c-[0-2]")) {
      assertThat(FORMS.find(name)).as(name).isNull();
    }
    assertThat(FORMS.find("4x4x8:c-0+lone0")).isNotNull();
  }

  @Test
  void mostIsWhatAFreeFleetCouldMake() {
    assertThat(most("4x4x4", 16)).isEqualTo(15);
    assertThat(most("2x2x4", 4)).isEqualTo(48);
    assertThat(most("4x4x8", 32)).isEqualTo(7);
    assertThat(most("4x4x12", 48)).isEqualTo(4);
    assertThat(most("2x2x4", 1)).isZero();
  }

  private static long most(String topology, int hosts) {
    return SliceForms.most(
        CUBES, new AcceleratorRequest("tpu7x", SliceTopology.parse(topology), 1, hosts));
  }

  @Test
  void aSquareOfSixtyFourHostsIsCutInTwoDimensions() {
    List<SliceTopology> parts =
        List.of("2x2", "2x4", "4x4", "4x8", "8x8", "8x16").stream()
            .map(SliceTopology::parse)
            .toList();
    Slice square =
        new Slice(
            "pod",
            "v6e",
            SliceTopology.parse("16x16"),
            CapacityType.RESERVATION,
            Labels.NONE,
            IntStream.range(0, 64).mapToObj(host -> "h" + host).toList(),
            new Forming(null, parts));
    SliceForms forms = new SliceForms(new Fleet(ExecutorKind.LOCAL, List.of(), List.of(square)));
    assertThat(forms.find("pod/2x4-0")).extracting(Slice::hosts).isEqualTo(List.of("h0", "h8"));
    assertThat(forms.find("pod/4x8-1"))
        .extracting(Slice::hosts)
        .isEqualTo(List.of("h2", "h3", "h10", "h11", "h18", "h19", "h26", "h27"));
    assertThat(forms.find("pod/8x16-2")).isNull();
  }
}
