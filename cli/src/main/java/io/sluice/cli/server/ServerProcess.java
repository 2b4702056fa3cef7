// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.server;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server with a database of its own on a data directory, which a command starts as a separate
 * process by the script {@code sluice up}. It listens on a free port of this machine.
 */
public final class ServerProcess {
  private static final Duration START_PATIENCE = Duration.ofSeconds(90);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int TAIL_LINES = 12;

  /** Makes the shell, and what it becomes, ignore the signal that Ctrl-C sends. */
  private static final List<String> WITHOUT_CTRL_C =
      List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  private final Process process;
  private final Launch launch;

  private ServerProcess(Process process, Launch launch) {
    this.process = process;
    this.launch = launch;
  }

  /**
   * What a server is started with.
   *
   * @param data data directory, an absolute path
   * @param fleet file of the fleet
   * @param printed file that gets what the server prints
   * @param ignoresCtrlC whether only the command ends the server: Ctrl-C sends its signal to all
   *     processes of the terminal
   */
  public record Launch(Path data, Path fleet, Path printed, boolean ignoresCtrlC) {}

  /** Starts the process; it does not answer yet. */
  public static ServerProcess launch(Launch launch) throws IOException {
    List<String> words = new ArrayList<>(launch.ignoresCtrlC() ? WITHOUT_CTRL_C : List.of());
    words.addAll(List.of(home().resolve("sluice").toString(), "up", "--end-jobs", "--port", "0"));
    words.addAll(List.of("--data", launch.data().toString()));
    words.addAll(List.of("--fleet", launch.fleet().toString()));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("SLUICE_NO_BUILD", "1");
    builder.environment().remove("SLUICE_DATABASE");
    builder.redirectErrorStream(true).redirectOutput(launch.printed().toFile());
    return new ServerProcess(builder.start(), launch);
  }

  /** Returns the directory of the script that starts servers. */
  public static Path home() {
    String home = System.getenv("SLUICE_HOME");
    if (home == null) {
      throw new ClientException("start this with the script ./sluice, which sets the paths");
    }
    return Path.of(home);
  }

  /**
   * Waits until the server answers.
   *
   * @throws ClientException with the last lines that it printed, if it does not start
   */
  public ServerAddress awaitAddress() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - begun < START_PATIENCE.toNanos()) {
      ServerAddress address = announced();
      if (address != null) {
        return address;
      }
      Thread.sleep(POLL.toMillis());
    }
    process.destroy();
    throw new ClientException(
        "the server did not start: " + String.join(System.lineSeparator(), printed(TAIL_LINES)));
  }

  /** Returns the last lines that the server has printed. */
  public List<String> printed(int linesMax) throws IOException {
    List<String> lines = Files.readAllLines(launch.printed(), StandardCharsets.UTF_8);
    return List.copyOf(lines.subList(Math.max(0, lines.size() - linesMax), lines.size()));
  }

  /** Returns the address that this process announced; ignores that of an earlier server. */
  private @Nullable ServerAddress announced() {
    return process.isAlive() ? ServerAddress.announced(launch.data()) : null;
  }

  /** Requests the end of the server, and does not wait for it. */
  public void requestEnd() {
    process.destroy();
  }

  /** Kills the server as a crash would, and waits for it. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Waits until the server has ended. */
  public void awaitEnd() throws InterruptedException {
    process.waitFor();
  }

  /**
   * Waits for the end of the server for a time.
   *
   * @return its exit code; null: it still runs
   */
  public @Nullable Integer exitCode(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : null;
  }

  /** Stops the server and waits for it; kills it if it does not stop in time. */
  public void end() throws InterruptedException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      throw interrupted;
    }
  }
}
