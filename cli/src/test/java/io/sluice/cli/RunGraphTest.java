// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.output.RunGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunGraphTest {
  /** Draws steps that are written as {@code name: those before}. */
  private static String drawn(String... steps) {
    Map<String, List<String>> dependencies = new LinkedHashMap<>();
    for (String step : steps) {
      String[] parts = step.split(":", 2);
      String before = parts[1].strip();
      dependencies.put(parts[0], before.isEmpty() ? List.of() : List.of(before.split(" ")));
    }
    List<String> lines = new ArrayList<>();
    RunGraph.lines(dependencies).forEach(line -> lines.add(line.drawn() + " " + line.step()));
    return String.join("\n", lines) + "\n";
  }

  @Test
  void stepsOneAfterAnotherStandBelowEachOther() {
    assertThat(drawn("a:", "b: a", "c: b"))
        .isEqualTo(
            """
            * a
            * b
            * c
            """);
  }

  @Test
  void severalThatWaitForOneAreJoinedToItsLane() {
    assertThat(drawn("a:", "b: a", "c: a", "d: b c"))
        .isEqualTo(
            """
            * a
            ├─* b
            * │ c
            *─┘ d
            """);
  }

  @Test
  void aStepOfItsOwnNeverStandsBelowOneThatIsNotBeforeIt() {
    assertThat(drawn("a:", "b:", "c: b", "d:"))
        .isEqualTo(
            """
            * a
              * b
              * c
            * d
            """);
  }

  @Test
  void lanesThatAreNotMeantAreCrossed() {
    assertThat(drawn("a:", "b:", "c: a", "x: a b", "d: b c", "e: d x a"))
        .isEqualTo(
            """
            * a
            │ * b
            ├─│─* c
            ├─┼─│─* x
            │ *─┘ │ d
            *─┴───┘ e
            """);
  }

  @Test
  void aStepIsDrawnBelowAllThatItWaitsForWhereverItIsWritten() {
    assertThat(drawn("c: b", "b: a", "a:")).isEqualTo("* a\n* b\n* c\n");
  }

  @Test
  void stepsInACircleAreRefused() {
    assertThatThrownBy(() -> drawn("a: b", "b: a")).hasMessageContaining("circle: [a, b]");
  }
}
