// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

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

/** Virtual hosts: fail, return. */
@Command(
    name = "host",
    description = "Virtual hosts: fail, return; for admins.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {HostCommand.Fail.class, HostCommand.Return.class, HelpCommand.class})
final class HostCommand {
  private HostCommand() {}

  private static void ask(ServerOptions server, List<String> hosts, String verb, String doing) {
    ServerClient client = server.client();
    for (String written : hosts) {
      String host = ObjectNames.withoutKind(Kinds.HOSTS, written);
      client.post("/v1/fleet/hosts/" + ServerClient.encode(host) + "/" + verb);
      System.out.println("host/" + host + " " + doing);
    }
  }

  /** Makes hosts fail. */
  @Command(
      name = "fail",
      description = "Makes hosts fail, as machines do: their processes and their slices are gone.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Fail implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "HOST", arity = "1..*")
    List<String> hosts;

    @Override
    public Integer call() {
      ask(server, hosts, "fail", "has failed");
      return 0;
    }
  }

  /** Returns hosts. */
  @Command(
      name = "return",
      description = "Returns hosts that have failed.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Return implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "HOST", arity = "1..*")
    List<String> hosts;

    @Override
    public Integer call() {
      ask(server, hosts, "return", "is returned");
      return 0;
    }
  }
}
