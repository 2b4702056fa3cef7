// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
  @Test
  void theLastFatalLineIsTheReasonWithItsDetailAndHint() {
    LogTail tail =
        new LogTail(
            """
            2026-01-01 00:00:00.000 UTC [1] FATAL:  an earlier one
            2026-01-01 00:00:00.000 UTC [1] LOG:  starting PostgreSQL 17
            2026-01-01 00:00:00.000 UTC [1] PANIC:  could not write: No space left on device
            2026-01-01 00:00:00.000 UTC [1] DETAIL:  the disk is full
            2026-01-01 00:00:00.000 UTC [1] HINT:  free some
            2026-01-01 00:00:00.000 UTC [1] LOG:  database system is shut down
            """);

    assertThat(tail.reason())
        .isEqualTo("could not write: No space left on device; the disk is full; free some");
  }

  @Test
  void aProgramThatCannotBeLoadedIsQuotedByItsLastLines() {
    String line = "initdb: error while loading shared libraries: libz.so.1: cannot open";

    assertThat(new LogTail("\n" + line + "\n").reason()).isEqualTo(line);
    assertThat(new LogTail(" \n").reason()).isEqualTo("it says nothing");
  }

  @Test
  void atMostTheLast8KibibytesBehindTheOffsetAreRead(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("log"), "before" + "x".repeat(20_000) + "end");

    assertThat(LogTail.of(file, 0).text()).hasSize(8192).endsWith("xend");
    assertThat(LogTail.of(file, 20_006).text()).isEqualTo("end");
  }
}
