// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may call, and what is known of them afterwards. */
class CallersIT {
  private static OneServer server;
  private static Caller owner;

  @BeforeAll
  static void start() throws Exception {
    server =
        OneServer.start(
            """
            # name role namespaces expires digest
            ann admin * - %s
            sam submitter team - %s
            vera viewer * 2999-01-01T00:00:00Z %s
            otto submitter * 2020-01-01T00:00:00Z %s
            """
                .formatted(
                    digest("of-ann"), digest("of-sam"), digest("of-vera"), digest("of-otto")));
    owner = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String digest(String token) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
    return "sha256:" + HexFormat.of().formatHex(digest);
  }

  private static final String FLAVOR =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: extra}
      """;

  @Test
  void withoutATokenThatIsKnownNothingIsReadOrChanged() throws Exception {
    String rows = server.rowsOfCallers();
    for (String token : List.of("", "guessed", "of-otto")) {
      Caller stranger = owner.as(token);
      Reply read = stranger.get("/v1/jobs").is(401);
      assertThat(read.header("WWW-Authenticate")).startsWith("Bearer");
      assertThat(read.header("Content-Type")).contains("application/problem+json");
      stranger.get("/v1/server").is(401);
      stranger.post("/v1/jobs", job("sneaked", 1, "true")).is(401);
      stranger.post("/v1/apply", FLAVOR).is(401);
      stranger.delete("/v1/localqueues/team/main").is(401);
      stranger.put("/v1/fleet/capacity/spot?outOfStock=true", "").is(401);
    }
    assertThat(server.rowsOfCallers()).isEqualTo(rows);
    assertThat(owner.as("of-otto").get("/v1/jobs").at("/detail")).contains("otto", "2020-01-01");
  }

  @Test
  void aViewerReadsAndChangesNothing() throws Exception {
    Caller vera = owner.as("of-vera");
    String id = owner.submit(job("watched", 1, "sleep 60"));
    String rows = server.rowsOfCallers();
    vera.get("/v1/jobs/" + id).is(200);
    vera.get("/v1/clusterqueues").is(200);
    vera.get("/v1/fleet").is(200);
    Reply refused = vera.post("/v1/jobs", job("mine", 1, "true")).is(403);
    assertThat(refused.at("/detail")).contains("vera", "viewer");
    vera.post("/v1/jobs/" + id + "/cancel", "").is(403);
    vera.post("/v1/apply", FLAVOR).is(403);
    vera.post("/v1/resourceflavors", FLAVOR).is(403);
    vera.delete("/v1/localqueues/team/main").is(403);
    vera.get("/v1/audit").is(403);
    assertThat(server.rowsOfCallers()).isEqualTo(rows);
    owner.post("/v1/jobs/" + id + "/cancel", "").is(202);
  }

  @Test
  void aSubmitterSubmitsInItsNamespacesAndLeavesQuotaAlone() throws Exception {
    Caller sam = owner.as("of-sam");
    String id = sam.submit(job("of-sam", 1, "sleep 60"));
    assertThat(sam.get("/v1/jobs/" + id).at("/status/submittedBy")).isEqualTo("sam");
    sam.post("/v1/jobs/" + id + "/cancel", "").is(202);
    String rows = server.rowsOfCallers();
    Reply overridden = sam.post("/v1/jobs/" + id + "/limit?timeLimit=1h&override=true", "");
    assertThat(overridden.is(403).at("/detail")).contains("sam", "administrator");
    String elsewhere = job("elsewhere", 1, "true").replace("namespace: team", "namespace: other");
    assertThat(sam.post("/v1/jobs", elsewhere).is(403).at("/detail")).contains("sam", "other");
    sam.post("/v1/apply", elsewhere).is(403);
    assertThat(sam.post("/v1/apply", FLAVOR).is(403).at("/detail")).contains("sam", "extra");
    sam.put("/v1/clusterqueues/slices", FLAVOR).is(403);
    sam.put("/v1/fleet/capacity/spot?outOfStock=true", "").is(403);
    sam.post("/v1/fleet/slices/v6e-0/reclaim", "").is(403);
    assertThat(server.rowsOfCallers()).isEqualTo(rows);
  }

  @Test
  void aPageOfAnotherPlaceIsRefusedEvenWithAToken() throws Exception {
    String rows = server.rowsOfCallers();
    String body = job("from-a-page", 1, "true");
    owner.post("/v1/jobs", body, "Origin", "http://evil.example").is(403);
    owner.post("/v1/jobs", body, "Origin", "null").is(403);
    owner.post("/v1/jobs", body, "Sec-Fetch-Site", "cross-site").is(403);
    Reply asked =
        owner.ask(
            "OPTIONS",
            "/v1/jobs",
            BodyPublishers.noBody(),
            "Origin",
            "http://evil.example",
            "Access-Control-Request-Method",
            "POST");
    assertThat(asked.status()).isGreaterThanOrEqualTo(400);
    assertThat(asked.header("Access-Control-Allow-Origin")).isEmpty();
    assertThat(statusWithHost("evil.example")).contains(" 403 ");
    assertThat(statusWithHost("localhost")).contains(" 200 ");
    assertThat(server.rowsOfCallers()).isEqualTo(rows);
    owner.post("/v1/jobs", body, "Origin", owner.url()).is(201);
  }

  private static String statusWithHost(String host) throws IOException {
    URI url = URI.create(owner.url());
    try (Socket socket = new Socket(url.getHost(), url.getPort());
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      String request =
          "GET /v1/jobs HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer of-ann\r\nConnection: close\r\n\r\n"
              .formatted(host);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return answer.readLine();
    }
  }

  @Test
  void theOwnTokenIsForTheOwnerOfTheServerAlone() throws Exception {
    Path token = server.data().resolve("token");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
        .isEqualTo("rw-------");
    assertThat(Files.getOwner(token)).isEqualTo(Files.getOwner(server.data()));
  }

  @Test
  void eachChangeIsRecordedWithItsCaller() throws Exception {
    Caller ann = owner.as("of-ann");
    String flavor = FLAVOR.replace("extra", "recorded");
    ann.post("/v1/resourceflavors", flavor).is(201);
    ann.delete("/v1/resourceflavors/recorded").is(204);
    String id = owner.as("of-sam").submit(job("recorded", 1, "sleep 60"));
    owner.as("of-sam").post("/v1/jobs/" + id + "/cancel", "").is(202);

    Reply changes = ann.get("/v1/audit?name=recorded").is(200);
    assertThat(changes.each("/items", "caller")).containsExactly("sam", "sam", "ann", "ann");
    assertThat(changes.each("/items", "role"))
        .containsExactly("submitter", "submitter", "admin", "admin");
    assertThat(changes.each("/items", "action"))
        .containsExactly("cancel", "submit", "delete", "create");
    assertThat(changes.at("/items/0/job")).isEqualTo(id);
  }

  @Test
  void deniedRequestsOfKnownCallersAreCountedInTheAuditLog() throws Exception {
    Caller vera = owner.as("of-vera");
    for (int request = 0; request < 20; request++) {
      vera.post("/v1/resourceflavors", FLAVOR).is(403);
    }
    Caller ann = owner.as("of-ann");
    String path = "/v1/audit?caller=vera&kind=Request";
    Reply denied = ann.await(path, reply -> !reply.each("/items", "action").isEmpty());
    assertThat(denied.at("/items/0/action")).isEqualTo("deny");
    assertThat(denied.at("/items/0/detail/first")).startsWith("POST /v1/");
    assertThat(denied.at("/items/0/detail/reason")).contains("vera", "viewer");
    assertThat(denied.json().at("/items")).hasSizeLessThan(3);
  }
}
