// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with a context, as processes of their own, against a server that records requests. */
class ContextNamespaceTest {
  /** Answers any list, and any name; it is no job. */
  private static final String ANSWER =
      "{\"items\":[],\"kind\":\"Job\",\"namespace\":\"research\",\"name\":\"sweep\",\"id\":\"x\","
          + "\"createdAt\":\"2026-11-22T12:00:00Z\",\"unknown\":true}";

  @TempDir Path home = Path.of("");

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestURI());
          byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    Path folder = Files.createDirectories(home.resolve("sluice"));
    Files.writeString(folder.resolve("lab.token"), "secret\n");
    Files.writeString(
        folder.resolve("config"),
        """
        current-context: lab
        contexts:
        - name: lab
          server: http://127.0.0.1:%1$d
          token-file: lab.token
          namespace: research
        - {name: plain, server: "http://127.0.0.1:%1$d"}
        """
            .formatted(server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    return Processes.run(home, arguments).text();
  }

  @Test
  void theCurrentContextGivesServerTokenAndNamespace() throws Exception {
    run("get", "jobs");
    run("get", "jobs", "-n", "other");
    run("get", "jobs", "-A");
    run("get", "job", "research/sweep");
    run("audit");
    run("get", "jobs", "--context", "plain");
    assertThat(requests)
        .satisfiesExactly(
            first ->
                assertThat(first).isEqualTo("Bearer secret /v1/jobs?namespace=research&limit=200"),
            other -> assertThat(other).contains("?namespace=other&"),
            all -> assertThat(all).isEqualTo("Bearer secret /v1/jobs?limit=200"),
            name -> assertThat(name).contains("name=research%2Fsweep").doesNotContain("namespace="),
            job -> assertThat(job).contains("/v1/jobs/"),
            audit -> assertThat(audit).doesNotContain("namespace="),
            plain -> assertThat(plain).isEqualTo("null /v1/jobs?limit=200"));
  }

  @Test
  void anAnswerThatCannotBeReadIsAnErrorWithoutAStackTrace() throws Exception {
    Processes.Ended ended = Processes.run(home, "get", "job", "research/sweep");
    assertThat(ended.text())
        .contains("sluice: the server's answer to /v1/jobs/x cannot be read at apiVersion: ")
        .doesNotContain("\tat ");
    assertThat(ended.exitCode()).isEqualTo(4);
    Processes.Ended json = Processes.run(home, "get", "job", "research/sweep", "-o", "json");
    assertThat(json.text()).contains("\"unknown\" : true");
    assertThat(json.exitCode()).isZero();
  }

  @Test
  void contextsAreListedSelectedAndSet() throws Exception {
    assertThat(run("config", "get-contexts")).contains("*         lab", "research");
    run("config", "use-context", "plain");
    assertThat(run("config", "current-context")).isEqualTo("plain\n");
    run("config", "set-context", "plain", "-n", "training");
    run("get", "jobs");
    assertThat(requests).singleElement().asString().contains("namespace=training");
    assertThat(Processes.run(home, "config", "use-context", "moon").exitCode()).isEqualTo(1);
    assertThat(run("get", "jobs", "--context", "moon")).contains("no context moon", "lab, plain");
    assertThat(Processes.run(home, "get", "jobs", "--context", "lab", "--data", "x").exitCode())
        .isEqualTo(2);
    assertThat(Processes.run(home, "config", "set-context", "new").exitCode()).isEqualTo(2);
  }
}
