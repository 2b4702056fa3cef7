// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures pipelines of a live server on this machine, by the server's times: until all jobs of a
 * run with many steps, or of one step with many parts, are written; and from the end of a step's
 * job to the job of the next step. It stops by itself, with its runs over.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.PipelineTime URL NAMESPACE QUEUE
 * IDLE_QUEUE}, with a token in {@code SLUICE_TOKEN}; the second queue must have no quota
 */
final class PipelineTime {
  private static final int MANY = 5_000;
  private static final int CHAIN = 100;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Reading a large run takes its server some time too. */
  private static final long WAIT_MILLIS = 500;

  private static final JsonMapper JSON = new JsonMapper();

  private final MeasuredServer server;
  private final String namespace;

  private PipelineTime(MeasuredServer server, String namespace) {
    this.server = server;
    this.namespace = namespace;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 4) {
      System.err.println("usage: PipelineTime URL NAMESPACE QUEUE IDLE_QUEUE");
      System.exit(2);
    }
    MeasuredServer server = new MeasuredServer(Arguments.onThisMachine(arguments[0]), LIMIT);
    PipelineTime measured = new PipelineTime(server, arguments[1]);
    String idle = job(arguments[3]);
    for (int again = 0; again < 3; again++) {
      measured.expand(
          "steps-" + again,
          IntStream.range(0, MANY)
              .mapToObj(step -> "{\"name\":\"s" + step + "\"," + idle + "}")
              .collect(Collectors.joining(",")));
      measured.expand(
          "parts-" + again,
          "{\"name\":\"all\",\"forEach\":{\"range\":{\"to\":" + (MANY - 1) + "}}," + idle + "}");
    }
    measured.follow(arguments[2]);
  }

  private static String job(String queue) {
    return "\"job\":{\"spec\":{\"queue\":\"%s\",\"requests\":{\"cpu\":1},\"command\":[\"true\"]}}"
        .formatted(queue);
  }

  /** Until each part of a run has a job. */
  private void expand(String name, String steps) throws IOException, InterruptedException {
    save(name, steps);
    String run = begin(name);
    JsonNode all = await(run, found -> jobs(found) == MANY);
    Instant begun = Instant.parse(all.path("createdAt").asText());
    Instant last = begun;
    for (JsonNode step : all.path("steps")) {
      for (JsonNode part : step.path("parts")) {
        Instant written = Instant.parse(part.path("startedAt").asText());
        last = written.isAfter(last) ? written : last;
      }
    }
    System.out.printf(
        "%s: %d jobs of %d steps written %d ms after the run was begun%n",
        name, MANY, all.path("steps").size(), Duration.between(begun, last).toMillis());
    send(request("/v1/runs/" + run + "/cancel").POST(BodyPublishers.noBody()), MeasuredServer.OK);
    await(run, found -> found.path("state").asText().equals("CANCELLED"));
  }

  private static int jobs(JsonNode run) {
    int jobs = 0;
    for (JsonNode step : run.path("steps")) {
      for (JsonNode part : step.path("parts")) {
        jobs += part.hasNonNull("job") ? 1 : 0;
      }
    }
    return jobs;
  }

  /** Steps that wait for each other, of which none takes long. */
  private void follow(String queue) throws IOException, InterruptedException {
    IntFunction<String> step =
        number ->
            "{\"name\":\"s%d\",%s%s}"
                .formatted(
                    number,
                    number == 0 ? "" : "\"dependsOn\":[\"s" + (number - 1) + "\"],",
                    job(queue));
    save("chain", IntStream.range(0, CHAIN).mapToObj(step).collect(Collectors.joining(",")));
    JsonNode run = await(begin("chain"), found -> found.hasNonNull("endedAt"));
    long[] millis = new long[CHAIN - 1];
    for (int number = 1; number < CHAIN; number++) {
      Instant ended = time(run, number - 1, "endedAt");
      millis[number - 1] = Duration.between(ended, time(run, number, "startedAt")).toMillis();
    }
    Arrays.sort(millis);
    System.out.printf(
        "from the end of a job to that of the next step, ms: p50 %d, p95 %d, most %d of %d (%s)%n",
        millis[millis.length / 2],
        millis[millis.length * 95 / 100],
        millis[millis.length - 1],
        millis.length,
        run.path("state").asText());
  }

  private static Instant time(JsonNode run, int step, String field) {
    return Instant.parse(run.path("steps").path(step).path("parts").path(0).path(field).asText());
  }

  private void save(String name, String steps) throws IOException, InterruptedException {
    String manifest =
        "{\"apiVersion\":\"sluice.io/v1\",\"kind\":\"Pipeline\",\"metadata\":{\"name\":\"%s\","
            + "\"namespace\":\"%s\"},\"spec\":{\"steps\":[%s]}}";
    send(
        request("/v1/pipelines")
            .POST(BodyPublishers.ofString(manifest.formatted(name, namespace, steps))),
        MeasuredServer.CREATED);
  }

  private String begin(String name) throws IOException, InterruptedException {
    String path = "/v1/pipelines/" + namespace + "/" + name + "/runs";
    return send(request(path).POST(BodyPublishers.noBody()), MeasuredServer.CREATED)
        .path("id")
        .asText();
  }

  private JsonNode await(String run, Predicate<JsonNode> expected)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    JsonNode found = send(request("/v1/runs/" + run), MeasuredServer.OK);
    while (!expected.test(found)) {
      if (System.nanoTime() - begun > LIMIT.toNanos()) {
        throw new IOException("run " + run + " stays " + found.path("state").asText());
      }
      Thread.sleep(WAIT_MILLIS);
      found = send(request("/v1/runs/" + run), MeasuredServer.OK);
    }
    return found;
  }

  private HttpRequest.Builder request(String path) {
    return server.request(path).header("Content-Type", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request, int wanted)
      throws IOException, InterruptedException {
    return JSON.readTree(server.send(request, wanted));
  }
}
