// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Features of this machine for running pods; detected once.
 *
 * @param shell a POSIX shell
 * @param session command that makes the command that follows the leader of a new process group
 * @param table the process table
 */
public record Platform(Path shell, List<String> session, ProcessTable table) {
  private static final Path PROC = Path.of("/proc");
  private static final Path SHELL = Path.of("/bin/sh");
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);

  /**
   * Job control creates the process group; the shell stays to pass on the exit code. Its own
   * messages about that are not output of the pod.
   */
  private static final String GROUP_BY_SHELL =
      "exec 3>&2 2>/dev/null; set -m; \"$@\" <&0 2>&3 3>&- & exec 0<&- 3>&-; wait \"$!\"";

  public Platform {
    session = List.copyOf(session);
  }

  /** Returns the command that runs a script; the caller adds arguments. */
  public List<String> script(String text) {
    return new ArrayList<>(List.of(shell.toString(), "-c", text, shell.toString()));
  }

  /** Returns the program that renames a file. */
  public String rename() {
    return Tool.find("mv").map(Path::toString).orElse("mv");
  }

  /** Returns the program that syncs one file; empty if this machine has none. */
  public String sync() {
    return Files.isDirectory(PROC) ? Tool.find("sync").map(Path::toString).orElse("") : "";
  }

  /**
   * Detects this machine.
   *
   * @param executorId the executor's id, which pods carry
   */
  public static Platform find(String executorId) {
    List<String> session = new ArrayList<>(defaultSignals());
    Optional<Path> setsid = Tool.find("setsid");
    session.addAll(setsid.isPresent() ? List.of(setsid.get().toString()) : groupByShell(SHELL));
    return new Platform(
        SHELL,
        session,
        LinuxProcessTable.readable(PROC)
            ? new LinuxProcessTable(PROC, executorId)
            : new PortableProcessTable(SHELL));
  }

  /**
   * Returns a command that restores SIGINT. A server that a script started in the background
   * ignores SIGINT, and so would its children; no shell can undo that. Empty if this machine's
   * {@code env} cannot either.
   */
  private static List<String> defaultSignals() {
    Optional<Path> env = Tool.find("env");
    if (env.isEmpty()) {
      return List.of();
    }
    List<String> command =
        List.of(env.get().toString(), "--default-signal=HUP,INT,QUIT,PIPE,TERM,USR1,USR2");
    List<String> probe = new ArrayList<>(command);
    probe.addAll(List.of(SHELL.toString(), "-c", ":"));
    try {
      return Tool.run(probe, PROBE_LIMIT).exitCode() == 0 ? command : List.of();
    } catch (IOException unable) {
      return List.of();
    }
  }

  public static List<String> groupByShell(Path shell) {
    return List.of(shell.toString(), "-c", GROUP_BY_SHELL, shell.toString());
  }

  /** Returns the command in a process group of its own. */
  public List<String> inGroup(List<String> command) {
    List<String> whole = new ArrayList<>(session);
    whole.addAll(command);
    return whole;
  }
}
