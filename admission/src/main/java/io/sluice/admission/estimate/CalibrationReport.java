// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How good stated ranges were.
 *
 * @param count number of starts with a stated range
 * @param inRange share of them within the range
 * @param belowRange share of them before the range
 * @param medianError median of the differences of wait and stated median, in seconds, without sign
 * @param meanScore mean interval score, in seconds
 * @param baselineScore mean interval score of the quantiles of the last waits; 0 if not known
 * @param classes parts by stated median, shortest first
 */
public record CalibrationReport(
    int count,
    double inRange,
    double belowRange,
    double medianError,
    double meanScore,
    double baselineScore,
    List<Part> classes) {
  public CalibrationReport {
    classes = List.copyOf(classes);
  }

  /**
   * A stated range and the wait that followed.
   *
   * @param baseline what the last waits would have stated; null if it was not recorded
   */
  public record Outcome(StatedRange stated, double waited, @Nullable StatedRange baseline) {}

  /**
   * The starts whose stated median is in a range.
   *
   * @param medianFrom least stated median, in seconds
   * @param medianTo largest stated median, in seconds
   */
  public record Part(double medianFrom, double medianTo, int count, double inRange) {}

  /**
   * Measures outcomes.
   *
   * @param parts number of classes of equal size
   */
  public static CalibrationReport of(List<Outcome> outcomes, int parts) {
    List<Outcome> byMedian = new ArrayList<>(outcomes);
    byMedian.sort(Comparator.comparingDouble(outcome -> outcome.stated().median()));
    int count = byMedian.size();
    List<Part> classes = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int from = (int) ((long) part * count / parts);
      int to = (int) ((part + 1L) * count / parts);
      if (from < to) {
        classes.add(part(byMedian.subList(from, to)));
      }
    }
    double below = 0;
    double score = 0;
    double baseline = 0;
    double[] errors = new double[count];
    for (int at = 0; at < count; at++) {
      Outcome outcome = byMedian.get(at);
      below += outcome.waited() < outcome.stated().low() ? 1 : 0;
      score += outcome.stated().score(outcome.waited());
      StatedRange other = outcome.baseline();
      baseline += other == null ? 0 : other.score(outcome.waited());
      errors[at] = Math.abs(outcome.waited() - outcome.stated().median());
    }
    Arrays.sort(errors);
    int divisor = Math.max(1, count);
    return new CalibrationReport(
        count,
        inRange(byMedian),
        below / divisor,
        count == 0 ? 0 : Quantiles.of(errors, 1.0 / 2),
        score / divisor,
        baseline / divisor,
        classes);
  }

  private static Part part(List<Outcome> outcomes) {
    return new Part(
        outcomes.get(0).stated().median(),
        outcomes.get(outcomes.size() - 1).stated().median(),
        outcomes.size(),
        inRange(outcomes));
  }

  private static double inRange(List<Outcome> outcomes) {
    long held =
        outcomes.stream().filter(outcome -> outcome.stated().holds(outcome.waited())).count();
    return (double) held / Math.max(1, outcomes.size());
  }
}
