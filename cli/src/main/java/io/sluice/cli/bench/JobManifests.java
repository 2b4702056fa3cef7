// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a load, as bodies of requests to submit one. Names are DNS labels, so they need no
 * escaping.
 */
final class JobManifests {
  private final Load load;
  private final List<String> endings;

  /**
   * Creates the manifests.
   *
   * @param timeLimitFactor the time limit of a job is this times its run time; null: no limit
   */
  JobManifests(Load load, @Nullable BigDecimal timeLimitFactor) {
    this.load = load;
    this.endings = load.classes().stream().map(of -> ending(load, of, timeLimitFactor)).toList();
  }

  /** Returns the part of a job that is the same for all jobs of a class. */
  private static String ending(
      Load load, Load.WorkloadClass of, @Nullable BigDecimal timeLimitFactor) {
    String limit =
        timeLimitFactor == null
            ? ""
            : ",\"timeLimit\":\"" + millis(of.runMillis(), timeLimitFactor) + "ms\"";
    return """
    "priorityClass":"%s","command":["true"],"requests":{"cpu":"%d"}%s}}\
    """
        .formatted(load.priorityClass(of), of.requestCpu(), limit);
  }

  private static long millis(long runMillis, BigDecimal factor) {
    return factor
        .multiply(BigDecimal.valueOf(runMillis))
        .setScale(0, RoundingMode.CEILING)
        .longValueExact();
  }

  byte[] of(Arrival arrival) {
    Load.WorkloadClass of = load.classes().get(arrival.classIndex());
    StringBuilder text = new StringBuilder(512);
    text.append("{\"apiVersion\":\"sluice.io/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"");
    text.append(load.priorityClass(of)).append('-').append(arrival.number());
    text.append("\",\"namespace\":\"").append(load.namespace());
    text.append("\",\"annotations\":{\"sluice.io/simulated-run-time\":\"");
    text.append(Duration.ofMillis(of.runMillis()));
    text.append("\"}},\"spec\":{\"queue\":\"").append(load.queue(arrival.queue())).append("\",");
    return text.append(endings.get(arrival.classIndex()))
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }
}
