// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.KueuePage;
import io.sluice.cli.output.Terminal;
import io.sluice.manifests.ManifestWriter;
import io.sluice.restmodel.quota.KueueExported;
import io.sluice.restmodel.quota.KueueImported;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice kueue}: imports from Kueue, and exports to it. */
@Command(
    name = "kueue",
    description = "Imports quota objects from Kueue, and exports them to Kueue.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {KueueCommand.Import.class, KueueCommand.Export.class})
final class KueueCommand {
  /**
   * Imports the quota objects of a cluster's Kueue, and keeps the order of its pending workloads.
   */
  @Command(
      name = "import",
      description =
          "Imports Kueue's quota objects of a cluster in one transaction, and records "
              + "the order of its pending workloads. Nothing in the cluster changes.",
      footer = {
        "",
        "In this order: import with --dry-run; import; scale Kueue's controller to 0 and delete"
            + " its",
        "webhook configurations. Then Jobs, JobSets, RayJobs and RayClusters that Kueue holds",
        "suspended become jobs of Sluice, longest waiting first. Work that Kueue admitted"
            + " continues."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Import implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Option(
        names = "--cluster",
        paramLabel = "NAME",
        description = "Cluster of the server's kubeconfig. Default: the only one.")
    @Nullable String cluster;

    @Option(
        names = "--without-checks",
        description =
            "Import ClusterQueues without their admission checks. Default: ClusterQueues "
                + "with admission checks are refused.")
    boolean withoutChecks;

    @Option(
        names = "--dry-run",
        description =
            "Change nothing. Shows the result for each object, which jobs would gain, wait "
                + "or be evicted, and which queues would be over quota.")
    boolean dryRun;

    @Override
    public Integer call() {
      Map<String, @Nullable String> parameters = new HashMap<>();
      parameters.put("cluster", cluster);
      parameters.put("dryRun", dryRun ? "true" : null);
      parameters.put("withoutChecks", withoutChecks ? "true" : null);
      KueueImported answer =
          server
              .client()
              .post(ServerClient.query("/v1/kueue/import", parameters), KueueImported.class);
      boolean inOrder = new KueuePage(Terminal.standard()).printImport(answer);
      return inOrder ? 0 : 1;
    }
  }

  /** Exports the quota objects as manifests for Kueue. */
  @Command(
      name = "export",
      description =
          "Writes the present quota objects as manifests for Kueue (v1beta2), and "
              + "reports what happens to the jobs.",
      footer = {
        "",
        "Adopted objects wait suspended with their label. Kueue takes them back when its"
            + " controller",
        "runs. docs/kubernetes.md has the steps."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Export implements Callable<Integer> {
    @Spec CommandSpec spec;
    @Mixin ServerOptions server;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "File for the manifests. Default: standard output.")
    @Nullable Path file;

    @Option(
        names = "--jobs",
        description =
            "Also write pending jobs that were submitted as Kubernetes manifests, "
                + "suspended. Cancel those jobs before you apply the file.")
    boolean jobs;

    @Override
    public Integer call() {
      KueueExported answer = server.client().get("/v1/kueue/export", KueueExported.class);
      List<Map<String, Object>> manifests = new ArrayList<>(answer.objects());
      if (jobs) {
        for (KueueExported.ExportedJob job : answer.jobs().written()) {
          List<Map<String, Object>> documents = job.documents();
          manifests.addAll(documents == null ? List.of() : documents);
        }
      }
      StringBuilder text = new StringBuilder();
      for (Map<String, Object> manifest : manifests) {
        text.append(ManifestWriter.writeYaml(JsonRecords.tree(manifest)));
      }
      write(text.toString());
      PrintWriter err = spec.commandLine().getErr();
      KueuePage.exportLines(answer, manifests.size(), jobs).forEach(err::println);
      err.flush();
      return 0;
    }

    private void write(String text) {
      Path to = file;
      if (to == null) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        return;
      }
      try {
        Files.writeString(to, text);
      } catch (IOException failure) {
        throw new ClientException("cannot write " + to + ": " + failure.getMessage());
      }
    }
  }
}
