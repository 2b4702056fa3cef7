// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranges that are corrected by what came of earlier ones. */
class StartCalibrationTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private static ForecastRange forecast(double median) {
    return new ForecastRange(median * 0.9, median, median * 1.1, NEVER);
  }

  @Test
  void aForecastThatIsTooShortAndTooNarrowIsCorrected() {
    Seeds.check(
        10,
        random -> {
          StartCalibration calibration = new StartCalibration();
          List<CalibrationReport.Outcome> outcomes = new ArrayList<>();
          for (int at = 0; at < 3_000; at++) {
            ForecastRange forecast = forecast(Math.exp(4 + 7 * random.nextDouble()));
            // Short forecasts are too short, long ones too long, and all too narrow.
            double bias = Math.pow(forecast.median() / 3_000, -0.3);
            double wait = forecast.median() * bias * Math.exp(2 * random.nextDouble() - 1);
            outcomes.add(
                new CalibrationReport.Outcome(calibration.state("q", forecast), wait, null));
            calibration.add("q", forecast, wait);
          }
          CalibrationReport report =
              CalibrationReport.of(outcomes.subList(1_000, outcomes.size()), 10);
          assertThat(report.inRange()).isBetween(0.76, 0.84);
          assertThat(report.classes())
              .hasSize(10)
              .allSatisfy(part -> assertThat(part.inRange()).isBetween(0.65, 0.92));
        });
  }

  @Test
  void beforeThereAreEnoughForecastsTheForecastItselfIsStated() {
    StartCalibration calibration = new StartCalibration();
    for (int at = 1; at < ForecastErrors.ENOUGH; at++) {
      calibration.add("q", forecast(1_000), 5_000);
    }
    assertThat(calibration.state("q", forecast(1_000)).median()).isEqualTo(1_000);
    calibration.add("q", forecast(1_000), 5_000);
    assertThat(calibration.state("q", forecast(1_000)).median()).isCloseTo(5_000, within(1e-6));
  }

  @Test
  void aQueueWithFewForecastsIsCorrectedByThoseOfAllQueues() {
    StartCalibration calibration = new StartCalibration();
    for (int at = 0; at < 100; at++) {
      calibration.add("busy", forecast(1_000), 3_000);
    }
    for (int at = 0; at < ForecastErrors.ENOUGH; at++) {
      calibration.add("own", forecast(1_000), 500);
    }
    assertThat(calibration.state("new", forecast(1_000)).median()).isCloseTo(3_000, within(1e-6));
    assertThat(calibration.state("own", forecast(1_000)).median()).isCloseTo(500, within(1e-6));
  }

  @Test
  void aFirmPlannedStartBoundsTheRange() {
    StartCalibration calibration = new StartCalibration();
    for (int at = 0; at < 100; at++) {
      calibration.add("q", forecast(1_000), 100.0 * at);
    }
    ForecastRange promised = new ForecastRange(900, 1_000, 1_100, 1_500);
    StatedRange range = calibration.state("q", promised);
    assertThat(range.high()).isEqualTo(1_500);
    assertThat(range.low()).isLessThan(range.high());
  }

  @Test
  void aForecastWithoutAMedianTeachesNothing() {
    StartCalibration calibration = new StartCalibration();
    for (int at = 0; at < 100; at++) {
      calibration.add("q", new ForecastRange(10, NEVER, NEVER, NEVER), 100);
    }
    assertThat(calibration.state("q", forecast(50)).median()).isEqualTo(50);
  }

  @Test
  void aReportCountsScoresAndClasses() {
    StatedRange range = new StatedRange(10, 20, 30);
    CalibrationReport report =
        CalibrationReport.of(
            List.of(
                new CalibrationReport.Outcome(range, 10, range),
                new CalibrationReport.Outcome(range, 35, range),
                new CalibrationReport.Outcome(new StatedRange(50, 60, 90), 45, range),
                new CalibrationReport.Outcome(new StatedRange(50, 60, 90), 90, range)),
            2);
    assertThat(report.inRange()).isEqualTo(0.5);
    assertThat(report.belowRange()).isEqualTo(0.25);
    // 20, 20 + 10 x 5, 40 + 10 x 5, 40
    assertThat(report.meanScore()).isCloseTo((20 + 70 + 90 + 40) / 4.0, within(1e-9));
    assertThat(report.classes())
        .extracting(CalibrationReport.Part::medianTo)
        .containsExactly(20.0, 60.0);
    assertThat(CalibrationReport.of(List.of(), 10).count()).isZero();
  }

  @Test
  void theRangeOfTheLastWaitsForgetsOlderOnes() {
    RecentWaits waits = new RecentWaits();
    assertThat(waits.range()).isEqualTo(new StatedRange(0, 0, 0));
    for (int at = 0; at < 2 * RecentWaits.KEPT; at++) {
      waits.add(at < RecentWaits.KEPT ? 1e6 : at - RecentWaits.KEPT);
    }
    assertThat(waits.range().low()).isCloseTo(19, within(1.0));
    assertThat(waits.range().high()).isCloseTo(180, within(1.0));
  }
}
