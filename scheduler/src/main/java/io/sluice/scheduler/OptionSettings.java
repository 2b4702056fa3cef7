// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.scheduler.config.DataDirectory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts the options of {@code sluice up} to settings of Sluice and of Quarkus. */
final class OptionSettings {
  private final UpCommand options;
  private final Map<String, String> settings = new TreeMap<>();

  /**
   * The address and the credentials of the database.
   *
   * @param user null: the URL names the user
   * @param password null: the URL contains it, or the database requires none
   */
  record DatabaseAccess(String url, @Nullable String user, @Nullable String password) {
    /** Omits the password. */
    @Override
    public String toString() {
      return url;
    }
  }

  private OptionSettings(UpCommand options) {
    this.options = options;
  }

  /**
   * The settings of a server.
   *
   * @param directory its data directory
   * @param address the address to listen on
   */
  static Map<String, String> of(
      UpCommand options, Path directory, InetSocketAddress address, DatabaseAccess database) {
    OptionSettings made = new OptionSettings(options);
    made.setPlace(directory, address);
    made.setDatabase(database);
    made.setDecisions();
    made.setExecution();
    if (options.kubeconfig != null) {
      made.setClusters(options.kubeconfig);
    }
    return made.settings;
  }

  private void setPlace(Path directory, InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    set("quarkus.http.host", host);
    set("quarkus.log.file.path", DataDirectory.log(directory).toString());
    set("sluice.data", directory.toString());
    set("sluice.listen", options.listen);
    setList("sluice.allowed-hosts", options.allowedHosts);
    boolean tls = options.transport.tlsCertificate != null;
    set(
        "sluice.url",
        "http%s://%s:%d".formatted(tls ? "s" : "", bracketed(host), address.getPort()));
    set(tls ? "quarkus.http.ssl-port" : "quarkus.http.port", address.getPort());
    if (tls) {
      setTls();
    }
    set("sluice.require-client-certificate", options.transport.requireClientCertificate);
    set("sluice.request-rate", options.transport.requestRate);
    setPath("sluice.tokens", options.tokens);
    setSignIn(options.signIn);
    set("sluice.metrics-queues", options.metricsQueues);
    if (options.openMetrics) {
      set("quarkus.http.auth.permission.metrics.policy", "permit");
    }
  }

  /** The other settings of TLS are constants of {@code application.properties}. */
  private void setTls() {
    set("quarkus.http.insecure-requests", "disabled");
    set("quarkus.http.tls-configuration-name", "server");
    setPath("sluice.tls-certificate", options.transport.tlsCertificate);
    setPath("sluice.tls-key", options.transport.tlsKey);
    setPath("sluice.tls-client-ca", options.transport.tlsClientCa);
  }

  private void setSignIn(SignInOptions signIn) {
    set("sluice.public-url", signIn.publicUrl);
    set("sluice.oidc-issuer", signIn.issuer);
    set("sluice.oidc-client-id", signIn.clientId);
    setPath("sluice.oidc-client-secret-file", signIn.clientSecretFile);
    setList("sluice.oidc-audience", signIn.audiences);
    set("sluice.oidc-username-claim", signIn.usernameClaim);
    set("sluice.oidc-username-prefix", signIn.usernamePrefix);
    set("sluice.oidc-groups-claim", signIn.groupsClaim);
    set("sluice.oidc-groups-prefix", signIn.groupsPrefix);
    setPath("sluice.oidc-ca-file", signIn.caFile);
    set("sluice.cluster-token-audience", signIn.clusterTokenAudience);
  }

  private static String bracketed(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private void setDatabase(DatabaseAccess database) {
    set("quarkus.datasource.jdbc.url", database.url());
    set("quarkus.datasource.username", database.user());
    set("quarkus.datasource.password", database.password());
  }

  private void setDecisions() {
    setPath("sluice.configuration", options.configuration);
    set("sluice.fair-sharing", options.fairSharing);
    set("sluice.usage-half-life", options.usageHalfLife);
    set("sluice.usage-sampling-interval", options.usageSamplingInterval);
    setList("sluice.usage-weights", options.usageWeights);
    set("sluice.history-retention", options.historyRetention);
    set("sluice.archive-after", options.archiveAfter);
    set("sluice.missed-after", options.missedAfter);
    set("sluice.snapshot-every", options.snapshotEvery);
  }

  private void setExecution() {
    setPath("sluice.fleet", options.fleet);
    setPath("sluice.faults", options.faults);
    set("sluice.end-jobs", options.endJobs);
    set("sluice.run-containers-as-processes", options.containersAsProcesses);
    setPath("sluice.secrets", options.secrets);
    set("sluice.job-accounts", options.jobAccounts);
    set("sluice.job-processes", options.jobProcesses);
    setPath("sluice.job-cgroup", options.jobCgroup);
    set("sluice.job-log-limit", options.jobLogLimit);
    set("sluice.trust-callers", options.trustCallers);
  }

  private void setClusters(Path kubeconfig) {
    setPath("sluice.kubeconfig", kubeconfig);
    set("sluice.kubernetes-requests", options.kubernetesRequests);
    set("sluice.tpu-metrics-port", options.tpuMetricsPort);
    set("sluice.pathways-controller", options.pathwaysController);
    set("sluice.adoption", !options.noAdoption);
    set("sluice.kueue-namespace", options.kueueNamespace);
    setPath("sluice.webhook-certificate", options.webhookCertificate);
    setPath("sluice.webhook-key", options.webhookKey);
    set("sluice.webhook-port", options.webhookPort);
    set("sluice.webhook-account", options.webhookAccount);
  }

  private void setPath(String name, @Nullable Path file) {
    set(name, file == null ? null : file.toAbsolutePath().toString());
  }

  private void setList(String name, List<String> values) {
    set(name, values.isEmpty() ? null : String.join(",", values));
  }

  private void set(String name, @Nullable Object value) {
    if (value != null) {
      settings.put(name, value.toString());
    }
  }
}
