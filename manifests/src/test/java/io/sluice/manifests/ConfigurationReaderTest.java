// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quantity.ResourceTransformation;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigurationReaderTest {
  private static final String HEAD =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

  private static List<String> violations(String text) {
    return catchThrowableOfType(
            InvalidManifestException.class, () -> ConfigurationReader.read(text))
        .violations()
        .stream()
        .map(Violation::toString)
        .toList();
  }

  @Test
  void whatIsNotSaidIsAsWithoutAFile() {
    String text =
        HEAD
            + """
            namespace: kueue-system
            health: {healthProbeBindAddress: ":8081"}
            manageJobsWithoutQueueName: false
            integrations: {frameworks: [batch/job]}
            """;
    assertThat(ConfigurationReader.read(text)).isEqualTo(Configuration.DEFAULT);
  }

  @Test
  void startsAreAwaitedAsInKueue() {
    Configuration read =
        ConfigurationReader.read(
            HEAD
                + """
                waitForPodsReady:
                  timeout: 10m
                  recoveryTimeout: 3m
                  blockAdmission: true
                  requeuingStrategy:
                    timestamp: Creation
                    backoffLimitCount: 5
                    backoffBaseSeconds: 30
                    backoffMaxSeconds: 1800
                """);
    assertThat(read.starts())
        .isEqualTo(
            new StartPolicy(
                Duration.ofMinutes(10),
                true,
                Duration.ofSeconds(30),
                Duration.ofMinutes(30),
                false,
                5));
    assertThat(ConfigurationReader.read(HEAD + "waitForPodsReady: {}").starts())
        .isEqualTo(
            new StartPolicy(
                Duration.ofMinutes(30),
                false,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                true,
                null));
  }

  @Test
  void exampleIsReadAsItIs() throws IOException {
    String example = Files.readString(java.nio.file.Path.of("../examples/configuration.yaml"));
    assertThat(ConfigurationReader.read(example).starts())
        .isEqualTo(
            new StartPolicy(
                Duration.ofMinutes(10),
                false,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                true,
                5));
    assertThat(ConfigurationReader.read(example).resources().transformations()).hasSize(1);
  }

  @Test
  void inTheOldVersionStartsAreAwaitedWhenEnabled() {
    String old = HEAD.replace("v1beta2", "v1beta1");
    assertThat(ConfigurationReader.read(old + "waitForPodsReady: {timeout: 1m}").starts())
        .isEqualTo(StartPolicy.DEFAULT);
    assertThat(
            ConfigurationReader.read(old + "waitForPodsReady: {enable: true}").starts().deadline())
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void resourcesAreTransformedAsInKueue() {
    Configuration read =
        ConfigurationReader.read(
            HEAD
                + """
                resources:
                  excludeResourcePrefixes: [ephemeral-storage]
                  transformations:
                  - input: example.com/mig
                    strategy: Replace
                    multiplyBy: cpu
                    outputs: {example.com/gpu: 0.5, memory: 5Gi}
                  - {input: cpu}
                """);
    assertThat(read.resources())
        .isEqualTo(
            new ResourceTransformations(
                List.of("ephemeral-storage"),
                List.of(
                    new ResourceTransformation(
                        new ResourceName("example.com/mig"),
                        false,
                        ResourceName.CPU,
                        new TreeMap<>(
                            Map.of(
                                new ResourceName("example.com/gpu"),
                                new BigDecimal("0.5"),
                                ResourceName.MEMORY,
                                BigDecimal.valueOf(5L << 30)))),
                    new ResourceTransformation(ResourceName.CPU, true, null, new TreeMap<>()))));
  }

  @Test
  void whatIsNotRightIsSaidWithItsPath() {
    assertThat(
            violations(
                HEAD
                    + """
                    fairSharing: {preemptionStrategies: [LessThanInitialShare]}
                    multiKueue: {gcInterval: 1m}
                    waitForPodsReady:
                      enable: true
                      timeout: 0s
                      requeuingStrategy: {timestamp: Now, backoffBaseSeconds: 0}
                    resources:
                      deviceClassMappings: [{name: a}]
                      excludeResourcePrefixes: [""]
                      transformations:
                      - {input: cpu, strategy: Keep}
                      - {input: memory, outputs: {a: -1}}
                      - {input: memory}
                      - {input: memory}
                      - {outputs: {a: 1}}
                    speed: 1
                    """))
        .containsExactly(
            "fairSharing \"{...}\": is an option of the server here: --fair-sharing",
            "multiKueue \"{...}\": is not supported yet",
            "waitForPodsReady.timeout \"0s\": must be between 1s and 8760h",
            "waitForPodsReady.requeuingStrategy.timestamp \"Now\": must be one of"
                + " Eviction, Creation",
            "waitForPodsReady.requeuingStrategy.backoffBaseSeconds \"0\": must be between 1 and"
                + " 31536000",
            "waitForPodsReady.enable \"true\": is not a field of a WaitForPodsReady",
            "resources.deviceClassMappings \"[...]\": is not supported yet",
            "resources.excludeResourcePrefixes[0]: must have 1 to 253 characters",
            "resources.transformations[0].strategy \"Keep\": must be one of Retain, Replace",
            "resources.transformations[1].outputs[a] \"-1\": must not be negative",
            "resources.transformations[3].input \"memory\": is there twice",
            "resources.transformations[4].input: is required",
            "speed \"1\": is not a field of a Configuration");
    assertThat(violations("apiVersion: v1\nkind: ConfigMap"))
        .containsExactly(
            "apiVersion \"v1\": must be config.kueue.x-k8s.io/v1beta2 or"
                + " config.kueue.x-k8s.io/v1beta1",
            "kind \"ConfigMap\": must be Configuration or AcceleratorCatalogue here");
    assertThat(violations("")).containsExactly("must hold one Configuration, and holds 0");
  }
}
