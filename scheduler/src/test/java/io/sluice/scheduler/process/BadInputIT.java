// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.BadRequests.BadRequest;
import io.sluice.scheduler.process.Caller.Reply;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is asked wrongly is answered with a problem that names it, and nothing is stored. */
class BadInputIT {
  private static final int TOO_MANY_BYTES = 10 << 20;

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
    caller.post("/v1/apply", BadRequests.COHORTS).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  static Stream<BadRequest> requests() {
    return BadRequests.all();
  }

  @ParameterizedTest
  @MethodSource("requests")
  void isRefusedWithAProblemThatNamesIt(BadRequest request) throws Exception {
    String before = server.rows();
    Reply reply =
        caller.ask(
            request.method(),
            request.path(),
            BodyPublishers.ofString(request.body()),
            request.headers().toArray(String[]::new));
    assertProblem(reply, request.status());
    if (!request.code().isEmpty()) {
      assertThat(reply.at("/code")).isEqualTo(request.code());
    }
    assertThat(request.names()).allSatisfy(name -> assertThat(reply.text()).contains(name));
    assertThat(server.rows()).isEqualTo(before);
  }

  private static void assertProblem(Reply reply, int status) throws Exception {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
    assertThat(reply.json().at("/status").asInt()).isEqualTo(status);
    assertThat(reply.at("/title")).isNotEmpty();
    assertThat(reply.at("/type")).isEqualTo("/problems/" + reply.at("/code"));
    assertThat(reply.at("/detail")).isNotEmpty();
    assertThat(reply.text()).hasSizeLessThan(20_000);
    assertThat(reply.text()).doesNotContain("Exception", "\\tat ", "io.sluice.", "java.");
    Reply page = caller.as("").get(reply.at("/type")).is(200);
    assertThat(page.header("Content-Type")).startsWith("text/plain");
    assertThat(page.text()).startsWith(reply.at("/code") + "\n").contains(reply.at("/title"));
  }

