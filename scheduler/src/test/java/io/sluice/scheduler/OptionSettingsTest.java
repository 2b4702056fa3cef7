// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.OptionSettings.DatabaseAccess;
import io.sluice.scheduler.config.OptionSource;
import io.sluice.scheduler.config.ServerSettings;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The settings that options become, and the source by which the application reads them. */
class OptionSettingsTest {
  private static final Path DIRECTORY = Path.of("/data");
  private static final DatabaseAccess EMBEDDED =
      new DatabaseAccess("jdbc:postgresql://127.0.0.1/sluice", "sluice", "secret");

  @AfterEach
  void forget() {
    OptionSource.use(Map.of());
  }

  private static Map<String, String> settings(String... arguments) {
    UpCommand options = new UpCommand();
    new CommandLine(options).parseArgs(arguments);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7411);
    return OptionSettings.of(options, DIRECTORY, address, EMBEDDED);
  }

  /** As the application reads them: by the service, beside system properties and variables. */
  private static SmallRyeConfig application(Map<String, String> settings) {
    OptionSource.use(settings);
    return new SmallRyeConfigBuilder()
        .addDefaultSources()
        .addDiscoveredSources()
        .withValidateUnknown(false)
        .withMapping(ServerSettings.class)
        .withDefaultValue("sluice.version", "test")
        .build();
  }

  private static String kebab(String method) {
    return "sluice." + method.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void withoutOptionsTheSettingsAreTheDefaultsOfTheMapping() {
    Map<String, String> made = settings("--kubeconfig", "/etc/clusters");
    Map<String, String> defaults = new TreeMap<>();
    for (Method method : ServerSettings.class.getMethods()) {
      WithDefault preset = method.getAnnotation(WithDefault.class);
      if (preset != null) {
        defaults.put(kebab(method.getName()), preset.value());
      }
    }
    assertThat(defaults).hasSizeGreaterThan(10);
    assertThat(made).containsAllEntriesOf(defaults);
  }

  @Test
  void theApplicationReadsWhatWasChosenAndNoPropertyWins() {
    System.setProperty("sluice.metrics-queues", "9");
    try {
      ServerSettings read =
          application(
                  settings(
                      "--usage-half-life=168h",
                      "--usage-weight=cpu=0.5",
                      "--usage-weight=memory=0",
                      "--kubeconfig=clusters",
                      "--no-adoption",
                      "--webhook-port=8443",
                      "--metrics-queues=3"))
              .getConfigMapping(ServerSettings.class);

      assertThat(read.data()).isEqualTo(DIRECTORY);
      assertThat(read.url()).isEqualTo("http://127.0.0.1:7411");
      assertThat(read.usageHalfLife()).contains("168h");
      assertThat(read.usageWeights()).contains(List.of("cpu=0.5", "memory=0"));
      assertThat(read.kubeconfig()).contains(Path.of("clusters").toAbsolutePath());
      assertThat(read.adoption()).isFalse();
      assertThat(read.webhookPort()).isEqualTo(8443);
      assertThat(read.metricsQueues()).isEqualTo(3);
      assertThat(read.tokens()).isEmpty();
    } finally {
      System.clearProperty("sluice.metrics-queues");
    }
  }

  @Test
  void thePasswordOfTheDatabaseIsInNoSystemProperty() {
    SmallRyeConfig read = application(settings());

    assertThat(read.getValue("quarkus.datasource.password", String.class)).isEqualTo("secret");
    assertThat(System.getProperties().values()).doesNotContain("secret");
    assertThat(EMBEDDED.toString()).doesNotContain("secret");
  }

  @Test
  void withoutClustersTheirSettingsAreLeftToTheMapping() {
    assertThat(settings())
        .doesNotContainKeys("sluice.kubeconfig", "sluice.adoption", "sluice.webhook-port");
    assertThat(settings("--open-metrics"))
        .containsEntry("quarkus.http.auth.permission.metrics.policy", "permit");
  }

  @Test
  void withACertificateThereIsNoPlainPort() {
    Map<String, String> made = settings("--tls-certificate=tls.crt", "--tls-key=tls.key");
    assertThat(made)
        .containsEntry("sluice.url", "https://127.0.0.1:7411")
        .containsEntry("quarkus.http.ssl-port", "7411")
        .containsEntry("quarkus.http.insecure-requests", "disabled")
        .containsEntry("sluice.tls-key", Path.of("tls.key").toAbsolutePath().toString())
        .doesNotContainKeys("quarkus.http.port", "sluice.tls-client-ca");
    assertThat(settings())
        .containsEntry("quarkus.http.port", "7411")
        .doesNotContainKeys("quarkus.http.ssl-port", "quarkus.http.insecure-requests");
  }
}
