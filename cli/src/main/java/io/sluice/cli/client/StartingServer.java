// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waits for the start of a server on a data directory. */
final class StartingServer {
  /** The longest wait: an embedded database may need time to recover. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final String STARTING_FILE = "starting.json";

  private final Path data;

  StartingServer(Path data) {
    this.data = data;
  }

  /**
   * Waits while a server starts on the directory.
   *
   * @return its address; null: no server runs on the directory
   * @throws UnreachableException if the server does not start in time, or ends before
   */
  @Nullable ServerAddress await(Duration patience) {
    ServerAddress announced = ServerAddress.announced(data);
    if (announced != null || !starting()) {
      return announced;
    }
    System.err.printf(
        "sluice: the server of %s is starting; waiting for it, %d s at most%n",
        data, patience.toSeconds());
    long begun = System.nanoTime();
    while (announced == null && System.nanoTime() - begun < patience.toNanos()) {
      boolean still = starting();
      pause();
      announced = ServerAddress.announced(data);
      if (announced == null && !still) {
        throw new UnreachableException(
            "the server of %s ended while it was starting; it printed the reason, and %s may have"
                    .formatted(data, data.resolve("server.log"))
                + " more");
      }
    }
    if (announced == null) {
      throw new UnreachableException(
          "the server of %s has been starting for more than %d s; %s may say why"
              .formatted(data, patience.toSeconds(), data.resolve("server.log")));
    }
    return announced;
  }

  /** Whether a live process announces that it is starting. */
  private boolean starting() {
    Path file = data.resolve(STARTING_FILE);
    try {
      return Files.isReadable(file)
          && ProcessHandle.of(new ObjectMapper().readTree(file.toFile()).path("pid").asLong(-1))
              .isPresent();
    } catch (IOException gone) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException("interrupted");
    }
  }
}