  @Test
  void thePageOfAnUnknownKindNamesTheKnownOnes() throws Exception {
    Reply reply = caller.get("/problems/no-such").is(404);
    assertProblem(reply, 404);
    assertThat(reply.at("/detail")).contains("no-such", "invalid-manifest", "overloaded");
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedWhetherItsLengthIsAnnouncedOrNot() throws Exception {
    byte[] large = new byte[TOO_MANY_BYTES];
    Arrays.fill(large, (byte) 'a');
    String before = server.rows();
    for (String path : new String[] {"/v1/jobs", "/v1/jobs/bulk", "/v1/apply"}) {
      assertTooLarge(path, BodyPublishers.ofByteArray(large));
      assertTooLarge(path, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)));
    }
    assertThat(server.rows()).isEqualTo(before);
  }

  private static void assertTooLarge(String path, BodyPublisher body) throws Exception {
    Reply reply = caller.ask("POST", path, body);
    assertProblem(reply, 413);
    assertThat(reply.at("/detail")).contains("8388608");
  }

  @Test
  void aUriThatIsTooLongIsRefused() throws Exception {
    String filter = "/v1/jobs?namespace=" + "n".repeat(8192 - "/v1/jobs?namespace=".length());
    caller.get(filter).is(200);
    Reply tooLong = caller.get(filter + "n");
    assertProblem(tooLong, 414);
    assertThat(tooLong.at("/detail")).contains("8193", "8192");
    // Longer than the HTTP server reads. It closes the connection after its answer without saying
    // so, which could fail the next request of the same client.
    assertThat(server.caller().get(filter + "n".repeat(65_536)).status()).isEqualTo(414);
  }

  @Test
  void aBodyWhoseLengthIsNotAnnouncedIsTakenLikeAnyOther() throws Exception {
    byte[] job = OneServer.job("chunked", 1, "true").getBytes(StandardCharsets.UTF_8);
    BodyPublisher chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(job));
    String id = caller.ask("POST", "/v1/jobs", chunked).is(201).at("/id");
    caller.awaitState(id, "SUCCEEDED");
    byte[] quota = OneServer.QUOTA.getBytes(StandardCharsets.UTF_8);
    BodyPublisher again = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(quota));
    assertThat(caller.ask("POST", "/v1/apply", again).is(200).each("/results", "result"))
        .containsOnly("unchanged");
  }

  @Test
  void aSelectorThatNoNamespaceMeetsIsWarnedOf() throws Exception {
    String queue =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: closed}
        spec:
          namespaceSelector: %s
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 1}]}]
        """;
    for (String never :
        List.of(
            "{matchLabels: {team: vision}}",
            "{matchExpressions: [{key: team, operator: Exists}]}",
            "{matchLabels: {kubernetes.io/metadata.name: a}, matchExpressions:"
                + " [{key: kubernetes.io/metadata.name, operator: In, values: [b]}]}")) {
      Reply applied = caller.post("/v1/apply", queue.formatted(never)).is(200);
      assertThat(applied.at("/results/0/warnings/0"))
          .contains("spec.namespaceSelector", "no namespace matches");
      assertThat(caller.get("/v1/clusterqueues/closed").is(200).at("/warnings/0"))
          .contains("no namespace matches");
    }
    for (String some :
        List.of(
            "{}",
            "{matchLabels: {kubernetes.io/metadata.name: team}}",
            "{matchExpressions: [{key: team, operator: NotIn, values: [a]}]}")) {
      Reply applied = caller.post("/v1/apply", queue.formatted(some)).is(200);
      assertThat(applied.json().at("/results/0").has("warnings")).as(some).isFalse();
    }
    caller.delete("/v1/clusterqueues/closed").is(204);
  }

  @Test
  void severalLabelsInOneParameterMustAllBeThere() throws Exception {
    String job = OneServer.job("labelled", 1, "true");
    String one = caller.submit(job.replace("team}", "team, labels: {a: x, b: w}}"));
    caller.submit(job.replace("team}", "team, labels: {a: x, b: z}}"));
    assertThat(caller.get("/v1/jobs?label=a%3Dx,b%3Dw").is(200).each("/items", "id"))
        .containsExactly(one);
    assertThat(caller.get("/v1/jobs?label=a%3Dx").is(200).each("/items", "id")).hasSize(2);
  }

  @Test
  void attemptsAndAllocationsHavePages() throws Exception {
    String array = OneServer.job("pages", 1, "true").replace("main,", "main, array: {count: 5},");
    String id = caller.submit(array);
    caller.awaitState(id, "SUCCEEDED");
    assertPages("/v1/jobs/" + id + "/attempts", "index", 5);
    for (int number = 0; number < 3; number++) {
      String held =
          """
          apiVersion: sluice.io/v1
          kind: Job
          metadata: {name: holds-%d, namespace: team}
          spec: {queue: chips, command: ["true"], accelerator: {type: v6e, topology: 4x4}}
          """
              .formatted(number);
      caller.awaitState(caller.submit(held), "SUCCEEDED");
    }
    assertPages("/v1/fleet/allocations", "name", 3);
  }

  private static void assertPages(String path, String field, int count) throws Exception {
    List<String> all = caller.get(path).is(200).each("/items", field);
    assertThat(all).hasSize(count).doesNotHaveDuplicates();
    List<String> paged = new ArrayList<>();
    String cursor = "";
    do {
      Reply page = caller.get(path + "?limit=2" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      paged.addAll(page.is(200).each("/items", field));
      cursor = page.at("/nextCursor");
    } while (!cursor.isEmpty());
    assertThat(paged).isEqualTo(all);
  }

  @Test
  void aBodyThatIsNoTextIsRefused() throws Exception {
    byte[] noText = {(byte) 0xff, (byte) 0xfe, 0, 1, 2, (byte) 0xc3, 0x28};
    String before = server.rows();
    assertProblem(caller.ask("POST", "/v1/jobs", BodyPublishers.ofByteArray(noText)), 400);
    assertThat(server.rows()).isEqualTo(before);
  }

  @Test
  void anObjectThatIsRightIsNotStoredBesideOneThatIsWrong() throws Exception {
    String before = server.rows();
    Reply reply =
        caller.post(
            "/v1/apply",
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavor
            metadata: {name: right}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: wrong, namespace: team}
            spec: {clusterQueue: nobody}
            """);
    assertProblem(reply, 422);
    assertThat(reply.at("/violations/0/document")).isEqualTo("2");
    assertThat(reply.at("/violations/0/path")).isEqualTo("spec.clusterQueue");
    assertThat(reply.at("/violations/0/value")).isEqualTo("nobody");
    assertThat(server.rows()).isEqualTo(before);
  }
}
