// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.config.SettingDefaults;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code sluice up}. */
@Command(
    name = "sluice up",
    description = "Starts the server and runs it until it receives SIGTERM or SIGINT.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    version = "sluice 0.1.0",
    usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class UpCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 7411;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + DEFAULT_PORT,
      description =
          "TCP port of the API, 0 to 65535; 0 chooses a free one. Default: " + "${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "${env:SLUICE_DATA}",
      description =
          "Data directory of the server: database, logs of jobs, records of processes. "
              + "One server runs on it at a time. Default: $SLUICE_DATA, else /var/lib/sluice "
              + "for root, else ~/.local/share/sluice.")
  @Nullable Path data;

  @Option(
      names = "--as-copy",
      description =
          "Accept DIR although it is a copy of another server's data directory, and make "
              + "it an instance of its own. Attempts that were running count as lost and run "
              + "again; the original's processes are not touched. Has no effect on a directory "
              + "that is not a copy. Default: a copy is refused.")
  boolean asCopy;

  @Option(
      names = "--take-clusters",
      description =
          "Take over the original's objects in the clusters. Use it with a copied or "
              + "restored database whose original no longer runs. Default: such a database is "
              + "refused --kubeconfig.")
  boolean takeClusters;

  @Option(
      names = "--database",
      paramLabel = "JDBC_URL",
      description =
          "URL of an external PostgreSQL, version 14 or newer, such as "
              + "jdbc:postgresql://host/name?user=u. It must not have a password. Default: the "
              + "environment variable SLUICE_DATABASE, whose URL may have one; else an embedded "
              + "PostgreSQL in DIR.")
  @Nullable String database;

  @Mixin DatabasePasswordOption databasePassword;

  @Option(
      names = "--listen",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      description =
          "IP address or host name to listen on. An address other than loopback requires "
              + "--tokens. Default: ${DEFAULT-VALUE}.")
  String listen;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description =
          "Tokens file: one line per caller, made by ./sluice token line. Reread when it "
              + "changes. Default: only the administrator's token in DIR/token.")
  @Nullable Path tokens;

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description =
          "Additional host name that clients may use in the Host header. Repeatable. "
              + "Default: loopback names and the address of --listen.")
  List<String> allowedHosts = List.of();

  @Mixin TransportOptions transport;

  @Mixin SignInOptions signIn;

  @Option(
      names = "--fleet",
      paramLabel = "FILE",
      description =
          "Fleet file with the virtual hosts and slices that run jobs, at most 64 MiB. "
              + "Default: this machine, without slices.")
  @Nullable Path fleet;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of the clusters that run admitted jobs, one cluster per context. "
              + "The first one is for flavors that name no cluster. Reread when it changes; no "
              + "other kubeconfig is used. Default: none, jobs run as processes of this "
              + "machine.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--kubernetes-requests",
      paramLabel = "N",
      defaultValue = SettingDefaults.KUBERNETES_REQUESTS,
      description =
          "Maximum number of requests per second to each cluster, at least 1; watches do "
              + "not count. Default: ${DEFAULT-VALUE}.")
  int kubernetesRequests;

  @Option(
      names = "--tpu-metrics-port",
      paramLabel = "PORT",
      defaultValue = SettingDefaults.TPU_METRICS_PORT,
      description =
          "Port at which the nodes of the clusters expose TPU metrics, 0 to 65535; 0 "
              + "disables scraping. Default: ${DEFAULT-VALUE}.")
  int tpuMetricsPort;

  @Option(
      names = "--pathways-controller",
      description =
          "A Pathways controller runs in the clusters. Submitted PathwaysJobs are "
              + "refused; those created in the clusters are admitted through the JobSets that "
              + "the controller makes. Default: Sluice runs a PathwaysJob as the JobSet that "
              + "it stands for.")
  boolean pathwaysController;

  @Option(
      names = "--no-adoption",
      description =
          "Do not adopt objects that users create in the clusters with a queue name. "
              + "Only one installation may adopt the objects of a cluster. Default: they are "
              + "adopted.")
  boolean noAdoption;

  @Option(
      names = "--kueue-namespace",
      paramLabel = "NAME",
      defaultValue = SettingDefaults.KUEUE_NAMESPACE,
      description =
          "Namespace of Kueue in the clusters. Kueue counts as running while its "
              + "Deployment there has replicas. Default: ${DEFAULT-VALUE}.")
  String kueueNamespace;

  @Option(
      names = "--webhook-certificate",
      paramLabel = "FILE",
      description =
          "Run the admission webhook for adoption over HTTPS with this certificate "
              + "(PEM). Reread when it changes. Requires --webhook-key and --kubeconfig. "
              + "Default: no webhook; admission policies of the clusters hold objects.")
  @Nullable Path webhookCertificate;

  @Option(
      names = "--webhook-key",
      paramLabel = "FILE",
      description = "Private key of the webhook certificate (PEM). Reread when it changes.")
  @Nullable Path webhookKey;

  @Option(
      names = "--webhook-port",
      paramLabel = "N",
      defaultValue = SettingDefaults.WEBHOOK_PORT,
      description =
          "TCP port of the webhook at the address of --listen, 0 to 65535. Default: "
              + "${DEFAULT-VALUE}.")
  int webhookPort;

  @Option(
      names = "--webhook-account",
      paramLabel = "NAME",
      defaultValue = SettingDefaults.WEBHOOK_ACCOUNT,
      description =
          "User name of Sluice's ServiceAccount in the clusters; the webhook permits its "
              + "requests. Default: ${DEFAULT-VALUE}.")
  String webhookAccount;

  @Option(
      names = "--faults",
      paramLabel = "FILE",
      description =
          "Faults file for the virtual fleet: reclaimed slices and failing hosts, by "
              + "script or at random, at most 4 MiB. Default: no faults.")
  @Nullable Path faults;

  @Option(
      names = "--configuration",
      paramLabel = "FILE",
      description =
          "Configuration file, at most 1 MiB: a Configuration in Kueue's schema "
              + "(waitForPodsReady and resources are honoured) and AcceleratorCatalogues, "
              + "which add accelerator and machine types. All servers of a database must have "
              + "the same. Default: Kueue's defaults.")
  @Nullable Path configuration;

  @Option(
      names = "--queueing",
      paramLabel = "planned|kueue",
      converter = QueueingWord.class,
      description =
          "How new ClusterQueues without the annotation sluice.io/queueing are served: "
              + "planned, blocked jobs get a planned start; kueue, as in Kueue. Stored in the "
              + "database, for all of its servers and for later starts without the option. "
              + "Default: as stored; planned in a new database.")
  Queueing.@Nullable Mode queueing;

  @Option(
      names = "--fair-sharing",
      description =
          "Divide borrowed quota of a cohort by fairSharing.weight, as in Kueue. All "
              + "servers of a database must have the same. Default: by priority and age.")
  boolean fairSharing;

  @Option(
      names = "--usage-half-life",
      paramLabel = "TIME",
      description =
          "Half-life of LocalQueue usage, such as 168h, at least 1ms. ClusterQueues with "
              + "admissionMode UsageBasedAdmissionFairSharing then serve the LocalQueue with "
              + "the least recent usage first, as in Kueue. All servers of a database must "
              + "have the same. Default: none, by priority and age.")
  @Nullable String usageHalfLife;

  @Option(
      names = "--usage-sampling-interval",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.USAGE_SAMPLING_INTERVAL,
      description =
          "Sampling interval of LocalQueue usage, at least 1ms. An admission at once "
              + "adds the usage of one interval. Needs --usage-half-life. Default: "
              + "${DEFAULT-VALUE}.")
  String usageSamplingInterval;

  @Option(
      names = "--usage-weight",
      paramLabel = "RESOURCE=NUMBER",
      description =
          "Weight of one unit of a resource (core, byte, chip) in LocalQueue usage, such "
              + "as cpu=0.5. Repeatable. Default: 1 for each resource.")
  List<String> usageWeights = List.of();

  @Option(
      names = "--history-retention",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.HISTORY_RETENTION,
      description =
          "Minimum time for which decisions can be rechecked (./sluice recheck) and "
              + "events are listed, 1s to 87840h. Older parts of the journal are deleted; jobs "
              + "and attempts are kept. Default: ${DEFAULT-VALUE} (14 days).")
  String historyRetention;

  @Option(
      names = "--archive-after",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.ARCHIVE_AFTER,
      description =
          "Minimum time between the end of a job and its archiving, 24h to 87840h. "
              + "Archived jobs are listed as before; their idempotency keys can be used "
              + "again. Default: ${DEFAULT-VALUE} (90 days).")
  String archiveAfter;

  @Option(
      names = "--snapshot-every",
      paramLabel = "N",
      defaultValue = SettingDefaults.SNAPSHOT_EVERY,
      description =
          "Number of batches between snapshots of the state, at least 1. There are at "
              + "most 200 snapshots per --history-retention. Default: ${DEFAULT-VALUE}.")
  int snapshotEvery;

  @Option(
      names = "--missed-after",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.MISSED_AFTER,
      description =
          "Maximum delay of a schedule's fire, 1s to 1h. A later fire counts as missed, "
              + "and the schedule's misfirePolicy applies. All servers of a database must have "
              + "the same. Default: ${DEFAULT-VALUE}.")
  String missedAfter;

  @Option(
      names = "--metrics-queues",
      paramLabel = "N",
      defaultValue = SettingDefaults.METRICS_QUEUES,
      description =
          "Maximum number of ClusterQueues with their own series in /q/metrics, at least "
              + "0. The others are summed up. Default: ${DEFAULT-VALUE}.")
  int metricsQueues;

  @Option(
      names = "--open-metrics",
      description =
          "Serve /q/metrics without a token. Default: the caller must read all namespaces.")
  boolean openMetrics;

  @Option(
      names = "--end-jobs",
      description =
          "End the processes of jobs when the server stops; the next server starts their "
              + "attempts again. Default: processes continue, and the next server on DIR "
              + "adopts them.")
  boolean endJobs;

  @Option(
      names = "--run-containers-as-processes",
      description =
          "Accept Kubernetes Jobs, JobSets and Pods without a cluster, and run each "
              + "container's command as a process of this machine: without image and "
              + "isolation, under the account for jobs. For trying manifests, not for "
              + "untrusted programs. Excludes --kubeconfig. Default: such manifests are "
              + "refused.")
  boolean containersAsProcesses;

  @Option(
      names = "--secrets",
      paramLabel = "DIR",
      description =
          "Directory of secrets for jobs that run as processes of this machine: the file "
              + "NAMESPACE/SECRET/KEY has one value. Jobs of a namespace may use its secrets "
              + "as variables (valueFrom.secretKeyRef). Read at each start of a pod. In "
              + "clusters, Secrets of Kubernetes are used.")
  @Nullable Path secrets;

  @Option(
      names = "--job-accounts",
      paramLabel = "FIRST-LAST",
      description =
          "User and group ids of accounts for jobs, of a server that is root and has no "
              + "clusters. Each namespace gets its own and keeps it. No other account of the "
              + "machine may have them. Default: root's ids in /etc/subuid, else "
              + "200000-265535.")
  @Nullable String jobAccounts;

  @Option(
      names = "--job-processes",
      paramLabel = "N",
      defaultValue = SettingDefaults.JOB_PROCESSES,
      description =
          "Maximum number of processes and threads of a namespace's jobs, at least 1, where "
              + "each namespace has an account of its own. Default: ${DEFAULT-VALUE}.")
  int jobProcesses;

  @Option(
      names = "--job-cgroup",
      paramLabel = "DIR",
      description =
          "A cgroup (version 2) without processes that is delegated to the server. A pod that "
              + "runs as a process of this machine is ended there if it uses more memory than it "
              + "requests. Default: memory is not bounded.")
  @Nullable Path jobCgroup;

  @Option(
      names = "--job-log-limit",
      paramLabel = "SIZE",
      defaultValue = SettingDefaults.JOB_LOG_LIMIT,
      description =
          "Maximum size of the log of a pod that runs as a process of this machine, at least "
              + "4Ki. A larger log is emptied, and says so. Default: ${DEFAULT-VALUE}.")
  String jobLogLimit;

  @Option(
      names = "--trust-callers",
      description =
          "Run jobs of all callers as processes of this machine even if they cannot be "
              + "isolated from each other, because the server is not root or the machine lacks "
              + "the means. Default: such a server does not start with --tokens.")
  boolean trustCallers;

  /** Reads the word of a queueing mode. */
  static final class QueueingWord implements ITypeConverter<Queueing.Mode> {
    @Override
    public Queueing.Mode convert(String word) {
      for (Queueing.Mode mode : Queueing.Mode.values()) {
        if (mode.word().equals(word)) {
          return mode;
        }
      }
      throw new TypeConversionException("must be planned or kueue, not \"" + word + "\"");
    }
  }

  @Override
  public Integer call() {
    return new ServerStart(this).run();
  }
}
