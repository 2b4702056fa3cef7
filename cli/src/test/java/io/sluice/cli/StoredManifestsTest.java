// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.Processes.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** diff, edit and delete -f against a server that stores one priority class. */
class StoredManifestsTest {
  private static final String STORED =
      "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"WorkloadPriorityClass\",\"metadata\":"
          + "{\"name\":\"low\",\"generation\":%d,\"creationTimestamp\":\"2026-11-21T14:29:15Z\"},"
          + "\"value\":%d}";
  private static final String GIVEN =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: low}
      value: %d
      """;

  @TempDir Path folder = Path.of("");

  private final List<String> changes = new ArrayList<>();
  private HttpServer server;
  private int generation = 1;
  private int value = 10;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/v1/apply")) {
      send(exchange, 200, "{\"results\":[]}");
    } else if (exchange.getRequestMethod().equals("DELETE")) {
      changes.add(path);
      boolean used = path.contains("/clusterqueues/");
      send(exchange, used ? 409 : 204, used ? "{\"detail\":\"it is in use\"}" : "");
    } else if (!path.endsWith("/low")) {
      send(exchange, 404, "{\"detail\":\"there is none\"}");
    } else if (exchange.getRequestMethod().equals("PUT")) {
      put(exchange, body);
    } else {
      exchange.getResponseHeaders().set("ETag", "\"" + generation + "\"");
      send(exchange, 200, STORED.formatted(generation, value));
    }
  }

  private void put(HttpExchange exchange, String body) throws IOException {
    String tag = exchange.getRequestHeaders().getFirst("If-Match");
    if (changes.isEmpty() && body.contains("value: 13")) {
      // Somebody else is faster.
      generation = 2;
      value = 11;
    }
    changes.add(tag + " " + body.lines().filter(line -> line.startsWith("value")).toList());
    if (!("\"" + generation + "\"").equals(tag)) {
      send(exchange, 412, "{\"detail\":\"it is at generation 2\"}");
    } else if (body.contains("value: x")) {
      send(exchange, 400, "{\"detail\":\"value must be a number\"}");
    } else {
      send(exchange, 200, "{}");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private Ended run(String editor, String... arguments) throws Exception {
    return Processes.run(
        Map.of(
            "XDG_CONFIG_HOME",
            folder.toString(),
            "SLUICE_SERVER",
            "http://127.0.0.1:" + server.getAddress().getPort(),
            "VISUAL",
            editor),
        arguments);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("given.yaml"), text).toString();
  }

  @Test
  void aDifferenceIsShownWithExitCodeOne() throws Exception {
    Ended differs = run("", "diff", "-f", file(GIVEN.formatted(20)));
    assertThat(differs.text())
        .contains("--- workloadpriorityclass/low (server)", "-value: 10", "+value: 20")
        .doesNotContain("generation");
    assertThat(differs.exitCode()).isEqualTo(1);
    Ended same = run("", "diff", "-f", file(GIVEN.formatted(10)));
    assertThat(same.text()).isEmpty();
    assertThat(same.exitCode()).isZero();
    Ended created = run("", "diff", "-f", file(GIVEN.formatted(1).replace("low", "new")));
    assertThat(created.text()).contains("--- /dev/null", "+value: 1");
    assertThat(run("", "diff", "-f", folder.resolve("none").toString()).exitCode()).isEqualTo(2);
  }

  @Test
  void anEditIsSavedWithTheTagThatWasRead() throws Exception {
    Ended edited = run("sed -i s/10/12/", "edit", "wpc/low");
    assertThat(edited.text()).contains("workloadpriorityclass/low edited");
    assertThat(changes).containsExactly("\"1\" [value: 12]");
  }

  @Test
  void withoutAChangeNothingIsSaved() throws Exception {
    Ended unchanged = run("true", "edit", "wpc", "low");
    assertThat(unchanged.text()).contains("Nothing was changed.");
    assertThat(unchanged.exitCode()).isZero();
    Ended failed = run("false", "edit", "wpc", "low");
    assertThat(failed.text()).contains("editor \"false\" ended with exit code 1");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(changes).isEmpty();
  }

  @Test
  void aRefusedTextIsOpenedAgainWithTheReason() throws Exception {
    String editor = script("grep -q 'must be a number' $1 && exit 0; sed -i 's/10/x/' $1");
    Ended refused = run(editor, "edit", "wpc", "low");
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.text()).contains("value must be a number", "is kept in ");
    assertThat(changes).hasSize(1);
  }

  @Test
  void aChangeBySomebodyElseIsShownBeforeTheTextIsSavedAgain() throws Exception {
    String editor =
        script(
            "if grep -q '^# +value: 11' $1; then sed -i 's/^value: 13/value: 14/' $1;"
                + " else sed -i 's/10/13/' $1; fi");
    Ended edited = run(editor, "edit", "wpc", "low");
    assertThat(edited.exitCode()).as(edited.text()).isZero();
    assertThat(changes).containsExactly("\"1\" [value: 13]", "\"2\" [value: 14]");
  }

  private String script(String lines) throws IOException {
    return "sh " + Files.writeString(folder.resolve("editor.sh"), lines + "\n");
  }

  @Test
  void objectsOfAFileAreDeletedBeforeWhatTheyUse() throws Exception {
    String manifests =
        """
        kind: ResourceFlavor
        metadata: {name: v6e}
        ---
        kind: List
        items:
        - kind: ClusterQueue
          metadata: {name: research}
        - kind: LocalQueue
          metadata: {name: main, namespace: a}
        """;
    Ended deleted = run("", "delete", "-f", file(manifests));
    assertThat(changes)
        .containsExactly(
            "/v1/localqueues/a/main", "/v1/clusterqueues/research", "/v1/resourceflavors/v6e");
    assertThat(deleted.exitCode()).isEqualTo(4);
    assertThat(deleted.text())
        .contains("localqueue/a/main deleted", "clusterqueue/research: it is in use");
    changes.clear();
    Ended job = run("", "delete", "-f", file("kind: Job\nmetadata: {name: sweep}\n"));
    assertThat(job.text()).contains("document 1 is a Job");
    assertThat(job.exitCode()).isEqualTo(2);
    assertThat(run("", "delete").exitCode()).isEqualTo(2);
    assertThat(changes).isEmpty();
  }
}
