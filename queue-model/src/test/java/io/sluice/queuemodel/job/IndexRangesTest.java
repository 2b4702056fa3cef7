// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexRangesTest {
  @Test
  void neighboursGrowTogether() {
    IndexRanges ranges = IndexRanges.NONE.with(3).with(1).with(7).with(2);
    assertThat(ranges).hasToString("1-3,7");
    assertThat(ranges.with(0).with(5)).hasToString("0-3,5,7");
    assertThat(ranges.with(5).with(6).with(4)).hasToString("1-7");
  }

  @Test
  void indexIsThereOnce() {
    assertThatThrownBy(() -> IndexRanges.parse("0-3").with(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2")
        .hasMessageContaining("0-3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "7", "0-3", "0-3,7", "1,3,5-6", "0-2147483647"})
  void whatIsWrittenIsWhatWasRead(String text) {
    assertThat(IndexRanges.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",",
        "a",
        "1,",
        "-1",
        "1-",
        "1--2",
        "3-1",
        "5,3",
        "0-3,2",
        "0-3,4",
        "1,1",
        "+1",
        "01",
        "2-2",
        "99999999999",
        " 1"
      })
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> IndexRanges.parse(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("must be ranges of indices such as 0-3,7");
  }

  @Test
  void rangesBehaveAsTheSetOfTheirIndices() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      TreeSet<Integer> expected = new TreeSet<>();
      IndexRanges ranges = IndexRanges.NONE;
      List<Integer> order = new ArrayList<>();
      for (int index = 0; index < 40; index++) {
        order.add(index);
      }
      Collections.shuffle(order, random);
      for (int index : order.subList(0, 25)) {
        ranges = ranges.with(index);
        expected.add(index);
        for (int probe = -1; probe <= 40; probe++) {
          assertThat(ranges.contains(probe))
              .as("seed %d, %d in %s", seed, probe, ranges)
              .isEqualTo(expected.contains(probe));
        }
        assertThat(ranges.size()).isEqualTo(expected.size());
        assertThat(IndexRanges.parse(ranges.toString())).isEqualTo(ranges);
      }
    }
  }

  @Test
  void indicesAtPlacesAreThoseOfTheSortedSet() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      IndexRanges all = someOf(60, random);
      List<Integer> sorted = indices(all, 60);
      IndexRanges places = someOf(all.size(), random);
      List<Integer> expected =
          indices(places, all.size()).stream().map(place -> sorted.get(place)).toList();
      assertThat(indices(all.at(places), 60)).as("seed %d", seed).isEqualTo(expected);
      assertThat(IndexRanges.parse(all.at(places).toString())).isEqualTo(all.at(places));
      for (int place = 0; place < sorted.size(); place++) {
        assertThat(all.at(place)).isEqualTo(sorted.get(place));
      }
    }
    IndexRanges three = IndexRanges.parse("3,7-8");
    assertThatThrownBy(() -> three.at(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> three.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> three.at(IndexRanges.parse("1-3")))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static IndexRanges someOf(int count, Random random) {
    IndexRanges some = IndexRanges.NONE;
    for (int index = 0; index < count; index++) {
      if (random.nextInt(3) > 0) {
        some = some.with(index);
      }
    }
    return some;
  }

  private static List<Integer> indices(IndexRanges ranges, int below) {
    List<Integer> indices = new ArrayList<>();
    for (int index = 0; index < below; index++) {
      if (ranges.contains(index)) {
        indices.add(index);
      }
    }
    return indices;
  }
}
