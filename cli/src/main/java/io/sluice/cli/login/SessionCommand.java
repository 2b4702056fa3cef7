// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.listing.ListOptions;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.access.CallerSession;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice session}: lists and revokes sessions of browsers. */
@Command(
    name = "session",
    description = "Lists and revokes sessions of browsers.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {SessionCommand.Listing.class, SessionCommand.Revoke.class, HelpCommand.class})
public final class SessionCommand {
  private static final String PATH = "/v1/sessions";

  private SessionCommand() {}

  /** Lists sessions. */
  @Command(
      name = "list",
      description = "Lists your sessions; with the role admin, those of all callers.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Listing implements Callable<Integer> {
    @Mixin ServerOptions server;
    @Mixin ListOptions list;

    @Override
    public Integer call() {
      list.show(
          server.client(),
          page -> PATH + "?limit=" + page,
          found -> table(found.as(CallerSession.class), Instant.now()));
      return 0;
    }

    private static TextTable table(List<CallerSession> sessions, Instant now) {
      TextTable table =
          new TextTable("ID", "CALLER", "SIGNED IN BY", "EXPIRES", "LAST USED", "AGE");
      for (CallerSession session : sessions) {
        table.add(
            session.id(),
            session.caller(),
            session.signedInBy(),
            session.expiresAt().toString(),
            session.lastUsedAt() == null ? "-" : Age.of(session.lastUsedAt(), now) + " ago",
            Age.of(session.createdAt(), now));
      }
      return table;
    }
  }

  /** Revokes a session. */
  @Command(
      name = "revoke",
      description =
          "Revokes a session: servers refuse it within two seconds. Sessions of others require the"
              + " role admin.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Revoke implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "ID", description = "Id of the session, as list shows it.")
    String id;

    @Override
    public Integer call() {
      server.client().delete(PATH + "/" + ServerClient.encode(id));
      Terminal.standard().print("session/" + id + " is revoked");
      return 0;
    }
  }
}
