// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Settings of the embedded server. All but {@code databaseCreation} take effect at each start.
 *
 * @param durable whether a committed transaction survives a crash of the machine; false only for
 *     data that nobody needs afterwards
 * @param sharedBuffersMebibytes the server's own page cache, at least 1
 * @param maxConnections at least 4
 * @param databaseCreation whether the application's role may create databases; fixed at the
 *     cluster's creation
 * @param startLimit timeout of one step of the start, recovery after a crash included
 * @param stopLimit timeout of a fast shutdown, after which an immediate one follows with the same
 *     timeout
 */
public record PostgresSettings(
    boolean durable,
    int sharedBuffersMebibytes,
    int maxConnections,
    boolean databaseCreation,
    Duration startLimit,
    Duration stopLimit) {
  private static final long MEBIBYTE = 1L << 20;
  private static final int SHARED_BUFFERS_PART = 64;
  private static final int SHARED_BUFFERS_MIN = 64;
  private static final int SHARED_BUFFERS_MAX = 512;

  public PostgresSettings {
    if (sharedBuffersMebibytes < 1) {
      throw new IllegalArgumentException(
          "sharedBuffersMebibytes is " + sharedBuffersMebibytes + ", must be at least 1");
    }
    if (maxConnections < 4) {
      throw new IllegalArgumentException(
          "maxConnections is " + maxConnections + ", must be at least 4");
    }
    requirePositive("startLimit", startLimit);
    requirePositive("stopLimit", stopLimit);
  }

  /** Settings for data that must be kept, sized to the memory of this machine or container. */
  public static PostgresSettings forKeptData() {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return forKeptData(machine.getTotalMemorySize());
  }

  /** The page cache is a 64th of the memory, so that jobs of the same machine keep theirs. */
  static PostgresSettings forKeptData(long memoryBytes) {
    long share = memoryBytes / MEBIBYTE / SHARED_BUFFERS_PART;
    int mebibytes = (int) Math.max(SHARED_BUFFERS_MIN, Math.min(SHARED_BUFFERS_MAX, share));
    return new PostgresSettings(
        true, mebibytes, 40, false, Duration.ofMinutes(5), Duration.ofSeconds(30));
  }

  /**
   * Settings for data that is deleted afterwards: not durable, and the role may create databases.
   */
  public static PostgresSettings forDiscardedData() {
    return new PostgresSettings(
        false, SHARED_BUFFERS_MIN, 100, true, Duration.ofMinutes(1), Duration.ofSeconds(10));
  }

  private static void requirePositive(String field, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(field + " is " + value + ", must be positive");
    }
  }
}
