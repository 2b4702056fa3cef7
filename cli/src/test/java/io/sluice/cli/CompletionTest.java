// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion scripts; that of bash in a shell, with a program that answers like sluice. */
class CompletionTest {
  private static final String ASK =
      """
      source "$1"; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      _sluice_complete 2> /dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """;

  @TempDir Path folder = Path.of("");

  private Path script;
  private Path sluice;

  @BeforeEach
  void writeScripts() throws Exception {
    Processes.Ended printed = Processes.run(folder, "completion", "bash");
    assertThat(printed.exitCode()).as(printed.text()).isZero();
    script = Files.writeString(folder.resolve("completion.bash"), printed.text());
    Files.writeString(folder.resolve("ask.bash"), ASK);
    sluice =
        Files.writeString(
            folder.resolve("sluice"),
            """
            #!/bin/sh
            [ "$SLUICE_NO_BUILD" = 1 ] || exit 1
            case $2 in
              jobs) echo 'sweep train ' ;;
              localqueues) echo 'main' ;;
              workloadpriorityclasses) echo 'low high' ;;
              cq) echo 'research training' ;;
              runs) exec sleep 60 ;;
              --complete) echo "$3.metadata $3.spec" ;;
            esac
            """);
    Files.setPosixFilePermissions(sluice, PosixFilePermissions.fromString("rwx------"));
  }

  private List<String> complete(String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 4];
    command[0] = "bash";
    command[1] = folder.resolve("ask.bash").toString();
    command[2] = script.toString();
    command[3] = sluice.toString();
    System.arraycopy(words, 0, command, 4, words.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().filter(line -> !line.isBlank()).map(String::strip).toList();
  }

  @Test
  void commandsOptionsKindsAndNamesAreCompletedInBash() throws Exception {
    assertThat(complete("expl")).containsExactly("explain", "explain-field");
    assertThat(complete("run", "sta")).containsExactly("start");
    assertThat(complete("get", "--all")).containsExactly("--all-namespaces");
    assertThat(complete("get", "cl")).containsExactly("clusterqueues");
    assertThat(complete("get", "cq", "re")).containsExactly("research");
    assertThat(complete("cancel", "")).containsExactly("sweep", "train");
    assertThat(complete("edit", "p")).containsExactly("pipelines");
    assertThat(complete("submit", "-q", "")).containsExactly("main");
    assertThat(complete("submit", "--priority", "h")).containsExactly("high");
    assertThat(complete("explain-field", "job")).containsExactly("job.metadata", "job.spec");
  }

  @Test
  void aServerThatDoesNotAnswerIsNotWaitedFor() throws Exception {
    long begun = System.nanoTime();
    assertThat(complete("run", "show", "x")).isEmpty();
    assertThat(System.nanoTime() - begun).isLessThan(30_000_000_000L);
  }

  @Test
  void fishHasEveryCommandAndItsOptions() throws Exception {
    Processes.Ended printed = Processes.run(folder, "completion", "fish");
    assertThat(printed.exitCode()).isZero();
    assertThat(printed.text().lines())
        .contains(
            "complete -c sluice -n '__sluice_after' -f -a cancel -d 'Cancels jobs'",
            "complete -c sluice -n '__sluice_after run' -f -a start"
                + " -d 'Starts a run of a pipeline'",
            "complete -c sluice -n '__sluice_at cancel' -f -a '(__sluice_names jobs)'",
            "complete -c sluice -n '__sluice_at get' -s w -l watch"
                + " -d 'Print a line for each change, until interrupted'")
        .noneMatch(line -> line.contains("${"));
    assertThat(Processes.run(folder, "completion", "csh").exitCode()).isEqualTo(2);
  }
}
