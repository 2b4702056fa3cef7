// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server's main process (its postmaster). It is no child of ours: pg_ctl starts it in a session
 * of its own, so that Ctrl-C in a terminal does not reach it. It also outlives us if we are killed.
 */
record ServerProcess(long pid, Path data) {
  /** The process in postmaster.pid, running or not. Empty also while the file is being written. */
  static Optional<ServerProcess> recorded(Path data) throws IOException {
    Path file = pidFile(data);
    try (Stream<String> lines = Files.lines(file)) {
      // A server in single-user mode writes its pid with a minus sign.
      return lines
          .findFirst()
          .filter(line -> line.matches("-?[1-9][0-9]{0,9}"))
          .map(line -> new ServerProcess(Math.abs(Long.parseLong(line)), data));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  static Path pidFile(Path data) {
    return data.resolve("postmaster.pid");
  }

  /**
   * Whether the process with this pid is a PostgreSQL of this data directory, and not another
   * process that reuses the pid. A zombie has no command line and does not count.
   */
  boolean isRunning() {
    List<String> words = commandLine();
    return !words.isEmpty() && words.get(0).endsWith("postgres") && words.contains(data.toString());
  }

  /**
   * Shuts the server down fast (aborts transactions, writes committed data). If that exceeds {@code
   * limit}, shuts it down at once (the next start recovers).
   *
   * @return false if it still runs when {@code limit} has passed a second time
   */
  boolean stop(ServerPrograms programs, CommandRunner runner, Duration limit) throws IOException {
    for (String signal : List.of("INT", "QUIT")) {
      if (!isRunning()) {
        return true;
      }
      runner.run(CommandRunner.PROBE_LIMIT, programs.pgCtl(), "kill", signal, Long.toString(pid));
      if (Waiting.until(this::hasEnded, limit)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The command line vanishes first; until the process is a zombie or gone, it may hold its port.
   */
  private boolean hasEnded() {
    return !isRunning() && (ProcessHandle.of(pid).isEmpty() || isZombie());
  }

  private boolean isZombie() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * From /proc, which every user can read, unlike the data of ProcessHandle; without /proc, from
   * that.
   */
  private List<String> commandLine() {
    Path file = Path.of("/proc", Long.toString(pid), "cmdline");
    try {
      if (Files.isDirectory(Path.of("/proc/self"))) {
        byte[] words = Files.readAllBytes(file);
        return words.length == 0
            ? List.of()
            : Arrays.asList(new String(words, StandardCharsets.UTF_8).split("\0"));
      }
    } catch (IOException e) {
      return List.of();
    }
    return ProcessHandle.of(pid).map(ProcessHandle::info).stream()
        .flatMap(
            info ->
                Stream.concat(
                    info.command().stream(), info.arguments().stream().flatMap(Arrays::stream)))
        .toList();
  }
}
