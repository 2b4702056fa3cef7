// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.WorkloadBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is chosen, beside every other choice that could have been made. */
class SlicePackingTest {
  private static final List<String> SIZES = List.of("2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4");
  private static final ResourceFlavor FLAVOR =
      new ResourceFlavor(ObjectMeta.named("cubes"), Labels.NONE, List.of(), List.of());

  private static SlicePool pool(String topology) {
    SliceTopology shape = SliceTopology.parse(topology);
    return new SlicePool("cubes", "tpu7x", shape, (int) (shape.chips() / 4));
  }

  private static AttemptKey attempt(int number) {
    return new AttemptKey(WorkloadBuilder.id(number), 0, 1);
  }

  private static SliceTable table(Fleet fleet) {
    SliceTable table = new SliceTable();
    table.setFleet(fleet, List.of(FLAVOR));
    return table;
  }

  private static Slice found(SliceTable table, String name) {
    return Objects.requireNonNull(table.find(name));
  }

  /** Holds slices of any size until little is free. */
  private static void fill(SliceTable table, SplittableRandom random, int most) {
    for (int number = 0; number < most; number++) {
      String size = SIZES.get(random.nextInt(SIZES.size()));
      List<String> names = new ArrayList<>();
      for (Slice slice : table.all()) {
        for (int box = 0; box < 16; box++) {
          String name = size.equals("4x4x4") ? slice.name() : slice.name() + "/" + size + "-" + box;
          if (table.find(name) != null && table.holder(name) == null) {
            names.add(name);
          }
        }
      }
      if (!names.isEmpty()) {
        table.hold(List.of(names.get(random.nextInt(names.size()))), attempt(number + 1));
      }
    }
  }

  private static List<String> freeOnes(SliceTable table, String size) {
    List<String> free = new ArrayList<>();
    for (Slice slice : table.all()) {
      for (int box = 0; box < (size.equals("4x4x4") ? 1 : 16); box++) {
        String name = size.equals("4x4x4") ? slice.name() : slice.name() + "/" + size + "-" + box;
        if (table.find(name) != null && table.holder(name) == null) {
          free.add(name);
        }
      }
    }
    return free;
  }

  private static Set<String> hosts(SliceTable table, List<String> names) {
    Set<String> hosts = new TreeSet<>();
    names.forEach(name -> hosts.addAll(found(table, name).hosts()));
    return hosts;
  }

  /** What would be left: free boxes of each larger size, then free cubes by block, most first. */
  private record Left(List<Integer> boxes, List<Integer> blocks) {
    static Left of(SliceTable table, String size, Set<String> used) {
      List<Integer> boxes = new ArrayList<>();
      for (String larger : SIZES.subList(SIZES.indexOf(size), SIZES.size())) {
        int free = 0;
        for (String name : freeOnes(table, larger)) {
          free += found(table, name).hosts().stream().noneMatch(used::contains) ? 1 : 0;
        }
        boxes.add(free);
      }
      TreeMap<String, Integer> blocks = new TreeMap<>();
      for (String name : freeOnes(table, "4x4x4")) {
        Slice cube = found(table, name);
        boolean free = cube.hosts().stream().noneMatch(used::contains);
        String block = cube.forming().block();
        if (block != null) {
          blocks.merge(block, free ? 1 : 0, Integer::sum);
        }
      }
      List<Integer> left = new ArrayList<>(blocks.values());
      left.sort(Collections.reverseOrder());
      return new Left(boxes, left);
    }

    /** Whether no size has fewer boxes than the other leaves, and blocks are no worse if equal. */
    boolean noWorseThan(Left other) {
      for (int size = 0; size < boxes.size(); size++) {
        if (boxes.get(size) < other.boxes.get(size)) {
          return false;
        }
      }
      return !boxes.equals(other.boxes) || compare(blocks, other.blocks) >= 0;
    }
  }

