// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.token;

import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.listing.ListOptions;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.access.CallerToken;
import io.sluice.restmodel.access.IssuedToken;
import io.sluice.restmodel.access.TokenRequest;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice token}: issues, lists, rotates and revokes tokens of callers. */
@Command(
    name = "token",
    description = "Creates, lists, rotates and revokes tokens of callers.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      TokenCommand.Create.class,
      TokenCommand.Listing.class,
      TokenCommand.Rotate.class,
      TokenCommand.Revoke.class,
      TokenLineCommand.class,
      HelpCommand.class
    })
public final class TokenCommand {
  private static final String PATH = "/v1/tokens";

  private TokenCommand() {}

  private static String path(String name) {
    return PATH + "/" + ServerClient.encode(name);
  }

  /** Prints the token alone to standard output, so that it can be written to a file. */
  private static int print(CommandSpec spec, IssuedToken answer, String done) {
    CallerToken issued = answer.issued();
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "token/%s %s: %s, namespaces %s, expires %s. The server does not show it again.%n",
        issued.name(),
        done,
        issued.role(),
        namespaces(issued),
        issued.expiresAt() == null ? "never" : issued.expiresAt());
    err.flush();
    PrintWriter out = spec.commandLine().getOut();
    out.println(answer.token());
    out.flush();
    return 0;
  }

  private static String namespaces(CallerToken token) {
    return token.namespaces().isEmpty() ? "-" : String.join(",", token.namespaces());
  }

  /** Issues a token. */
  @Command(
      name = "create",
      description =
          "Creates a token, valid on every server of the database. Requires the role admin.",
      footer = {
        "",
        "The token is printed once, to standard output. The servers keep only its hash."
      },
      sortOptions = false,
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Create implements Callable<Integer> {
    @Spec CommandSpec spec;
    @Mixin ServerOptions server;

    @Parameters(
        paramLabel = "NAME",
        description = "Name of the caller: at most 100 letters, digits and @._-")
    String name;

    @Option(
        names = "--role",
        required = true,
        description = "Role of the caller: ${COMPLETION-CANDIDATES}.")
    TokenLineCommand.Role role;

    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NS",
        split = ",",
        description =
            "Namespaces of the caller, separated by commas, or * for all. A submitter needs one.")
    List<String> namespaces = List.of();

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        description =
            "When the token expires: a time such as 2027-01-31T00:00:00Z, or one from now such as "
                + "30d or 12h. Default: it does not expire.")
    @Nullable String expires;

    @Override
    public Integer call() {
      String written = expires;
      TokenRequest request =
          new TokenRequest(
              name,
              role.name(),
              namespaces,
              written == null ? null : ExpiryTime.parse(written, Instant.now()));
      byte[] body = JsonRecords.write(request);
      return print(
          spec,
          JsonRecords.read(server.client().post(PATH, body), IssuedToken.class, PATH),
          "created");
    }
  }

  /** Lists issued tokens. */
  @Command(
      name = "list",
      description = "Lists the tokens that servers issued. Requires the role admin.",
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
          found -> table(found.as(CallerToken.class), Instant.now()));
      return 0;
    }

    private static TextTable table(List<CallerToken> tokens, Instant now) {
      TextTable table =
          new TextTable("NAME", "ROLE", "NAMESPACES", "STATE", "EXPIRES", "LAST USED", "AGE");
      for (CallerToken token : tokens) {
        table.add(
            token.name(),
            token.role(),
            namespaces(token),
            token.state(),
            Cell.or(token.expiresAt(), "never"),
            token.lastUsedAt() == null ? "-" : Age.of(token.lastUsedAt(), now) + " ago",
            Age.of(token.createdAt(), now));
      }
      return table;
    }
  }

  /** Replaces a token. */
  @Command(
      name = "rotate",
      description =
          "Replaces a token by a new one with the same rights and expiry. Requires the role admin.",
      footer = {"", "The new token is printed once, to standard output."},
      sortOptions = false,
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Rotate implements Callable<Integer> {
    @Spec CommandSpec spec;
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "NAME", description = "Name of the caller.")
    String name;

    @Option(
        names = "--grace",
        paramLabel = "TIME",
        description =
            "How long the replaced token stays valid, such as 1h; at most 720h. Default: it is "
                + "refused at once.")
    @Nullable String grace;

    @Override
    public Integer call() {
      Map<String, @Nullable String> parameters = new LinkedHashMap<>();
      parameters.put("grace", grace);
      String path = ServerClient.query(path(name) + "/rotate", parameters);
      return print(spec, server.client().post(path, IssuedToken.class), "rotated");
    }
  }

  /** Revokes a token. */
  @Command(
      name = "revoke",
      description =
          "Revokes a token: servers refuse it within two seconds. Requires the role admin.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Revoke implements Callable<Integer> {
    @Mixin ServerOptions server;

    @Parameters(paramLabel = "NAME", description = "Name of the caller.")
    String name;

    @Override
    public Integer call() {
      server.client().delete(path(name));
      Terminal.standard().print("token/" + name + " is revoked");
      return 0;
    }
  }
}
