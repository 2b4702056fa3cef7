// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The settings {@code sluice.*} of a server, fixed at its start. */
@ConfigMapping(prefix = "sluice")
public interface ServerSettings {
  /** Version of the build. */
  String version();

  /** Data directory of the server. */
  Path data();

  /** Base URL of the API, for clients. */
  String url();

  /** IP address or host name to listen on. */
  String listen();

  /** Additional host names that clients may use in the {@code Host} header. */
  Optional<List<String>> allowedHosts();

  /** URL by which browsers reach the server; without it that of each request. */
  Optional<String> publicUrl();

  /** Issuer of the identity provider; without it callers sign in by tokens of Sluice only. */
  Optional<String> oidcIssuer();

  /** Client that Sluice is at the identity provider. */
  Optional<String> oidcClientId();

  /** File with the secret of the client; without it the client is public. */
  Optional<Path> oidcClientSecretFile();

  /** Further audiences of accepted tokens, beside the client. */
  Optional<List<String>> oidcAudience();

  /** Claim with the name of the user. */
  @WithDefault(SettingDefaults.OIDC_USERNAME_CLAIM)
  String oidcUsernameClaim();

  /** Prefix of the names of users. */
  Optional<String> oidcUsernamePrefix();

  /** Claim with the names of the user's groups. */
  @WithDefault(SettingDefaults.OIDC_GROUPS_CLAIM)
  String oidcGroupsClaim();

  /** Prefix of the names of groups. */
  Optional<String> oidcGroupsPrefix();

  /** Certificates (PEM) of the authorities that sign the provider's certificate. */
  Optional<Path> oidcCaFile();

  /** Audience of tokens of ServiceAccounts of the default cluster; without it none are accepted. */
  Optional<String> clusterTokenAudience();

  /** Tokens file; without it only the administrator's token of the data directory is valid. */
  Optional<Path> tokens();

  /** Certificate (PEM) of the API; without it the server speaks HTTP. */
  Optional<Path> tlsCertificate();

  /** Private key (PEM) of the API's certificate. */
  Optional<Path> tlsKey();

  /** Certificates (PEM) of the authorities that sign clients' certificates. */
  Optional<Path> tlsClientCa();

  /** Whether a client without a certificate is refused. */
  @WithDefault("false")
  boolean requireClientCertificate();

  /** Maximum number of requests per second of one caller, at least 0; 0: no maximum. */
  @WithDefault(SettingDefaults.REQUEST_RATE)
  int requestRate();

  /** Fleet file; without it there are no slices. */
  Optional<Path> fleet();

  /** Kubeconfig of the clusters that run attempts; without it there are no clusters. */
  Optional<Path> kubeconfig();

  /** Whether Sluice adopts objects that users create in the clusters. */
  @WithDefault("true")
  boolean adoption();

  /** Namespace of Kueue in the clusters. */
  @WithDefault(SettingDefaults.KUEUE_NAMESPACE)
  String kueueNamespace();

  /** Maximum number of requests per second to each cluster, at least 1. */
  @WithDefault(SettingDefaults.KUBERNETES_REQUESTS)
  int kubernetesRequests();

  /** Port at which nodes expose TPU metrics; 0 disables scraping. */
  @WithDefault(SettingDefaults.TPU_METRICS_PORT)
  int tpuMetricsPort();

  /** Certificate (PEM) of the admission webhook; without it there is no webhook. */
  Optional<Path> webhookCertificate();

  /** Private key (PEM) of the webhook certificate. */
  Optional<Path> webhookKey();

  /** TCP port of the webhook. */
  @WithDefault(SettingDefaults.WEBHOOK_PORT)
  int webhookPort();

  /** User name of Sluice's ServiceAccount in the clusters. */
  @WithDefault(SettingDefaults.WEBHOOK_ACCOUNT)
  String webhookAccount();

  /** Faults file for the virtual fleet; without it no faults are injected. */
  Optional<Path> faults();

  /** Configuration file in Kueue's schema; without it Kueue's defaults apply. */
  Optional<Path> configuration();

  /**
   * Whether a Pathways controller runs in the clusters; submitted PathwaysJobs are then refused.
   */
  @WithDefault("false")
  boolean pathwaysController();

  /** Whether the queues of a cohort divide borrowed quota by their weights. */
  @WithDefault("false")
  boolean fairSharing();

  /**
   * Half-life of LocalQueue usage, at least 1ms; without it no queue serves by usage.
   *
   * @return a duration as in manifests
   */
  Optional<String> usageHalfLife();

  /** Sampling interval of LocalQueue usage, at least 1ms; a duration as in manifests. */
  @WithDefault(SettingDefaults.USAGE_SAMPLING_INTERVAL)
  String usageSamplingInterval();

  /** Weight of one unit of a resource in LocalQueue usage, such as {@code cpu=0.5}. */
  Optional<List<String>> usageWeights();

  /** Number of batches between snapshots of the state, at least 1. */
  @WithDefault(SettingDefaults.SNAPSHOT_EVERY)
  int snapshotEvery();

  /**
   * Minimum time for which decisions can be rechecked, 1s to 87840h; a duration as in manifests.
   */
  @WithDefault(SettingDefaults.HISTORY_RETENTION)
  String historyRetention();

  /**
   * Minimum time between the end of a job and its archiving, 24h to 87840h; a duration as in
   * manifests.
   */
  @WithDefault(SettingDefaults.ARCHIVE_AFTER)
  String archiveAfter();

  /** Maximum delay of a schedule's fire, 1s to 1h; a duration as in manifests. */
  @WithDefault(SettingDefaults.MISSED_AFTER)
  String missedAfter();

  /** Maximum number of ClusterQueues with their own metrics; the others are summed up. */
  @WithDefault(SettingDefaults.METRICS_QUEUES)
  int metricsQueues();

  /** Whether processes of jobs end with the server; otherwise the next server adopts them. */
  @WithDefault("false")
  boolean endJobs();

  /** Whether a server without clusters runs containers of manifests as processes. */
  @WithDefault("false")
  boolean runContainersAsProcesses();

  /**
   * User and group ids of accounts for jobs as processes, such as {@code 200000-265535}; without it
   * those of the machine.
   */
  Optional<String> jobAccounts();

  /** Directory of secrets for jobs as processes: {@code NAMESPACE/SECRET/KEY}. */
  Optional<Path> secrets();

  /** Maximum number of processes and threads of a namespace's jobs, at least 1. */
  @WithDefault(SettingDefaults.JOB_PROCESSES)
  int jobProcesses();

  /** The delegated cgroup in which pods that run as processes are; empty: memory is not bounded. */
  Optional<Path> jobCgroup();

  /** Maximum size of the log of a pod that runs as a process; a quantity, at least 4Ki. */
  @WithDefault(SettingDefaults.JOB_LOG_LIMIT)
  String jobLogLimit();

  /** Whether jobs of all callers run as processes even if they cannot be isolated. */
  @WithDefault("false")
  boolean trustCallers();
}
