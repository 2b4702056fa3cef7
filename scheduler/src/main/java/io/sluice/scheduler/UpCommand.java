// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.scheduler.config.SettingDefaults;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code sluice up}. */
@Command(
    name = "sluice up",
    description = "Starts the server and runs until it is told to end.",
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
      description = "Port to answer on; 0: any free one. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "${env:SLUICE_DATA}",
      description =
          "Directory that the server owns: its database, logs of jobs, records. Default:"
              + " $SLUICE_DATA, else /var/lib/sluice for root, else ~/.local/share/sluice.")
  @Nullable Path data;

  @Option(
      names = "--as-copy",
      description =
          "DIR is a copy of another server's data directory: make it an instance of its own."
              + " Attempts that were running count as lost and run again; processes of the original"
              + " are left alone. On a directory that is no copy it changes nothing. Default: a copy"
              + " is refused.")
  boolean asCopy;

  @Option(
      names = "--take-clusters",
      description =
          "This database is a copy or was restored, and its original does not run any more: take its"
              + " objects in the clusters over. Default: such a database is refused --kubeconfig.")
  boolean takeClusters;

  @Option(
      names = "--database",
      paramLabel = "JDBC_URL",
      description =
          "A PostgreSQL of your own (14 or newer), as"
              + " jdbc:postgresql://host/name?user=u&password=p. Default: one inside DIR.")
  @Nullable String database;

  @Option(
      names = "--listen",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      description =
          "Address to answer on; one that is not loopback needs --tokens. Default:"
              + " ${DEFAULT-VALUE}.")
  String listen;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description =
          "Callers besides who may read DIR/token: a line each, made by ./sluice token. Read again"
              + " when it changes.")
  @Nullable Path tokens;

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description = "A further name by which this server is called; may be given several times.")
  List<String> allowedHosts = List.of();

  @Option(
      names = "--fleet",
      paramLabel = "FILE",
      description =
          "The virtual hosts and slices that jobs run on. Default: this machine, without slices.")
  @Nullable Path fleet;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubernetes clusters that run what is admitted: one for each context of the file, the first"
              + " for flavors that name none. No other kubeconfig is ever looked at.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--kubernetes-requests",
      paramLabel = "N",
      defaultValue = SettingDefaults.KUBERNETES_REQUESTS,
      description =
          "Most requests a second to each of these clusters; watches do not count. Default:"
              + " ${DEFAULT-VALUE}.")
  int kubernetesRequests;

  @Option(
      names = "--tpu-metrics-port",
      paramLabel = "PORT",
      defaultValue = SettingDefaults.TPU_METRICS_PORT,
      description =
          "Where the nodes of these clusters expose how much their TPU chips are used; 0 asks none."
              + " Default: ${DEFAULT-VALUE}.")
  int tpuMetricsPort;

  @Option(
      names = "--pathways-controller",
      description =
          "In these clusters a Pathways controller runs: refuse PathwaysJobs that are submitted here,"
              + " and admit those that users create in the clusters by the JobSets that it makes of"
              + " them. Default: a PathwaysJob is run as the JobSet that it stands for.")
  boolean pathwaysController;

  @Option(
      names = "--no-adoption",
      description =
          "Leave the objects alone that users create in these clusters with a queue's name. Of"
              + " several installations on one cluster, one may adopt them.")
  boolean noAdoption;

  @Option(
      names = "--kueue-namespace",
      paramLabel = "NAME",
      defaultValue = SettingDefaults.KUEUE_NAMESPACE,
      description =
          "The namespace of these clusters in which Kueue is installed; its Deployment there says"
              + " whether it is at work (default ${DEFAULT-VALUE}).")
  String kueueNamespace;

  @Option(
      names = "--webhook-certificate",
      paramLabel = "FILE",
      description =
          "Answer API servers that ask what is to become of objects of users, over HTTPS with this"
              + " certificate (PEM). Read again when it changes. Default: they are not answered, and"
              + " policies hold what users create.")
  @Nullable Path webhookCertificate;

  @Option(
      names = "--webhook-key",
      paramLabel = "FILE",
      description = "The private key of that certificate (PEM).")
  @Nullable Path webhookKey;

  @Option(
      names = "--webhook-port",
      paramLabel = "N",
      defaultValue = SettingDefaults.WEBHOOK_PORT,
      description = "Port to answer API servers on, at ADDR. Default: ${DEFAULT-VALUE}.")
  int webhookPort;

  @Option(
      names = "--webhook-account",
      paramLabel = "NAME",
      defaultValue = SettingDefaults.WEBHOOK_ACCOUNT,
      description =
          "The name by which API servers know Sluice: what it does itself is left alone. Default:"
              + " ${DEFAULT-VALUE}.")
  String webhookAccount;

  @Option(
      names = "--faults",
      paramLabel = "FILE",
      description =
          "What befalls the virtual fleet while the server runs: slices that are taken back, hosts"
              + " that fail. Default: nothing.")
  @Nullable Path faults;

  @Option(
      names = "--configuration",
      paramLabel = "FILE",
      description =
          "A Configuration in Kueue's schema, of which waitForPodsReady and resources are honoured,"
              + " and AcceleratorCatalogues, which add types of accelerators and machines."
              + " Give it to all servers of a database, or to none.")
  @Nullable Path configuration;

  @Option(
      names = "--fair-sharing",
      description =
          "Queues of a cohort share what they borrow by their fairSharing.weight, as in Kueue. Default:"
              + " by priority and age. Give it to all servers of a database, or to none.")
  boolean fairSharing;

  @Option(
      names = "--usage-half-life",
      paramLabel = "TIME",
      description =
          "ClusterQueues whose admissionMode is UsageBasedAdmissionFairSharing serve the LocalQueue"
              + " first that used the least of late, as in Kueue; what was used counts half after"
              + " TIME, such as 168h. Default: by priority and age. Give it to all servers of a"
              + " database, or to none.")
  @Nullable String usageHalfLife;

  @Option(
      names = "--usage-sampling-interval",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.USAGE_SAMPLING_INTERVAL,
      description =
          "How often that usage is looked at anew; what is admitted counts at once as if it had run"
              + " for so long. Default: ${DEFAULT-VALUE}.")
  String usageSamplingInterval;

  @Option(
      names = "--usage-weight",
      paramLabel = "RESOURCE=NUMBER",
      description =
          "What one of a resource counts (a core, a byte, a chip); may be given several times."
              + " Default: 1 each.")
  List<String> usageWeights = List.of();

  @Option(
      names = "--history-retention",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.HISTORY_RETENTION,
      description =
          "For how long at least decisions can be recomputed (./sluice recheck) and events are shown;"
              + " what is older is deleted from the journal. Jobs and attempts are kept. Default:"
              + " ${DEFAULT-VALUE}, which is 14 days.")
  String historyRetention;

  @Option(
      names = "--snapshot-every",
      paramLabel = "N",
      defaultValue = SettingDefaults.SNAPSHOT_EVERY,
      description =
          "After how many batches the state is stored, from which later decisions are recomputed; of a"
              + " retention 200 times at most. Default: ${DEFAULT-VALUE}.")
  int snapshotEvery;

  @Option(
      names = "--missed-after",
      paramLabel = "TIME",
      defaultValue = SettingDefaults.MISSED_AFTER,
      description =
          "How late a fire of a schedule may come; a later one was missed, and the schedule's"
              + " misfirePolicy says what becomes of it. Give it to all servers of a database."
              + " Default: ${DEFAULT-VALUE}.")
  String missedAfter;

  @Option(
      names = "--metrics-queues",
      paramLabel = "N",
      defaultValue = SettingDefaults.METRICS_QUEUES,
      description =
          "How many ClusterQueues have metrics of their own in /q/metrics; those of others are summed"
              + " up. Default: ${DEFAULT-VALUE}.")
  int metricsQueues;

  @Option(
      names = "--open-metrics",
      description =
          "Let who has no token read /q/metrics. Default: viewers may, by their tokens, as all else.")
  boolean openMetrics;

  @Option(
      names = "--end-jobs",
      description =
          "End the processes of jobs with the server; their attempts run anew under the next one."
              + " Default: they go on, and the next server on DIR adopts them.")
  boolean endJobs;

  @Option(
      names = "--run-containers-as-processes",
      description =
          "Without --kubeconfig: take Jobs, JobSets and Pods of Kubernetes, and run the command of"
              + " each container as a process of this machine, without its image and its isolation,"
              + " as the account that runs other jobs. To try manifests; not for others' programs."
              + " Default: they are refused.")
  boolean containersAsProcesses;

  @Override
  public Integer call() {
    return new ServerStart(this).run();
  }
}
