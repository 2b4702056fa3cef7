// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server under a mixed load for some minutes: five, or as many as the property {@code
 * soak.minutes} says. It needs no more memory and no larger tables at the end than in the middle,
 * apart from those that keep each job, and every acknowledged job ends.
 */
class SoakIT {
  private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("soak.minutes", 5));
  private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(10);

  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: soak}
      spec:
        executor: simulated
        hosts: [{name: cpu, count: 100, capacity: {cpu: 64, memory: 256Gi}}]
      """;

  /** Short, so that the journal reaches its final size early. */
  private static final List<String> OPTIONS =
      List.of("--history-retention", "60s", "--snapshot-every", "500");

  @Test
  @Tag("long")
  void memoryAndTablesStayFlatUnderAMixedLoad() throws Exception {
    try (ServerHome home = ServerHome.of(FLEET);
        StartedServer server = home.start(OPTIONS.toArray(String[]::new))) {
      SoakFigures figures = new SoakFigures(server, home.database());
      SoakLoad load = new SoakLoad(server.caller());
      load.prepare();
      load.start();
      Instant end = Instant.now().plus(TIME);
      while (Instant.now().isBefore(end)) {
        Thread.sleep(BETWEEN_SAMPLES.toMillis());
        figures.sample(load.takeTimes());
      }
      load.stop();
      System.out.print(figures.report(load.counts()));
      assertThat(load.failures()).isEmpty();
      assertThat(load.counts()).allSatisfy((kind, count) -> assertThat(count).isPositive());
      var unused =
          server
              .caller()
              .await(
                  "/v1/jobs?state=pending&state=admitted&state=running&state=draining&limit=1",
                  reply -> reply.is(200).json().at("/items").isEmpty());
      assertThat(figures.notEnded(load.acknowledged())).isEmpty();
      assertThat(figures.growths()).isEmpty();
      assertThat(server.isAlive()).isTrue();
    }
  }
}
