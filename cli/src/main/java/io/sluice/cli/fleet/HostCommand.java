// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fleet;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.options.ServerOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Fails and returns virtual hosts. */
@Command(
    name = "host",
    description =
        "Fails and returns virtual hosts. Requires the role admin, or operator of all namespaces.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {HostCommand.Fail.class, HostCommand.Return.class, HelpCommand.class})
public final class HostCommand {
  private HostCommand() {}

  private static void ask(ServerOptions server, List<String> hosts, String verb, String doing) {
    ServerClient client = server.client();
    for (String written : hosts) {
      String host = ObjectNames.withoutKind(Kinds.HOSTS, written);
      client.post("/v1/fleet/hosts/" + ServerClient.encode(host) + "/" + verb);
      System.out.println("host/" + host + " " + doing);
    }
  }

  /** Marks hosts as failed. */
  @Command(
      name = "fail",
      description = "Makes virtual hosts fail. Their processes and slices are lost.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Fail implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "HOST", arity = "1..*", description = "Name of a virtual host.")
    List<String> hosts;

    @Override
    public Integer call() {
      ask(server, hosts, "fail", "has failed");
      return 0;
    }
  }

  /** Returns failed hosts to the fleet. */
  @Command(
      name = "return",
      description = "Returns failed hosts to service.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Return implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "HOST", arity = "1..*", description = "Name of a virtual host.")
    List<String> hosts;

    @Override
    public Integer call() {
      ask(server, hosts, "return", "is returned");
      return 0;
    }
  }
}
