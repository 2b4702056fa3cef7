// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.Inputs;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.field.ReadingTerms;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares manifests with those that the server stores. */
@Command(
    name = "diff",
    description =
        "Shows what apply would change: the server checks the manifests as in a dry run, and each "
            + "stored manifest is compared with the given one. A job is always new.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 no difference, 1 differences, 2 or more an error, as of the other commands."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class DiffCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-f", "--filename"},
      required = true,
      paramLabel = "FILE",
      description = "Manifest file, folder, or - for standard input. Repeatable.")
  List<String> files;

  @Override
  public Integer call() {
    try {
      return compare();
    } catch (ClientException failure) {
      int code = ExitCode.of(failure);
      if (code != ExitCode.FAILED) {
        throw failure;
      }
      // That code means a difference here.
      System.err.println("sluice: " + failure.getMessage());
      return ExitCode.USAGE;
    }
  }

  private int compare() {
    ServerClient client = server.client();
    byte[] text = Inputs.read(files);
    client.postIdempotent("/v1/apply?dryRun=true", text, null);
    Terminal terminal = Terminal.standard();
    boolean differs = false;
    for (Manifest manifest : read(text)) {
      differs |= print(client, manifest, terminal);
    }
    return differs ? ExitCode.FAILED : ExitCode.OK;
  }

  private static List<Manifest> read(byte[] text) {
    try {
      return ManifestReader.readPlacedWithForeign(text, ReadingTerms.DEFAULT).stream()
          .map(PlacedManifest::manifest)
          .toList();
    } catch (InvalidManifestException invalid) {
      throw new ClientException(
          "the server accepts the manifests, but this command cannot read them: "
              + invalid.getMessage());
    }
  }

  /** Prints the difference of one object; returns whether there is one. */
  private static boolean print(ServerClient client, Manifest manifest, Terminal terminal) {
    ObjectNode given = ManifestWriter.toJson(manifest);
    Kinds kinds = Kinds.parse(given.path("kind").asText());
    ObjectPath object =
        new ObjectPath(
            kinds, given.path("metadata").path("namespace").asText(""), manifest.meta().name());
    StoredManifest stored =
        ObjectPath.isStored(kinds) ? StoredManifest.readOrNull(client, object) : null;
    List<String> hunks =
        UnifiedDiff.hunks(stored == null ? "" : stored.yaml(), ManifestWriter.writeYaml(given));
    if (hunks.isEmpty()) {
      return false;
    }
    String absent = stored == null ? "/dev/null" : object.shown() + " (server)";
    terminal.print(terminal.styled(Terminal.Style.BOLD, "--- " + absent));
    terminal.print(terminal.styled(Terminal.Style.BOLD, "+++ " + object.shown() + " (given)"));
    for (String line : hunks) {
      terminal.print(
          switch (line.charAt(0)) {
            case '-' -> terminal.styled(Terminal.Style.RED, line);
            case '+' -> terminal.styled(Terminal.Style.GREEN, line);
            case '@' -> terminal.styled(Terminal.Style.MAGENTA, line);
            default -> line;
          });
    }
    return true;
  }
}
