// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.plan.PlanEntry;
import io.sluice.restmodel.plan.PlanEntry.PlanAmount;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanChartTest {
  private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

  private static PlanEntry entry(
      String name,
      @Nullable Boolean firm,
      @Nullable String start,
      @Nullable String end,
      String... slices) {
    return new PlanEntry(
        firm == null ? "running" : "promised",
        "01a1fe82-ee53-71de-af52-d05b08ee521e",
        "team",
        name,
        firm == null ? 0 : null,
        firm == null ? 1 : null,
        firm == null ? "RUNNING" : null,
        "main",
        "research",
        10,
        start == null ? null : Instant.parse("2026-11-25T" + start + ":00Z"),
        end == null ? null : Instant.parse("2026-11-25T" + end + ":00Z"),
        firm,
        null,
        List.of(new PlanAmount("v6e", "google.com/tpu", "16")),
        List.of(slices));
  }

  private static List<String> draw(int width, PlanEntry... entries) {
    return PlanChart.lines(
        List.of(entries),
        Terminal.standard(),
        new PlanChart.Frame(NOON, NOON.plusSeconds(4 * 3600), width, ZoneOffset.UTC));
  }

  @Test
  void barsBeginAndEndAtTheirTimes() {
    assertThat(
            draw(
                52,
                entry("sweep", null, "11:30", "14:00", "s1"),
                entry("train", true, "14:00", null, "s1", "s2"),
                entry("eval", false, "13:00", "15:00", "s3")))
        .containsExactly(
            "    |12:00      |13:00      |14:00      |15:00",
            "s1  #sweep##################=train=================>",
            "s2                          =train=================>",
            "s3              ~eval~~~~~~~~~~~~~~~~~~~",
            "",
            "# running   = planned, firm   ~ planned, unless reclaimed   . expected (median)   >"
                + " goes on");
  }

  @Test
  void overlappingBarsOfAQueueHaveRowsOfTheirOwn() {
    assertThat(
            draw(
                62,
                entry("one", null, "12:00", "13:00"),
                entry("two", null, "12:00", "14:00"),
                entry("three", true, "15:00", "15:59")))
        .hasSize(5)
        .anySatisfy(line -> assertThat(line).startsWith("research/v6e  #one").contains("=three"))
        .anySatisfy(line -> assertThat(line).startsWith("              #two"));
  }

  @Test
  void expectedStartIsABarFromItsMedianAndARangeInTheTable() {
    PlanEntry expected = expected("later", "13:00", "14:00");
    assertThat(draw(62, expected))
        .anySatisfy(
            line -> assertThat(line).startsWith("research/v6e").contains(" .later").endsWith("."));
    assertThat(draw(30, expected))
        .last()
        .asString()
        .contains("2026-11-25T13:00:00Z to 2026-11-25T14:00:00Z");
  }

  private static PlanEntry expected(String name, String start, String end) {
    PlanEntry promised = entry(name, true, start, end);
    return new PlanEntry(
        "expected",
        promised.job(),
        promised.namespace(),
        name,
        null,
        null,
        null,
        promised.queue(),
        promised.clusterQueue(),
        promised.priority(),
        promised.start(),
        promised.end(),
        null,
        new JobExpectedStart(Objects.requireNonNull(promised.start()), promised.end(), 0.8),
        promised.amounts(),
        List.of());
  }

  @Test
  void startWithoutATimeIsASentence() {
    assertThat(draw(80, entry("big", true, null, null)))
        .first()
        .isEqualTo(
            "team/big starts when attempts without a time limit end; what becomes free of"
                + " research/v6e is kept");
  }

  @Test
  void narrowTerminalGetsColumns() {
    assertThat(draw(30, entry("eval", false, "13:00", null, "s3")))
        .containsExactly(
            "KIND                         NAMESPACE   NAME   QUEUE      START                  END"
                + " BY          USES                       SLICES",
            "promised, unless reclaimed   team        eval   research   2026-11-25T13:00:00Z   no"
                + " time limit   16 google.com/tpu of v6e   s3");
  }
}
