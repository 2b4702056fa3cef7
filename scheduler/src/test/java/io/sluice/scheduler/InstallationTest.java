// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Meter;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.config.SettingDefaults;
import io.sluice.scheduler.process.Installation;
import io.sluice.scheduler.telemetry.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class InstallationTest {
  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  private static List<JsonNode> of(String kind) throws Exception {
    return Installation.documents().stream()
        .filter(document -> document.path("kind").asText().equals(kind))
        .toList();
  }

  @Test
  void eachDocumentSaysWhatItIs() throws Exception {
    assertThat(Installation.documents())
        .hasSizeGreaterThan(12)
        .allSatisfy(
            document -> {
              assertThat(document.path("apiVersion").asText()).isNotEmpty();
              assertThat(document.path("kind").asText()).isNotEmpty();
            });
  }

  @Test
  void whatAKustomizationNamesIsThere() throws Exception {
    int named = 0;
    for (Path file : Installation.files("kustomization.yaml")) {
      String text = Files.readString(file);
      Path folder = Objects.requireNonNull(file.getParent());
      for (String line : text.lines().toList()) {
        if (line.matches("- (path: )?[a-z./-]+(\\.yaml|/base)")) {
          assertThat(folder.resolve(line.replaceFirst("- (path: )?", ""))).exists();
          named++;
        }
      }
    }
    assertThat(named).isGreaterThan(9);
  }

  @Test
  void theServerIsGivenOptionsThatItHasAndValuesThatItReads() throws Exception {
    List<String> arguments = texts(Installation.container().path("args"));
    CommandLine line = new CommandLine(new UpCommand());

    assertThat(arguments).isNotEmpty();
    CommandLine.ParseResult parsed = line.parseArgs(arguments.toArray(String[]::new));
    assertThat(parsed.matchedOptionValue("--listen", "")).isEqualTo("0.0.0.0");
    // An address that others reach needs callers, and the ports must be one.
    assertThat(parsed.hasMatchedOption("--tokens")).isTrue();
    int port = parsed.matchedOptionValue("--port", 0);
    assertThat(Installation.container().at("/ports/0/containerPort").asInt()).isEqualTo(port);
  }

  @Test
  void withTheWebhookTheServerIsGivenACertificateThatIsMountedAndAPortThatIsServed()
      throws Exception {
    JsonNode kustomization = component("kustomization.yaml");
    List<String> arguments = new ArrayList<>(texts(Installation.container().path("args")));
    for (JsonNode patch : kustomization.path("patches")) {
      for (JsonNode operation : Installation.documents(patch.path("patch").asText())) {
        operation.forEach(one -> arguments.add(one.path("value").asText()));
      }
    }
    UpCommand command = new UpCommand();
    new CommandLine(command).parseArgs(arguments.toArray(String[]::new));
    JsonNode pod = component("deployment.yaml").at("/spec/template/spec");
    JsonNode mount = pod.at("/containers/0/volumeMounts/0");
    assertThat(Objects.requireNonNull(command.webhookCertificate))
        .hasToString(mount.path("mountPath").asText() + "/tls.crt");
    assertThat(Objects.requireNonNull(command.webhookKey))
        .hasToString(mount.path("mountPath").asText() + "/tls.key");
    assertThat(pod.at("/volumes/0/name")).isEqualTo(mount.path("name"));
    assertThat(pod.at("/containers/0/ports/0/containerPort").asInt())
        .isEqualTo(command.webhookPort);
    JsonNode service = component("service.yaml");
    assertThat(service.at("/spec/ports/0/targetPort"))
        .isEqualTo(pod.at("/containers/0/ports/0/name"));
    JsonNode certificate = of("Certificate").get(0).path("spec");
    assertThat(certificate.path("secretName")).isEqualTo(pod.at("/volumes/0/secret/secretName"));
    assertThat(texts(certificate.path("dnsNames")))
        .containsExactly(service.at("/metadata/name").asText() + ".sluice-system.svc");
    assertThat(service.at("/spec/selector"))
        .isEqualTo(Installation.only("Service").at("/spec/selector"));
  }

  private static JsonNode component(String file) throws Exception {
    Path found =
        Installation.files(file).stream()
            .filter(one -> one.endsWith(Path.of("adoption-webhook", file)))
            .findFirst()
            .orElseThrow();
    return Installation.documents(Files.readString(found)).get(0);
  }

  @Test
  void theDatabaseIsSetFromASecretAndIsNoArgument() throws Exception {
    JsonNode environment = Installation.container().at("/env/0");
    assertThat(environment.path("name").asText()).isEqualTo(ExternalDatabase.URL_VARIABLE);
    assertThat(environment.at("/valueFrom/secretKeyRef/name").asText())
        .isEqualTo("sluice-database");
    assertThat(texts(Installation.container().path("args")))
        .noneMatch(argument -> argument.startsWith("--database"));
    assertThat(of("Secret")).as("secrets are named, never given").isEmpty();
  }

  @Test
  void theDashboardAsksOnlyForMetricsThatThereAre() throws Exception {
    Set<String> exposed = new TreeSet<>();
    for (Metric metric : Metric.values()) {
      exposed.add(metric.id());
      if (metric.type() == Meter.Type.TIMER) {
        exposed.addAll(
            List.of(metric.id() + "_bucket", metric.id() + "_count", metric.id() + "_sum"));
      }
    }
    assertThat(Installation.metricsOfDashboard()).hasSizeGreaterThan(10).isSubsetOf(exposed);
  }

  @Test
  void theServerHasNoMoreRightsThanItNeeds() throws Exception {
    JsonNode container = Installation.container();
    assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(texts(container.at("/securityContext/capabilities/drop"))).containsExactly("ALL");
    for (JsonNode role : of("ClusterRole")) {
      for (JsonNode rule : role.path("rules")) {
        assertThat(texts(rule.path("resources"))).doesNotContain("secrets", "*");
        assertThat(texts(rule.path("verbs"))).doesNotContain("*");
        assertThat(texts(rule.path("apiGroups"))).doesNotContain("*");
      }
    }
  }

  @Test
  void metricsOfChipsAreReachedAtNodesAndAtAnyPortOfPodsOfJobs() throws Exception {
    JsonNode egress = of("NetworkPolicy").get(0).at("/spec/egress");
    boolean nodes = false;
    boolean pods = false;
    for (JsonNode rule : egress) {
      nodes |=
          rule.at("/ports/0/port").asInt() == Integer.parseInt(SettingDefaults.TPU_METRICS_PORT);
      pods |=
          !rule.has("ports")
              && rule.at("/to/0/namespaceSelector").isEmpty()
              && rule.at("/to/0/podSelector/matchExpressions/0/key")
                  .asText()
                  .equals(AttemptLabels.JOB_ID);
    }
    assertThat(nodes).isTrue();
    assertThat(pods).isTrue();
  }

  @Test
  void podsAreFoundByEverythingThatSelectsThem() throws Exception {
    JsonNode labels = Installation.only("Deployment").at("/spec/template/metadata/labels");
    assertThat(labels.path("app.kubernetes.io/name").asText()).isEqualTo("sluice");
    assertThat(Installation.only("Service").at("/spec/selector")).isEqualTo(labels);
    assertThat(Installation.only("PodDisruptionBudget").at("/spec/selector/matchLabels"))
        .isEqualTo(labels);
    assertThat(of("NetworkPolicy").get(0).at("/spec/podSelector/matchLabels")).isEqualTo(labels);
    assertThat(Installation.only("ServiceMonitor").at("/spec/selector/matchLabels"))
        .isEqualTo(Installation.only("Service").at("/metadata/labels"));
  }
}
