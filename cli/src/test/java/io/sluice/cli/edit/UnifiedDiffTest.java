// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Differences in the unified format. */
class UnifiedDiffTest {
  private static String numbers(int... without) {
    return IntStream.rangeClosed(1, 20)
        .filter(one -> IntStream.of(without).noneMatch(left -> left == one))
        .mapToObj(one -> one + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void equalTextsHaveNoHunks() {
    assertThat(UnifiedDiff.hunks(numbers(), numbers())).isEmpty();
    assertThat(UnifiedDiff.hunks("", "")).isEmpty();
  }

  @Test
  void changesHaveThreeLinesOfContextAndFarOnesHunksOfTheirOwn() {
    String now = numbers(2, 18).replace("10\n", "10\nnew\n");
    assertThat(UnifiedDiff.hunks(numbers(), now))
        .containsExactly(
            "@@ -1,5 +1,4 @@",
            " 1",
            "-2",
            " 3",
            " 4",
            " 5",
            "@@ -8,6 +7,7 @@",
            " 8",
            " 9",
            " 10",
            "+new",
            " 11",
            " 12",
            " 13",
            "@@ -15,6 +15,5 @@",
            " 15",
            " 16",
            " 17",
            "-18",
            " 19",
            " 20");
  }

  @Test
  void aNewTextIsAddedFromItsFirstLine() {
    assertThat(UnifiedDiff.hunks("", "a\nb\n")).containsExactly("@@ -0,0 +1,2 @@", "+a", "+b");
    assertThat(UnifiedDiff.hunks("a\n", "")).containsExactly("@@ -1 +0,0 @@", "-a");
  }

  @Test
  void linesThatAreNotAddedMakeTheOldTextAndLinesThatAreNotRemovedTheNewOne() {
    Random random = new Random(7);
    for (int trial = 0; trial < 200; trial++) {
      String before = text(random);
      String after = text(random);
      List<String> old = new ArrayList<>();
      List<String> now = new ArrayList<>();
      // The first lines differ and the texts are short, so all lines are in one hunk.
      for (String line : UnifiedDiff.hunks("start\n" + before, "begin\n" + after)) {
        char sign = line.charAt(0);
        if (sign == ' ' || sign == '-') {
          old.add(line.substring(1));
        }
        if (sign == ' ' || sign == '+') {
          now.add(line.substring(1));
        }
      }
      assertThat(old).isEqualTo(("start\n" + before).lines().toList());
      assertThat(now).isEqualTo(("begin\n" + after).lines().toList());
    }
  }

  /** Returns up to three lines of two different words. */
  private static String text(Random random) {
    return IntStream.range(0, random.nextInt(4))
        .mapToObj(line -> random.nextBoolean() ? "a\n" : "b\n")
        .collect(Collectors.joining());
  }
}
