// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.completion;

import io.sluice.cli.options.Kinds;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The part of the script for bash that completes kinds and names. It runs where picocli's function
 * has no completions. Without the program {@code timeout} there are no names.
 */
final class BashNames {
  private static final String SCRIPT =
      """

      # Prints the kind whose names complete the current word, or all kinds.
      _sluice_words() {
        case "${COMP_WORDS[COMP_CWORD-1]}" in
      %s    -*) return ;;
        esac
        case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
      %s  esac
      }

      _sluice_kind_or_names() {
        if [ "$COMP_CWORD" -eq 2 ]; then
          echo "$1"
        else
          _sluice_names "${COMP_WORDS[2]}"
        fi
      }

      _sluice_names() {
        command -v timeout > /dev/null || return
        SLUICE_NO_BUILD=1 timeout %d "${COMP_WORDS[0]}" get "$1" -o '%s' 2> /dev/null
      }

      _sluice_fields() {
        command -v timeout > /dev/null || return
        SLUICE_NO_BUILD=1 timeout %d "${COMP_WORDS[0]}" explain-field --complete \
          "${COMP_WORDS[COMP_CWORD]}" 2> /dev/null
      }

      _sluice_complete() {
        _complete_sluice
        local current="${COMP_WORDS[COMP_CWORD]}"
        if [ "${#COMPREPLY[@]}" -eq 0 ] && [ "${current#-}" = "$current" ]; then
          local IFS=$' \\t\\n'
          COMPREPLY=($(compgen -W "$(_sluice_words)" -- "$current"))
          # A path may continue with a dot.
          [ "${COMP_WORDS[1]}" != explain-field ] || compopt -o nospace 2> /dev/null
        fi
      }

      complete -F _sluice_complete -o default sluice
      """;

  private BashNames() {}

  static String script(CommandLine root) {
    StringBuilder commands = new StringBuilder();
    Set<String> options = new LinkedHashSet<>();
    for (Map.Entry<String, CommandSpec> command : Completions.commands(root).entrySet()) {
      CommandSpec spec = command.getValue();
      boolean single = command.getKey().indexOf(' ') < 0;
      String pattern = "'" + command.getKey() + "'" + (single ? "\\ *" : "");
      Kinds kind = Completions.first(spec);
      if (Completions.takesKind(spec)) {
        commands
            .append("    ")
            .append(pattern)
            .append(") _sluice_kind_or_names '")
            .append(Completions.kinds(spec))
            .append("' ;;\n");
      } else if (Completions.takesField(spec)) {
        commands.append("    ").append(pattern).append(") _sluice_fields ;;\n");
      } else if (kind != null) {
        commands
            .append("    ")
            .append(pattern)
            .append(") _sluice_names ")
            .append(kind.plural())
            .append(" ;;\n");
      }
      for (OptionSpec option : spec.options()) {
        Kinds named = Completions.kind(option.paramLabel());
        if (named != null) {
          String names = String.join("|", option.names());
          options.add("    " + names + ") _sluice_names " + named.plural() + "; return ;;\n");
        }
      }
    }
    return SCRIPT.formatted(
        String.join("", options),
        commands,
        Completions.SECONDS,
        Completions.TEMPLATE,
        Completions.SECONDS);
  }
}
