// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.completion;

import io.sluice.cli.options.WrongUsageException;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
    name = "completion",
    description =
        "Prints a script that completes commands, options, kinds and names in a shell. Names come "
            + "from the server, if it answers within two seconds.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "bash:  source <(sluice completion bash)",
      "zsh:   source <(sluice completion zsh)",
      "fish:  sluice completion fish | source"
    })
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class CompletionCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  String shell;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    System.out.print(
        switch (shell) {
          // The script of picocli loads bashcompinit in zsh.
          case "bash", "zsh" ->
              AutoComplete.bash(root.getCommandName(), root) + BashNames.script(root);
          case "fish" -> FishScript.of(root);
          default ->
              throw new WrongUsageException("SHELL must be bash, zsh or fish, it is " + shell);
        });
    System.out.flush();
    return 0;
  }
}
