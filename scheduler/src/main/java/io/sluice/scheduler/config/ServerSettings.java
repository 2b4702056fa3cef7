// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a server was told at its start, as the rest of the application sees it. */
@ConfigMapping(prefix = "sluice")
public interface ServerSettings {
  /** What this is a build of. */
  String version();

  /** The directory that this server owns. */
  Path data();

  /** Where it answers, as clients write it. */
  String url();

  /** The address that it listens on. */
  String listen();

  /** Further names by which it is called. */
  Optional<List<String>> allowedHosts();

  /** The file of callers; without it only who may read the data directory may call. */
  Optional<Path> tokens();

  /** The file that describes the fleet; without it there are no slices. */
  Optional<Path> fleet();

  /** The file of the Kubernetes clusters that run attempts; without it there are none. */
  Optional<Path> kubeconfig();

  /** Whether objects that users create in these clusters are adopted. */
  @WithDefault("true")
  boolean adoption();

  /** The namespace of these clusters in which Kueue is installed, where it is. */
  @WithDefault(SettingDefaults.KUEUE_NAMESPACE)
  String kueueNamespace();

  /** Most requests a second to each cluster. */
  @WithDefault(SettingDefaults.KUBERNETES_REQUESTS)
  int kubernetesRequests();

  /** The port at which nodes say what their TPU chips do; 0: they do not. */
  @WithDefault(SettingDefaults.TPU_METRICS_PORT)
  int tpuMetricsPort();

  /** The certificate with which API servers are answered; without it they are not. */
  Optional<Path> webhookCertificate();

  /** Its private key. */
  Optional<Path> webhookKey();

  /** The port at which they are answered. */
  @WithDefault(SettingDefaults.WEBHOOK_PORT)
  int webhookPort();

  /** The name by which they know Sluice. */
  @WithDefault(SettingDefaults.WEBHOOK_ACCOUNT)
  String webhookAccount();

  /** The file that says what befalls the fleet; without it nothing does of itself. */
  Optional<Path> faults();

  /** The file of what is set for the whole server; without it Kueue's defaults count. */
  Optional<Path> configuration();

  /** Whether PathwaysJobs are left to a controller of their own, and refused here. */
  @WithDefault("false")
  boolean pathwaysController();

  /** Whether queues of a cohort share what they borrow by their weights. */
  @WithDefault("false")
  boolean fairSharing();

  /**
   * After what time usage that has ended counts half; without it no queue serves by usage.
   *
   * @return a duration as manifests write it
   */
  Optional<String> usageHalfLife();

  /** How often usage is looked at anew; a duration as manifests write it. */
  @WithDefault(SettingDefaults.USAGE_SAMPLING_INTERVAL)
  String usageSamplingInterval();

  /** What one unit of a resource counts, as {@code cpu=0.5}. */
  Optional<List<String>> usageWeights();

  /** After how many batches a snapshot of the state is due. */
  @WithDefault(SettingDefaults.SNAPSHOT_EVERY)
  int snapshotEvery();

  /** For how long what was decided can be recomputed; a duration as manifests write it. */
  @WithDefault(SettingDefaults.HISTORY_RETENTION)
  String historyRetention();

  /** How late a fire of a schedule may come without having been missed; a duration likewise. */
  @WithDefault(SettingDefaults.MISSED_AFTER)
  String missedAfter();

  /** How many ClusterQueues have metrics of their own; those of others are summed up. */
  @WithDefault(SettingDefaults.METRICS_QUEUES)
  int metricsQueues();

  /** Whether processes of jobs end with this server; else the next one on its directory goes on. */
  @WithDefault("false")
  boolean endJobs();

  /** Whether a server without clusters runs the containers of manifests as processes. */
  @WithDefault("false")
  boolean runContainersAsProcesses();
}
