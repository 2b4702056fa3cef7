// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of processes and the metrics of a server say. */
class ProcessSamplerTest {
  private static final long SERVER = 41;
  private static final long DATABASE = 50;

  @TempDir Path proc = Path.of("");

  /** Writes the files of a process whose name has what else separates fields. */
  private void process(long pid, int userTicks, int childTicks, long peakKib, long pssKib)
      throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        folder.resolve("stat"),
        "%d (a ) b) S 1 %d %d 0 -1 4194560 9 9 9 9 %d 7 %d 3 20 0 1 0 99 9 9\n"
            .formatted(pid, pid, pid, userTicks, childTicks));
    Files.writeString(
        folder.resolve("status"),
        "Name:\tjava\nVmPeak:\t 999 kB\nVmHWM:\t %d kB\n".formatted(peakKib));
    Files.writeString(
        folder.resolve("smaps_rollup"),
        "0-f [rollup]\nRss: 900 kB\nPss:  %d kB\nPss_Anon: 1 kB\n".formatted(pssKib));
  }

  private void children(String pids) throws IOException {
    Path folder = proc.resolve(DATABASE + "/task/" + DATABASE);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("children"), pids);
  }

  @Test
  void cpuTimeIsThatOfThePeriodAndMemoryThePeak() throws IOException {
    process(SERVER, 100, 0, 2_048, 1);
    process(DATABASE, 10, 0, 1, 1_024);
    process(51, 20, 0, 1, 512);
    children("51 ");
    ProcessSampler sampler = ProcessSampler.start(new ProcessFiles(proc), SERVER, DATABASE);
    process(SERVER, 350, 0, 4_096, 1);
    // One process of the database has ended: its time is now that of its parent's children.
    process(DATABASE, 10, 20 + 7 + 3 + 40, 1, 1_024);
    children("");
    sampler.close();
    assertThat(sampler.server()).isEqualTo(new ProcessSampler.Use(2.5, 4.0));
    assertThat(sampler.database()).isEqualTo(new ProcessSampler.Use(0.4, 1.5));
  }

  @Test
  void aProcessThatEndsLeavesItsLastValues() throws IOException {
    process(SERVER, 100, 0, 2_048, 1);
    ProcessSampler sampler = ProcessSampler.start(new ProcessFiles(proc), SERVER, null);
    process(SERVER, 200, 0, 2_048, 1);
    sampler.sample();
    for (String file : new String[] {"stat", "status", "smaps_rollup"}) {
      Files.delete(proc.resolve(SERVER + "/" + file));
    }
    sampler.close();
    assertThat(sampler.server()).isEqualTo(new ProcessSampler.Use(1.0, 2.0));
    assertThat(sampler.database()).isNull();
  }

  @Test
  void withoutFilesNothingIsKnown() {
    ProcessSampler sampler =
        ProcessSampler.start(new ProcessFiles(proc.resolve("none")), SERVER, DATABASE);
    sampler.close();
    assertThat(sampler.server()).isNull();
    assertThat(sampler.database()).isNull();
  }

  @Test
  void theMainProcessOfTheDatabaseIsInItsFile() throws IOException {
    assertThat(ProcessSampler.databasePid(proc)).isNull();
    Path folder = Files.createDirectories(proc.resolve("postgres/data"));
    Files.writeString(folder.resolve("postmaster.pid"), "4711\n/data\n");
    assertThat(ProcessSampler.databasePid(proc)).isEqualTo(4_711);
    Files.writeString(folder.resolve("postmaster.pid"), "\n");
    assertThat(ProcessSampler.databasePid(proc)).isNull();
  }

  @Test
  void metricsAreAddedUpOverTheirSeries() throws IOException {
    String metrics =
        """
        # TYPE sluice_database_wal_bytes counter
        sluice_database_wal_bytes_total 1.5E3
        sluice_database_wal_bytes_total_other 7
        sluice_database_rows_written_total{table="job"} 12.0
        sluice_database_rows_written_total{table="a } b"} 30 1764324000
        jvm_threads 5
        """;
    assertThat(parse(metrics)).isEqualTo(new DatabaseWrites(1_500.0, 42.0));
    assertThat(parse("jvm_threads 5\n")).isEqualTo(new DatabaseWrites(null, null));
    assertThat(parse("sluice_database_wal_bytes_total x\n"))
        .isEqualTo(new DatabaseWrites(null, null));
  }

  private static DatabaseWrites parse(String metrics) throws IOException {
    return DatabaseWrites.parse(new ByteArrayInputStream(metrics.getBytes(StandardCharsets.UTF_8)));
  }
}
