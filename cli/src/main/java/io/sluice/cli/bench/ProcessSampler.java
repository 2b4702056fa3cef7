// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the CPU time and the peak memory of a server on this machine and of its embedded
 * database, by samples: a process that ends in the course of the run leaves its last values. The
 * database is its main process, which the server leaves on its own, and the children of that.
 */
final class ProcessSampler implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** The memory of the database takes longer to read, so it is read once a second. */
  private static final int SAMPLES_PER_MEMORY = 2;

  private final ProcessFiles files;
  private final Thread thread = new Thread(this::sampleAll, "bench-processes");

  // Guarded by this.
  private final Measured server;
  private final Measured database;
  private int samples;
  private boolean closed;

  /**
   * The use of one or more processes in a period.
   *
   * @param cpuSeconds of the period; null: unknown
   * @param peakMebibytes most memory so far; null: unknown
   */
  record Use(@Nullable Double cpuSeconds, @Nullable Double peakMebibytes) {}

  /** The values of the server, or of the database, as they grow. */
  private static final class Measured {
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;

    private final @Nullable Long pid;
    private @Nullable Double cpuAtStart;
    private double cpuNow;
    private long peakBytes;

    Measured(@Nullable Long pid) {
      this.pid = pid;
    }

    void cpu(@Nullable Double seconds) {
      if (seconds != null) {
        cpuAtStart = cpuAtStart == null ? seconds : cpuAtStart;
        cpuNow = Math.max(cpuNow, seconds);
      }
    }

    void memory(@Nullable Long bytes) {
      peakBytes = bytes == null ? peakBytes : Math.max(peakBytes, bytes);
    }

    @Nullable Use use() {
      if (cpuAtStart == null && peakBytes == 0) {
        return null;
      }
      return new Use(
          cpuAtStart == null ? null : cpuNow - cpuAtStart,
          peakBytes == 0 ? null : peakBytes / BYTES_PER_MEBIBYTE);
    }
  }

  private ProcessSampler(ProcessFiles files, @Nullable Long server, @Nullable Long database) {
    this.files = files;
    this.server = new Measured(server);
    this.database = new Measured(database);
    thread.setDaemon(true);
  }

  /**
   * Starts to measure.
   *
   * @param server process id of the server; null: it is on another machine
   * @param database process id of the main process of its database; null: it is not embedded
   */
  static ProcessSampler start(ProcessFiles files, @Nullable Long server, @Nullable Long database) {
    ProcessSampler sampler = new ProcessSampler(files, server, database);
    sampler.sample();
    sampler.thread.start();
    return sampler;
  }

  /** Returns the main process of the embedded database of a data directory; null: unknown. */
  static @Nullable Long databasePid(Path data) {
    Path file = data.resolve("postgres").resolve("data").resolve("postmaster.pid");
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
      return lines.isEmpty() ? null : Long.valueOf(lines.get(0).strip());
    } catch (IOException | NumberFormatException unreadable) {
      return null;
    }
  }

  private synchronized void sampleAll() {
    try {
      while (!closed) {
        sample();
        wait(PERIOD.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes a sample. */
  synchronized void sample() {
    Long one = server.pid;
    if (one != null) {
      server.cpu(files.cpuSeconds(one));
      server.memory(files.peakBytes(one));
    }
    Long main = database.pid;
    if (main != null) {
      sampleDatabase(main, samples % SAMPLES_PER_MEMORY == 0);
    }
    samples++;
  }

  private void sampleDatabase(long main, boolean memory) {
    List<Long> processes = new ArrayList<>(files.children(main));
    processes.add(main);
    double cpu = 0;
    long bytes = 0;
    for (long process : processes) {
      Double seconds = files.cpuSeconds(process);
      Long share = memory ? files.proportionalBytes(process) : null;
      cpu += seconds == null ? 0 : seconds;
      bytes += share == null ? 0 : share;
    }
    database.cpu(cpu == 0 ? null : (Double) cpu);
    database.memory(bytes == 0 ? null : (Long) bytes);
  }

  /** Returns the use of the server so far; null: unknown. */
  synchronized @Nullable Use server() {
    return server.use();
  }

  /** Returns the use of the database so far; null: unknown. */
  synchronized @Nullable Use database() {
    return database.use();
  }

  /** Ends the measurement with a last sample. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      sample();
      notifyAll();
    }
  }
}
