// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.AcceleratorUse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcceleratorScrapeTest {
  private static final JobId JOB = new JobId(new UUID(1, 1));
  private static final JobId OTHER = new JobId(new UUID(1, 2));

  /** Longer than a server waits: other tests may keep the processors. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ConcurrentMap<String, String> answers = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer node;
  private AcceleratorScrape scrape;

  @BeforeEach
  void start() throws IOException {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          String answer = answers.get(exchange.getRequestURI().getPath());
          byte[] body = (answer == null ? "" : answer).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 503 : 200, body.length + 1L);
          exchange.getResponseBody().write(body);
          exchange.getResponseBody().write('\n');
          exchange.close();
        });
    node.start();
    scrape = new AcceleratorScrape("test", PATIENCE);
  }

  @AfterEach
  void end() {
    scrape.close();
    node.stop(0);
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + node.getAddress().getPort() + path);
  }

  private static Place place(String pod, JobId job, @Nullable URI node, @Nullable URI own) {
    return new Place(new PodName("research", pod), job, node, own);
  }

  private AcceleratorUse known(JobId job) {
    return Objects.requireNonNull(scrape.known().get(job));
  }

  private static String dutyCycle(String pod, int percent) {
    return "duty_cycle{accelerator_id=\"%s\",namespace=\"research\",pod=\"%s\"} %d\n"
        .formatted(pod, pod, percent);
  }

  @Test
  void podsOfTwoJobsOnOneNodeAreToldApartAndTheNodeIsAskedOnce() {
    answers.put("/metrics", dutyCycle("a-0", 80) + dutyCycle("a-1", 60) + dutyCycle("b-0", 10));
    scrape.round(
        List.of(
            place("a-0", JOB, at("/metrics"), null),
            place("a-1", JOB, at("/metrics"), null),
            place("b-0", OTHER, at("/metrics"), null)));
    assertThat(scrape.known()).hasSize(2);
    assertThat(known(JOB).chips()).isEqualTo(2);
    assertThat(known(JOB).dutyCycle()).isEqualTo(70.0);
    assertThat(known(OTHER).dutyCycle()).isEqualTo(10.0);
    assertThat(asked).hasValue(1);
  }

  @Test
  void whatTheNodeSaysOfAPodIsTakenBeforeWhatThePodSays() {
    answers.put("/metrics", dutyCycle("a-0", 80));
    answers.put("/own", "duty_cycle 33");
    scrape.round(
        List.of(
            place("a-0", JOB, at("/metrics"), at("/own")),
            place("b-0", OTHER, null, at("/own?b"))));
    assertThat(known(JOB).dutyCycle()).isEqualTo(80.0);
    assertThat(known(OTHER).dutyCycle()).isEqualTo(33.0);
  }

  @Test
  void whoDoesNotAnswerIsLeftOutForLongerEachTimeAndIsHeardAgain() {
    List<Place> places = List.of(place("a-0", JOB, at("/metrics"), null));
    for (int round = 0; round < 12; round++) {
      scrape.round(places);
    }
    // In the rounds 0, 2, 5 and 10: left out once, twice, four times.
    assertThat(asked).hasValue(4);
    assertThat(scrape.known()).isEmpty();
    answers.put("/metrics", dutyCycle("a-0", 80));
    for (int round = 0; round < 8; round++) {
      scrape.round(places);
    }
    assertThat(scrape.known()).containsKey(JOB);
  }

  @Test
  void aJobThatHasEndedIsForgotten() {
    answers.put("/metrics", dutyCycle("a-0", 80));
    scrape.round(List.of(place("a-0", JOB, at("/metrics"), null)));
    scrape.round(List.of());
    assertThat(scrape.known()).isEmpty();
  }
}
