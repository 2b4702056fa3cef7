// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.completion;

import io.sluice.cli.edit.ObjectPath;
import io.sluice.cli.options.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Tells which names complete the arguments of a command, by the labels of its parameters. */
final class Completions {
  /** The names of a list; hosts, slices and runs have no metadata. */
  static final String TEMPLATE = "jsonpath={.items[*].metadata.name} {.items[*].name}";

  /** The longest wait for names. */
  static final int SECONDS = 2;

  private static final Map<String, Kinds> KINDS =
      Map.of(
          "JOB", Kinds.JOBS,
          "RUN", Kinds.RUNS,
          "PIPELINE", Kinds.PIPELINES,
          "QUEUE", Kinds.LOCAL_QUEUES,
          "CLASS", Kinds.PRIORITY_CLASSES);

  private Completions() {}

  /** Returns the kinds that a command takes, separated by spaces. */
  static String kinds(CommandSpec spec) {
    Predicate<Kinds> taken =
        switch (spec.name()) {
          case "edit", "delete" -> ObjectPath::isStored;
          case "history" -> kind -> kind == Kinds.FLEET;
          default -> kind -> true;
        };
    return String.join(" ", Stream.of(Kinds.values()).filter(taken).map(Kinds::plural).toList());
  }

  /** Returns the kind of the objects that a parameter or option names; null: none. */
  static @Nullable Kinds kind(String label) {
    return KINDS.get(label);
  }

  /** Whether a command takes a kind, then names of that kind. */
  static boolean takesKind(CommandSpec spec) {
    return spec.positionalParameters().stream()
        .anyMatch(parameter -> parameter.paramLabel().equals("KIND"));
  }

  /** Whether a command takes the path of a field, as {@code explain-field} does. */
  static boolean takesField(CommandSpec spec) {
    return spec.positionalParameters().stream()
        .anyMatch(parameter -> parameter.paramLabel().equals("PATH"));
  }

  /** Returns the kind of the objects that the first parameter of a command names; null: none. */
  static @Nullable Kinds first(CommandSpec spec) {
    List<PositionalParamSpec> parameters = spec.positionalParameters();
    return parameters.isEmpty() ? null : kind(parameters.get(0).paramLabel());
  }

  /** Returns all commands below one by their words, such as {@code run start}. */
  static Map<String, CommandSpec> commands(CommandLine above) {
    Map<String, CommandSpec> commands = new LinkedHashMap<>();
    add(above, new ArrayList<>(), commands);
    return commands;
  }

  private static void add(
      CommandLine above, List<String> words, Map<String, CommandSpec> commands) {
    for (CommandLine command : above.getSubcommands().values()) {
      words.add(command.getCommandName());
      commands.put(String.join(" ", words), command.getCommandSpec());
      add(command, words, commands);
      words.remove(words.size() - 1);
    }
  }
}
