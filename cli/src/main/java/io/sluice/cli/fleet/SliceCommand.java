// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fleet;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.options.ServerOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reclaims and returns slices of the virtual provider. */
@Command(
    name = "slice",
    description =
        "Reclaims and returns slices of the virtual provider. Requires the role admin, or operator of all namespaces.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {SliceCommand.Reclaim.class, SliceCommand.Return.class, HelpCommand.class})
public final class SliceCommand {
  private SliceCommand() {}

  private static String name(String written) {
    return ObjectNames.withoutKind(Kinds.FLEET, written);
  }

  private static String path(String slice, String verb) {
    return "/v1/fleet/slices/" + ServerClient.encode(name(slice)) + "/" + verb;
  }

  /** Reclaims slices. */
  @Command(
      name = "reclaim",
      description =
          "Reclaims slices, as a provider does. Attempts on them drain within the notice.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Reclaim implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Option(
        names = "--notice",
        paramLabel = "TIME",
        description = "Time until the slice is gone, such as 30s. Default: none, gone at once.")
    @Nullable String notice;

    @Parameters(paramLabel = "SLICE", arity = "1..*", description = "Name of a slice.")
    List<String> slices;

    @Override
    public Integer call() {
      ServerClient client = server.client();
      Map<String, @Nullable String> parameters = new LinkedHashMap<>();
      parameters.put("notice", notice);
      for (String slice : slices) {
        client.post(ServerClient.query(path(slice, "reclaim"), parameters));
        System.out.println("slice/" + name(slice) + " is being reclaimed");
      }
      return 0;
    }
  }

  /** Returns reclaimed slices to the fleet. */
  @Command(
      name = "return",
      description = "Returns reclaimed slices to service.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Return implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "SLICE", arity = "1..*", description = "Name of a slice.")
    List<String> slices;

    @Override
    public Integer call() {
      ServerClient client = server.client();
      for (String slice : slices) {
        client.post(path(slice, "return"));
        System.out.println("slice/" + name(slice) + " is returned");
      }
      return 0;
    }
  }
}
