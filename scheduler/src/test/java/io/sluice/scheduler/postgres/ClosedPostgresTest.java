// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a closed PostgreSQL leaves behind. */
@Isolated("other tests start processes and threads too")
class ClosedPostgresTest {
  @Test
  void neitherProcessesNorThreadsNorFilesAreLeft() throws IOException {
    try (PassableDirectory directory = PassableDirectory.create()) {
      EmbeddedPostgres.start(directory.path(), PostgresSettings.forKeptData()).close();
      assertThat(ProcessHandle.current().children()).isEmpty();
      assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
          .noneMatch(name -> name.contains("postgres"));
      try (var entries = Files.list(directory.path())) {
        assertThat(entries.map(entry -> entry.getFileName().toString()))
            .filteredOn(name -> !name.startsWith("binaries-"))
            .containsExactlyInAnyOrder(
                "data", "password", "pg_hba.conf", "postgresql.conf", "server.log");
      }
    }
  }
}
