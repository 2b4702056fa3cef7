// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.scheduler.execution.local.process.ProcessTable.Remains;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Sends signals to processes and process groups. A signal to a group also reaches children that are
 * being forked; the JDK cannot send one, a shell's {@code kill} can.
 */
public final class ProcessSignals {
  private static final Logger LOG = System.getLogger(ProcessSignals.class.getName());
  private static final String KILL_GROUPS = "kill -s \"$0\" -- \"$@\" 2>/dev/null; exit 0";
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Path shell;
  private final ProcessTable table;

  public ProcessSignals(Path shell, ProcessTable table) {
    this.shell = shell;
    this.table = table;
  }

  /** The signals that the executor sends. */
  public enum Signal {
    TERM,
    KILL
  }

  /** Sends the signal to all these processes; skips those that have ended. */
  public void send(Signal signal, Collection<Remains> found) {
    List<String> command = new ArrayList<>(List.of(shell.toString(), "-c", KILL_GROUPS));
    command.add(signal.name());
    int fixed = command.size();
    for (Remains remains : found) {
      for (long group : remains.groups()) {
        if (group <= 1) { // to kill, -1 would mean every process
          throw new IllegalStateException("no attempt has the process group " + group);
        }
        command.add("-" + group);
      }
      remains.strays().forEach(stray -> sendTo(stray, signal));
    }
    if (command.size() == fixed) {
      return;
    }
    try {
      Tool.run(command, LIMIT);
    } catch (IOException notRun) {
      LOG.log(Level.WARNING, "Process groups are signalled one by one: " + notRun.getMessage());
      for (Remains remains : found) {
        remains.members().forEach(member -> sendTo(member, signal));
      }
    }
  }

  private void sendTo(ProcessMark process, Signal signal) {
    ProcessHandle handle = ProcessHandle.of(process.pid()).orElse(null);
    OptionalLong start = table.startOf(process.pid());
    if (handle == null || start.isEmpty() || start.getAsLong() != process.start()) {
      return;
    }
    boolean unused =
        switch (signal) {
          case TERM -> handle.destroy();
          case KILL -> handle.destroyForcibly();
        };
  }
}
