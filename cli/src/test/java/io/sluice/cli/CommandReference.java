// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.options.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Writes the reference of all commands in Markdown, from what picocli knows of them. */
final class CommandReference {
  private static final int SYNOPSIS_WIDTH = 100;

  private final StringBuilder text = new StringBuilder();

  private CommandReference() {}

  /** A section for each command, and one for the options that name a server. */
  static String of(CommandLine root) {
    CommandReference reference = new CommandReference();
    reference.serverOptions(root);
    for (CommandLine command : commands(root)) {
      reference.add(command);
    }
    return reference.text.toString();
  }

  private void serverOptions(CommandLine root) {
    CommandSpec any =
        commands(root).stream()
            .map(CommandLine::getCommandSpec)
            .filter(CommandReference::asksServer)
            .findFirst()
            .orElseThrow();
    text.append("### Options that name a server\n\n");
    text.append("Every command with `SERVER` in its first line takes these.\n\n");
    head("option");
    any.options().stream().filter(CommandReference::namesServer).forEach(this::row);
  }

  private void add(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    String name = spec.qualifiedName().substring("sluice ".length());
    text.append("\n### ").append(name).append("\n\n");
    UsageMessageSpec usage = spec.usageMessage();
    String description = String.join(" ", usage.description());
    text.append(escaped(description)).append("\n\n");
    text.append("```text\n").append(synopsis(command)).append("```\n");
    List<OptionSpec> options =
        spec.options().stream()
            .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
            .filter(option -> !asksServer(spec) || !namesServer(option))
            .toList();
    if (!spec.positionalParameters().isEmpty()) {
      text.append('\n');
      head("parameter");
      spec.positionalParameters().forEach(this::row);
    }
    if (!options.isEmpty()) {
      text.append('\n');
      head("option");
      options.forEach(this::row);
    }
    footer(usage);
  }

  private void footer(UsageMessageSpec usage) {
    String footer = String.join("\n", usage.footer()).strip();
    if (!footer.isEmpty()) {
      text.append("\n```text\n").append(footer).append("\n```\n");
    }
  }

  private void head(String what) {
    text.append("| ").append(what).append(" | meaning |\n|---|---|\n");
  }

  private void row(ArgSpec argument) {
    text.append("| ").append(names(argument)).append(" | ");
    text.append(escaped(meaning(argument)).replace("|", "\\|")).append(" |\n");
  }

  private static String names(ArgSpec argument) {
    String label = argument.arity().max() == 0 ? "" : argument.paramLabel();
    if (argument instanceof PositionalParamSpec) {
      return "`" + label + "`";
    }
    String value = label.isEmpty() ? "" : " " + label;
    return List.of(((OptionSpec) argument).names()).stream()
        .map(name -> "`" + name + value + "`")
        .collect(Collectors.joining(", "));
  }

  private static String meaning(ArgSpec argument) {
    String meaning = String.join(" ", argument.description());
    String candidates =
        argument.completionCandidates() == null
            ? ""
            : StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                .collect(Collectors.joining(", "));
    return meaning
        .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
        .replace("${COMPLETION-CANDIDATES}", candidates);
  }

  /** The first lines of the usage, with one word for the options that name a server. */
  private static String synopsis(CommandLine command) {
    command.setUsageHelpAutoWidth(false);
    command.setUsageHelpWidth(SYNOPSIS_WIDTH);
    command.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    CommandSpec spec = command.getCommandSpec();
    String synopsis = command.getHelp().synopsis(0);
    if (!asksServer(spec)) {
      return synopsis;
    }
    String words = synopsis.strip().replaceAll("\\s+", " ");
    for (OptionSpec option : spec.options()) {
      if (namesServer(option)) {
        words = words.replace(" [" + option.longestName() + "=" + option.paramLabel() + "]", "");
      }
    }
    return wrapped(words.replace(spec.qualifiedName(), spec.qualifiedName() + " [SERVER]"));
  }

  private static String wrapped(String words) {
    StringBuilder lines = new StringBuilder();
    int width = 0;
    // A break inside brackets would part an option from its value.
    for (String word : words.split(" (?=\\[)|(?<=\\]) ", -1)) {
      if (width > 0 && width + 1 + word.length() > SYNOPSIS_WIDTH) {
        lines.append("\n    ");
        width = 4;
      } else if (width > 0) {
        lines.append(' ');
        width++;
      }
      lines.append(word);
      width += word.length();
    }
    return lines.append('\n').toString();
  }

  private static boolean asksServer(CommandSpec spec) {
    return spec.mixins().values().stream()
        .anyMatch(mixin -> mixin.userObject() instanceof ServerOptions);
  }

  private static boolean namesServer(OptionSpec option) {
    return List.of("--context", "--server", "--data", "--token-file")
        .contains(option.longestName());
  }

  private static String escaped(String words) {
    return words.replace("<", "&lt;").strip();
  }

  /** All commands below one, in the order of its help, each group before its members. */
  private static List<CommandLine> commands(CommandLine above) {
    List<CommandLine> commands = new ArrayList<>();
    for (CommandLine command : above.getSubcommands().values()) {
      if (!(command.getCommand() instanceof HelpCommand)) {
        commands.add(command);
        commands.addAll(commands(command));
      }
    }
    return commands;
  }
}
