// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnreachableException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that are repeated while the server is away. */
class ReconnectionTest {
  private static final ServerClient NOBODY =
      new ServerClient(new ServerAddress(URI.create("http://127.0.0.1:1"), null));

  @TempDir Path data = Path.of("");

  private final ShortTime time = new ShortTime();

  private JsonNode nobody() {
    return NOBODY.get("/v1/server");
  }

  @Test
  void aServerThatNeverAnsweredIsNotAskedAgain() {
    Reconnection reconnection = new Reconnection(NOBODY, time);
    assertThatThrownBy(() -> reconnection.read(this::nobody))
        .isInstanceOf(UnreachableException.class);
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void pausesGrowToThreeSecondsAndEndAfterAMinute() throws Exception {
    Reconnection reconnection = new Reconnection(NOBODY, time);
    assertThat(reconnection.read(() -> "here")).isEqualTo("here");
    assertThatThrownBy(() -> reconnection.read(this::nobody))
        .isInstanceOf(UnreachableException.class);
    assertThat(time.pauses().stream().map(Duration::toMillis)).startsWith(200L, 300L, 450L);
    assertThat(time.pauses()).allMatch(pause -> pause.compareTo(Duration.ofSeconds(3)) <= 0);
    assertThat(Duration.ofNanos(time.nanos()))
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(63));
  }

  @Test
  void silenceCountsOverReadsWhosePatienceEnds() throws Exception {
    Reconnection reconnection = new Reconnection(NOBODY, time);
    reconnection.read(() -> "here");
    for (int second = 0; second < 50; second++) {
      assertThat(reconnection.read(this::nobody, Duration.ofSeconds(1))).isEmpty();
    }
    assertThatThrownBy(() -> reconnection.read(this::nobody, Duration.ofSeconds(20)))
        .isInstanceOf(UnreachableException.class);
    reconnection.read(() -> "here");
    assertThat(reconnection.read(this::nobody, Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void aServerThatStartsIsAskedAgainAndARefusalIsFinal() throws Exception {
    try (JournalServer server = new JournalServer()) {
      ServerClient client = server.client();
      Reconnection reconnection = new Reconnection(client, time);
      server.job("train", "PENDING");
      reconnection.read(() -> client.get("/v1/jobs/train"));
      server.refuse(3);
      assertThat(reconnection.read(() -> client.get("/v1/jobs/train")).path("id").asText())
          .isEqualTo("train");
      assertThat(time.pauses()).hasSize(3);
      assertThatThrownBy(() -> reconnection.read(() -> client.get("/v1/jobs/other")))
          .isInstanceOf(RefusedException.class);
      assertThat(time.pauses()).hasSize(3);
    }
  }

  @Test
  void aServerThatRestartsOnAnotherPortIsFoundByItsDirectory() throws Exception {
    try (JournalServer server = new JournalServer()) {
      server.announce(data);
      ServerClient client = new ServerClient(Objects.requireNonNull(ServerAddress.announced(data)));
      Reconnection reconnection = new Reconnection(client, time);
      server.job("train", "PENDING");
      reconnection.read(() -> client.get("/v1/jobs/train"));
      URI before = client.server();
      server.restart();
      server.announce(data);
      reconnection.read(() -> client.get("/v1/jobs/train"));
      assertThat(client.server()).isEqualTo(server.url()).isNotEqualTo(before);
    }
  }
}
