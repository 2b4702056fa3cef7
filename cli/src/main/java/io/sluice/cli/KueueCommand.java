// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.KueuePage;
import io.sluice.cli.output.Terminal;
import io.sluice.manifests.ManifestWriter;
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

/** {@code sluice kueue}: takes over from Kueue, and gives back to it. */
@Command(
    name = "kueue",
    description = "Takes the set-up of a cluster's Kueue in, and gives it back.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {KueueCommand.Import.class, KueueCommand.Export.class})
final class KueueCommand {
  /** Makes the quota objects of a cluster ours, and keeps the order of what waits there. */
  @Command(
      name = "import",
      description =
          "Makes Kueue's quota objects of a cluster Sluice's, all or none, and keeps the order in"
              + " which its pending workloads wait. The cluster is only read.",
      footer = {
        "",
        "In this order: import with --dry-run; import; scale Kueue's controller to 0 and delete its",
        "webhook configurations. Then Jobs, JobSets, RayJobs and RayClusters that Kueue holds",
        "suspended are jobs here, those that waited longest first. What Kueue admitted goes on."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Import implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Option(
        names = "--cluster",
        paramLabel = "NAME",
        description = "Which one of the server's kubeconfig. Default: the only one.")
    @Nullable String cluster;

    @Option(
        names = "--without-checks",
        description =
            "Takes ClusterQueues without their admission checks; else those that have any are"
                + " refused.")
    boolean withoutChecks;

    @Option(
        names = "--dry-run",
        description =
            "Changes nothing, and shows what would become of each object and who would gain, wait,"
                + " be evicted or be over.")
    boolean dryRun;

    @Override
    public Integer call() {
      Map<String, @Nullable String> parameters = new HashMap<>();
      parameters.put("cluster", cluster);
      parameters.put("dryRun", dryRun ? "true" : null);
      parameters.put("withoutChecks", withoutChecks ? "true" : null);
      JsonNode answer = server.client().post(ServerClient.query("/v1/kueue/import", parameters));
      boolean inOrder = new KueuePage(Terminal.standard()).printImport(answer);
      return inOrder ? 0 : 1;
    }
  }

  /** Writes the quota objects as manifests for Kueue. */
  @Command(
      name = "export",
      description =
          "Writes the quota objects as they are now as manifests for Kueue (v1beta2), and says what"
              + " becomes of the jobs.",
      footer = {
        "",
        "Objects that were adopted wait suspended with their label: they are Kueue's again as soon",
        "as its controller is at work. docs/kubernetes.md has the steps."
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
        description = "Where the manifests are written. Default: standard output.")
    @Nullable Path file;

    @Option(
        names = "--jobs",
        description =
            "Also writes pending jobs that were submitted here as manifests of Kubernetes,"
                + " suspended: cancel those jobs before you apply them.")
    boolean jobs;

    @Override
    public Integer call() {
      JsonNode answer = server.client().get("/v1/kueue/export");
      List<JsonNode> manifests = new ArrayList<>();
      answer.path("objects").forEach(manifests::add);
      if (jobs) {
        answer
            .path("jobs")
            .path("written")
            .forEach(job -> job.path("documents").forEach(manifests::add));
      }
      StringBuilder text = new StringBuilder();
      for (JsonNode manifest : manifests) {
        if (manifest instanceof ObjectNode object) {
          text.append(ManifestWriter.writeYaml(object));
        }
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