  private static int compare(List<Integer> one, List<Integer> other) {
    for (int at = 0; at < one.size(); at++) {
      int order = one.get(at).compareTo(other.get(at));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static void everyChoice(
      List<String> free, int count, List<String> sofar, List<List<String>> all) {
    if (sofar.size() == count) {
      all.add(List.copyOf(sofar));
      return;
    }
    for (int at = 0; at < free.size(); at++) {
      sofar.add(free.get(at));
      everyChoice(free.subList(at + 1, free.size()), count, sofar, all);
      sofar.remove(sofar.size() - 1);
    }
  }

  @Test
  void noOtherChoiceOfBoxesLeavesMoreOfAnySize() {
    int[] compared = new int[1];
    Seeds.check(
        100,
        random -> {
          SliceTable table =
              table(
                  FleetBuilder.fleet()
                      .cubes(1 + random.nextInt(2), "a", "a", true)
                      .cubes(1 + random.nextInt(2), "b", "b", random.nextBoolean())
                      .cubes(random.nextInt(2), "c", null, true)
                      .build());
          fill(table, random, random.nextInt(9));
          String size = SIZES.get(random.nextInt(SIZES.size()));
          List<String> free = freeOnes(table, size);
          int wanted = 1 + random.nextInt(free.size() > 12 ? 2 : 4);
          List<String> chosen = table.free(pool(size), wanted);
          assertThat(chosen).hasSize(Math.min(wanted, free.size())).isSubsetOf(free);
          assertThat(hosts(table, chosen)).hasSize(chosen.size() * pool(size).hosts());
          assertThat(table.countFree(pool(size), null)).isEqualTo(free.size());
          Left left = Left.of(table, size, hosts(table, chosen));
          List<List<String>> others = new ArrayList<>();
          everyChoice(free, chosen.size(), new ArrayList<>(), others);
          for (List<String> other : others.subList(0, Math.min(others.size(), 300))) {
            Left otherwise = Left.of(table, size, hosts(table, other));
            assertThat(left.noWorseThan(otherwise)).as("%s and %s", chosen, other).isTrue();
            compared[0]++;
          }
        });
    assertThat(compared[0]).isGreaterThan(5000);
  }

  private static void everyShare(
      int[] free, int each, int wanted, int at, int[] joins, List<int[]> all) {
    if (at == free.length) {
      if (wanted == 0) {
        all.add(joins.clone());
      }
      return;
    }
    for (int count = 0; count <= Math.min(wanted, free[at] / each); count++) {
      joins[at] = count;
      everyShare(free, each, wanted - count, at + 1, joins, all);
    }
  }

  private static List<Integer> leftIn(int[] free, int each, int[] joins) {
    List<Integer> left = new ArrayList<>();
    for (int block = 0; block < free.length; block++) {
      left.add(free[block] - each * joins[block]);
    }
    left.sort(Collections.reverseOrder());
    return left;
  }

  @Test
  void noOtherSharesOfBlocksLeaveMore() {
    Seeds.check(
        3000,
        random -> {
          int[] free = random.ints(1 + random.nextInt(4), 0, 13).toArray();
          int each = 1 + random.nextInt(5);
          int wanted = 1 + random.nextInt(6);
          int[] joins = SlicePacking.shares(free, each, wanted);
          int most = 0;
          int made = 0;
          for (int block = 0; block < free.length; block++) {
            most += free[block] / each;
            made += joins[block];
            assertThat(joins[block]).isBetween(0, free[block] / each);
          }
          assertThat(made).isEqualTo(Math.min(most, wanted));
          List<int[]> others = new ArrayList<>();
          everyShare(free, each, made, 0, new int[free.length], others);
          for (int[] other : others) {
            assertThat(compare(leftIn(free, each, joins), leftIn(free, each, other)))
                .as("%s of %s", Arrays.toString(joins), Arrays.toString(free))
                .isNotNegative();
          }
        });
  }

  @Test
  void whatCanBeNothingElseIsTakenFirst() {
    SliceTable table =
        table(
            FleetBuilder.fleet()
                .cubes(2, "a", "a", true)
                .cubes(1, "b", "b", false)
                .cubes(2, "z", null, false)
                .cubes(1, "y", null, true)
                .build());
    assertThat(table.free(pool("4x4x4"), 6)).containsExactly("z0", "z1", "y0", "b0", "a0", "a1");
    assertThat(table.free(pool("2x4x4"), 3))
        .containsExactly("y0/2x4x4-0", "y0/2x4x4-1", "a0/2x4x4-0");
    assertThat(table.free(pool("4x4x8"), 2)).containsExactly("4x4x8:a[0-1]");
    assertThat(table.mostOf(pool("4x4x8"))).isEqualTo(1);
  }

  @Test
  void anOutlookCountsAsATableThatHasChanged() {
    Seeds.check(
        60,
        random -> {
          SliceTable table =
              table(FleetBuilder.fleet().cubes(3, "a", "a", true).cubes(2, "b", "b", true).build());
          fill(table, random, 8);
          List<String> held = new ArrayList<>();
          for (int number = 1; number <= 8; number++) {
            for (Slice slice : table.all()) {
              for (String name : table.heldOn(slice.name())) {
                if (attempt(number).equals(table.holder(name)) && !held.contains(name)) {
                  held.add(name);
                }
              }
            }
          }
          for (String size : List.of("2x2x2", "2x4x4", "4x4x4", "4x4x8", "4x4x12")) {
            SliceOutlook outlook = table.outlook(pool(size), null);
            assertThat(outlook.count()).isEqualTo(table.countFree(pool(size), null));
            outlook.release(held);
            outlook.hold(held.subList(0, held.size() / 2));
            SliceTable other =
                table(
                    FleetBuilder.fleet().cubes(3, "a", "a", true).cubes(2, "b", "b", true).build());
            other.hold(held.subList(0, held.size() / 2), attempt(1));
            int count = other.countFree(pool(size), null);
            assertThat(outlook.count()).as(size).isEqualTo(count);
            List<String> chosen = outlook.choose(count + 1);
            assertThat(chosen).hasSize(count);
            assertThat(hosts(table, chosen)).hasSize(count * pool(size).hosts());
            long free = table.countFree(pool(size), null);
            assertThat(chosen.stream().limit(free)).allMatch(name -> table.holder(name) == null);
          }
        });
  }

  @Test
  void aNameThatTheFleetCanNoLongerMakeStillTakesItsHosts() {
    SliceTable table = table(FleetBuilder.fleet().cubes(2, "a", "a", true).build());
    table.hold(List.of("a0/2x2x4-1"), attempt(1));
    table.hold(List.of("a0/2x2x4-2"), attempt(2));
    table.setFleet(FleetBuilder.fleet().cubes(2, "a", null, false).build(), List.of(FLAVOR));
    assertThat(table.find("a0/2x2x4-1")).isNull();
    assertThat(table.free(pool("4x4x4"), 2)).containsExactly("a1");
    assertThat(table.holders("a0")).containsExactly(attempt(1), attempt(2));
    assertThat(table.retired()).containsExactly("a0/2x2x4-1", "a0/2x2x4-2");
    table.release(List.of("a0/2x2x4-1"), attempt(1));
    assertThat(table.free(pool("4x4x4"), 2)).containsExactly("a1");
    table.release(List.of("a0/2x2x4-2"), attempt(2));
    assertThat(table.free(pool("4x4x4"), 2)).containsExactly("a0", "a1");
  }

  @Test
  void whatHasToBeSoughtIsNoMoreThanIsNeeded() {
    Fleet fleet = FleetBuilder.fleet().cubes(2, "a", "a", true).cubes(3, "b", "b", true).build();
    SliceTable table = table(fleet);
    List<String> absent = List.of("a0", "b0", "b1", "b2");
    for (String slice : absent) {
      table.standings().put(new SliceStanding(slice, SliceCondition.ABSENT, null, null));
    }
    assertThat(table.outlook(pool("4x4x8"), null).needed(1, absent)).containsExactly("a0");
    assertThat(table.outlook(pool("4x4x12"), null).needed(1, absent))
        .containsExactly("b0", "b1", "b2");
    assertThat(table.outlook(pool("2x4x4"), null).needed(3, absent)).containsExactly("a0");
    assertThat(table.outlook(pool("4x4x12"), null).needed(2, absent)).isNull();
    assertThat(table.outlook(pool("2x4x4"), null).needed(2, absent)).isEmpty();
  }
}
