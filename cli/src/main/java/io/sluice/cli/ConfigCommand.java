// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.context.Context;
import io.sluice.cli.context.ContextFile;
import io.sluice.cli.context.Contexts;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for the file of contexts. */
@Command(
    name = "config",
    description =
        "Shows and changes the contexts of ~/.config/sluice/config, or of "
            + "$XDG_CONFIG_HOME/sluice/config.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ConfigCommand.GetContexts.class,
      ConfigCommand.CurrentContext.class,
      ConfigCommand.UseContext.class,
      ConfigCommand.SetContext.class,
      HelpCommand.class
    })
final class ConfigCommand {
  private static final String NONE = "-";

  private ConfigCommand() {}

  private static ContextFile file() {
    return ContextFile.ofUser(System.getenv());
  }

  private static Context named(Contexts contexts, String name) {
    Context context = contexts.named(name);
    if (context == null) {
      throw new ClientException(
          "there is no context %s: the contexts are %s".formatted(name, contexts.names()));
    }
    return context;
  }

  /** Lists the contexts. */
  @Command(
      name = "get-contexts",
      description = "Lists the contexts; the current one has an asterisk.",
      mixinStandardHelpOptions = true)
  static final class GetContexts implements Callable<Integer> {
    @Override
    public Integer call() {
      Contexts contexts = file().read();
      Terminal terminal = Terminal.standard();
      if (contexts.all().isEmpty()) {
        terminal.print("nothing found");
        return 0;
      }
      TextTable table =
          new TextTable("CURRENT", "NAME", "SERVER", "DATA", "TOKEN FILE", "NAMESPACE");
      for (Context one : contexts.all()) {
        table.add(
            one.name().equals(contexts.current()) ? "*" : "",
            one.name(),
            one.server() == null ? NONE : one.server().toString(),
            text(one.data()),
            text(one.tokenFile()),
            text(one.namespace()));
      }
      terminal.print(table.lines());
      return 0;
    }

    private static String text(@Nullable String value) {
      return value == null ? NONE : value;
    }
  }

  /** Prints the name of the current context. */
  @Command(
      name = "current-context",
      description = "Prints the name of the current context. Exit code 1 if there is none.",
      mixinStandardHelpOptions = true)
  static final class CurrentContext implements Callable<Integer> {
    @Override
    public Integer call() {
      String current = file().read().current();
      if (current == null) {
        throw new ClientException(
            "there is no current context; select one with sluice config use-context NAME");
      }
      Terminal.standard().print(current);
      return 0;
    }
  }

  /** Selects the current context. */
  @Command(
      name = "use-context",
      description = "Makes a context the current one.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class UseContext implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    String name;

    @Override
    public Integer call() {
      ContextFile file = file();
      Contexts contexts = file.read();
      file.write(contexts.withCurrent(named(contexts, name).name()));
      Terminal.standard().print("context " + name + " is the current one");
      return 0;
    }
  }

  /** Creates or changes a context. */
  @Command(
      name = "set-context",
      description =
          "Creates a context, or changes the given fields of one. Writes the file anew, without "
              + "its comments. The first context becomes the current one.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class SetContext implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    String name;

    @Option(names = "--server", paramLabel = "URL", description = "URL of the server.")
    @Nullable URI server;

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Data directory of a server on this machine, instead of --token-file.")
    @Nullable Path data;

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with your token, which only you should be able to read.")
    @Nullable Path tokenFile;

    @Option(
        names = "--ca-file",
        paramLabel = "FILE",
        description = "Certificates (PEM) of the authorities that sign the server's certificate.")
    @Nullable Path caFile;

    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NS",
        description = "Default of --namespace with this context.")
    @Nullable String namespace;

    @Override
    public Integer call() {
      ContextFile file = file();
      Contexts contexts = file.read();
      Context old = contexts.named(name);
      Context changed =
          changed(old == null ? new Context(name, null, null, null, null, null) : old);
      if (changed.server() == null && changed.data() == null) {
        throw new WrongUsageException("a context needs --server or --data");
      }
      if (changed.data() != null && changed.tokenFile() != null) {
        throw new WrongUsageException(
            "--data and --token-file exclude each other: a data directory has its own token");
      }
      Contexts all = contexts.with(changed);
      file.write(all.current() == null ? all.withCurrent(name) : all);
      Terminal.standard().print("context " + name + (old == null ? " created" : " changed"));
      return 0;
    }

    private Context changed(Context old) {
      return new Context(
          name,
          server == null ? old.server() : http(server),
          data == null ? old.data() : data.toAbsolutePath().normalize().toString(),
          tokenFile == null ? old.tokenFile() : tokenFile.toAbsolutePath().normalize().toString(),
          caFile == null ? old.caFile() : caFile.toAbsolutePath().normalize().toString(),
          namespace == null ? old.namespace() : namespace);
    }

    private static URI http(URI url) {
      if (!Context.isHttp(url)) {
        throw new WrongUsageException(
            "--server must be http://HOST[:PORT] or https://HOST[:PORT], it is " + url);
      }
      return url;
    }
  }
}
