// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server that a command uses, while one starts and while none runs. */
@SuppressWarnings("NullAway.Init") // JUnit fills the field.
class ServerAddressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long NO_PROCESS = Long.MAX_VALUE;

  @TempDir Path data;

  private ServerAddress find(Duration patience) {
    ServerAddress.Asked asked = new ServerAddress.Asked(null, data, null, null);
    return ServerAddress.find(asked, Map.of(), patience);
  }

  private void announce(long pid) throws IOException {
    Path made =
        Files.writeString(
            data.resolve("made"), "{\"url\":\"http://127.0.0.1:9\",\"pid\":" + pid + "}");
    Files.move(made, data.resolve("server.json"));
  }

  private void starting(long pid) throws IOException {
    Files.writeString(data.resolve("starting.json"), "{\"pid\":" + pid + "}");
  }

  @Test
  void aDirectoryWithoutAServerIsNamedWithWhatToDo() throws Exception {
    assertThatThrownBy(() -> find(PATIENCE))
        .isInstanceOf(ClientException.class)
        .hasMessageContaining("no server runs on the data directory " + data)
        .hasMessageContaining("./sluice up --data " + data);
    announce(NO_PROCESS);
    starting(NO_PROCESS);
    assertThatThrownBy(() -> find(PATIENCE)).hasMessageContaining("no server runs on");
  }

  @Test
  void theDirectoryOfTheEnvironmentIsNotPassedOverForTheDefaultAddress() {
    Map<String, String> environment = Map.of("SLUICE_DATA", data.toString());
    ServerAddress.Asked nothing = new ServerAddress.Asked(null, null, null, null);
    assertThatThrownBy(() -> ServerAddress.find(nothing, environment, PATIENCE))
        .hasMessageContaining(data.toString());
  }

  @Test
  void aServerThatIsStartingIsWaitedFor() throws Exception {
    starting(ProcessHandle.current().pid());
    Thread server =
        new Thread(
            () -> {
              try {
                announce(ProcessHandle.current().pid());
              } catch (IOException failure) {
                throw new IllegalStateException(failure);
              }
            });
    server.start();
    ServerAddress found = find(PATIENCE);
    server.join();
    assertThat(found.url()).isEqualTo(URI.create("http://127.0.0.1:9"));
  }

  @Test
  void theWaitHasAnEnd() throws Exception {
    starting(ProcessHandle.current().pid());
    assertThatThrownBy(() -> find(Duration.ofMillis(300)))
        .isInstanceOf(ClientException.class)
        .hasMessageContaining("has been starting for more than")
        .hasMessageContaining(data.toString());
  }
}
