// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.completion;

import io.sluice.cli.options.Kinds;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The script for fish: one {@code complete} for each command, option and kind of names. */
final class FishScript {
  private static final String FUNCTIONS =
      """
      # Completions of sluice for fish.

      # Whether the words that are not options begin with these.
      function __sluice_at
          set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
          test (count $words) -ge (count $argv); or return 1
          for i in (seq (count $argv))
              test "$words[$i]" = "$argv[$i]"; or return 1
          end
      end

      # Whether the words that are not options are these and no others.
      function __sluice_after
          set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
          test (count $words) -eq (count $argv); and __sluice_at $argv
      end

      function __sluice_names
          command -q timeout; or return
          set -lx SLUICE_NO_BUILD 1
          timeout %d (commandline -opc)[1] get $argv[1] -o '%s' 2> /dev/null | string split -n ' '
      end

      function __sluice_fields
          command -q timeout; or return
          set -lx SLUICE_NO_BUILD 1
          timeout %d (commandline -opc)[1] explain-field --complete (commandline -ct) 2> /dev/null
      end

      function __sluice_names_of_kind
          __sluice_names (string match -v -- '-*' (commandline -opc)[2..-1])[2]
      end

      """;

  private final StringBuilder script = new StringBuilder();

  private FishScript() {}

  static String of(CommandLine root) {
    FishScript made = new FishScript();
    made.script.append(
        FUNCTIONS.formatted(Completions.SECONDS, Completions.TEMPLATE, Completions.SECONDS));
    for (Map.Entry<String, CommandSpec> command : Completions.commands(root).entrySet()) {
      made.add(command.getKey(), command.getValue());
    }
    return made.script.toString();
  }

  private void add(String words, CommandSpec spec) {
    int space = words.lastIndexOf(' ');
    String above = space < 0 ? "" : " " + words.substring(0, space);
    line("__sluice_after" + above, "-f -a " + spec.name(), spec.usageMessage().description());
    String here = "__sluice_at " + words;
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        line(here, option(option), option.description());
      }
    }
    Kinds kind = Completions.first(spec);
    if (Completions.takesKind(spec)) {
      line("__sluice_after " + words, "-f -a '" + Completions.kinds(spec) + "'");
      line("__sluice_at " + words, "-f -a '(__sluice_names_of_kind)'");
    } else if (Completions.takesField(spec)) {
      line("__sluice_after " + words, "-f -a '(__sluice_fields)'");
    } else if (kind != null) {
      line("__sluice_at " + words, "-f -a '(__sluice_names " + kind.plural() + ")'");
    }
  }

  private static String option(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      names.append(isLong ? "-l " : "-s ").append(name.replaceFirst("^--?", "")).append(' ');
    }
    if (option.arity().max() > 0) {
      Kinds kind = Completions.kind(option.paramLabel());
      names.append(kind == null ? "-r " : "-x -a '(__sluice_names " + kind.plural() + ")' ");
    }
    return names.toString().strip();
  }

  private void line(String condition, String completion, String... description) {
    script.append("complete -c sluice -n '").append(condition).append("' ").append(completion);
    String words = String.join(" ", description);
    String sentence = words.replaceFirst("\\.(\\s.*)?$", "");
    if (!sentence.isEmpty()) {
      script
          .append(" -d '")
          .append(sentence.replace("\\", "\\\\").replace("'", "\\'"))
          .append('\'');
    }
    script.append('\n');
  }
}
