// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.CertificateFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each server answers API servers, whoever leads and whatever else is away. */
class WebhookIT {
  private static final Pattern ADDRESS =
      Pattern.compile("API servers are answered on (https://127\\.0\\.0\\.1:\\d+)");

  /** Of a cluster that is not there. */
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: away, cluster: {server: 'http://127.0.0.1:1'}}]
      users: [{name: away, user: {}}]
      contexts: [{name: away, context: {cluster: away, user: away}}]
      current-context: away
      """;

  private static final String REVIEW =
      """
      {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "7",
       "operation": "CREATE", "userInfo": {"username": "%s"}, "object": {"apiVersion": "batch/v1",
       "kind": "Job", "metadata": {"labels": {"sluice.io/queue-name": "main"}}, "spec": {}}}}
      """;

  private Path folder;
  private ServerHome home;
  private CertificateFiles files;

  @BeforeEach
  void make() throws Exception {
    folder = Files.createTempDirectory("sluice-webhook-");
    files = CertificateFiles.make(folder, "RSA");
    home = new ServerHome().file("--kubeconfig", "kubeconfig", KUBECONFIG);
  }

  @AfterEach
  void delete() throws Exception {
    home.close();
    StartedServer.delete(folder);
  }

  private String[] options() {
    return new String[] {
      "--webhook-certificate", files.certificate().toString(),
      "--webhook-key", files.key().toString(),
      "--webhook-port", "0"
    };
  }

  private String address(String data) throws Exception {
    Path log = home.data().resolveSibling(data).resolve("log/server.log");
    Matcher found = ADDRESS.matcher(Files.readString(log));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private JsonNode answer(String address, String user) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(files.trust()).build();
    HttpRequest asked =
        HttpRequest.newBuilder(URI.create(address + "/hold"))
            .POST(BodyPublishers.ofString(REVIEW.formatted(user)))
            .build();
    return new ObjectMapper()
        .readTree(client.send(asked, BodyHandlers.ofString()).body())
        .path("response");
  }

  @Test
  void whoLeadsAndWhoFollowsAnswerAndSoTheyDoWithoutTheCluster() throws Exception {
    try (StartedServer first = home.start(options());
        StartedServer second = home.startBeside("second", options())) {
      for (String data : new String[] {"data", "second"}) {
        assertThat(answer(address(data), "alice").path("patch").asText()).isNotEmpty();
        JsonNode own = answer(address(data), "system:serviceaccount:sluice-system:sluice");
        assertThat(own.path("allowed").asBoolean()).isTrue();
        assertThat(own.has("patch")).isFalse();
      }
      assertThat(first.isAlive() && second.isAlive()).isTrue();
    }
  }

  @Test
  void aCertificateThatIsNoneEndsTheStartWithALine() throws Exception {
    Files.writeString(files.key(), "none");
    try (StartedServer server = home.begin(options())) {
      assertThat(server.exitCode()).isNotZero();
      assertThat(server.err()).contains("sluice: ").contains("tls.key are no certificate");
    }
  }
}
