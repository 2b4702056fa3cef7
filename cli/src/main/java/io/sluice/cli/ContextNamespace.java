// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.options.ServerOptions;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Gives {@code --namespace} the namespace of the context in effect, then runs the command. A name
 * with its own namespace, and an id, are looked up as they are written.
 */
final class ContextNamespace {
  private static final String NAMESPACE = "--namespace";
  private static final String ALL = "--all-namespaces";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Commands that filter by namespace only on request. */
  private static final Set<String> UNFILTERED = Set.of("audit");

  private ContextNamespace() {}

  /** Runs the parsed command; returns its exit code. */
  static int execute(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (!last.isUsageHelpRequested() && !last.isVersionHelpRequested()) {
      try {
        apply(last);
      } catch (ClientException failure) {
        throw new ExecutionException(
            last.commandSpec().commandLine(), String.valueOf(failure.getMessage()), failure);
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static void apply(ParseResult parsed) {
    CommandSpec spec = parsed.commandSpec();
    OptionSpec option = spec.findOption(NAMESPACE);
    ServerOptions server = server(spec);
    if (option == null || server == null || UNFILTERED.contains(spec.name())) {
      return;
    }
    if (option.isMultiValue()) {
      return; // These namespaces are rights of a new token, which a context must not choose.
    }
    boolean all = spec.findOption(ALL) != null && parsed.hasMatchedOption(ALL);
    if (all || parsed.hasMatchedOption(NAMESPACE)) {
      return;
    }
    // A default value places an object; without one, the option restricts the search for a name.
    if (option.defaultValue() == null && namesItsPlace(parsed)) {
      return;
    }
    String namespace = server.contextNamespace();
    if (namespace != null) {
      option.setValue(namespace);
    }
  }

  private static boolean namesItsPlace(ParseResult parsed) {
    for (ArgSpec positional : parsed.matchedPositionals()) {
      for (String value : positional.originalStringValues()) {
        if (value.indexOf('/') >= 0 || ID.matcher(value).matches()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the options that select the server; null: the command asks no server. */
  private static @Nullable ServerOptions server(CommandSpec spec) {
    if (spec.userObject() instanceof ServerOptions options) {
      return options;
    }
    for (CommandSpec mixin : List.copyOf(spec.mixins().values())) {
      ServerOptions found = server(mixin);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
