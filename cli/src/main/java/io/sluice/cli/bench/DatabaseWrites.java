// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server has written to its database since its start, by its metrics.
 *
 * @param walBytes bytes of the write-ahead log; null: the server does not tell
 * @param rowsWritten inserted, updated and deleted rows; null: the server does not tell
 */
record DatabaseWrites(@Nullable Double walBytes, @Nullable Double rowsWritten) {
  private static final String WAL_BYTES = "sluice_database_wal_bytes_total";
  private static final String ROWS_WRITTEN = "sluice_database_rows_written_total";
  private static final Duration QUIET_MAX = Duration.ofSeconds(10);
  private static final DatabaseWrites UNKNOWN = new DatabaseWrites(null, null);

  /** Reads the metrics of a server; unknown if it does not answer, or refuses the caller. */
  static DatabaseWrites read(ServerClient client) {
    try (InputStream metrics = client.stream("/q/metrics", QUIET_MAX)) {
      return parse(metrics);
    } catch (ClientException | IOException unanswered) {
      return UNKNOWN;
    }
  }

  /** Reads metrics in the text format of Prometheus; adds up the series of a metric. */
  static DatabaseWrites parse(InputStream metrics) throws IOException {
    Double walBytes = null;
    Double rowsWritten = null;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(metrics, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      walBytes = added(walBytes, value(line, WAL_BYTES));
      rowsWritten = added(rowsWritten, value(line, ROWS_WRITTEN));
    }
    return new DatabaseWrites(walBytes, rowsWritten);
  }

  private static @Nullable Double value(String line, String metric) {
    boolean isMetric =
        line.startsWith(metric)
            && line.length() > metric.length()
            && (line.charAt(metric.length()) == ' ' || line.charAt(metric.length()) == '{');
    if (!isMetric) {
      return null;
    }
    String[] afterLabels = line.substring(line.lastIndexOf('}') + 1).strip().split(" +", -1);
    String number = line.indexOf('{') < 0 ? afterLabels[1] : afterLabels[0];
    try {
      return Double.valueOf(number);
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }

  private static @Nullable Double added(@Nullable Double sum, @Nullable Double value) {
    if (value == null) {
      return sum;
    }
    return sum == null ? value : (Double) (sum + value);
  }

  /**
   * Returns what was written between two readings, for each job.
   *
   * @return null if neither is known
   */
  static @Nullable DatabaseWrites perJob(DatabaseWrites before, DatabaseWrites after, long jobs) {
    Double walBytes = perJob(before.walBytes, after.walBytes, jobs);
    Double rowsWritten = perJob(before.rowsWritten, after.rowsWritten, jobs);
    return walBytes == null && rowsWritten == null
        ? null
        : new DatabaseWrites(walBytes, rowsWritten);
  }

  private static @Nullable Double perJob(
      @Nullable Double before, @Nullable Double after, long jobs) {
    return before == null || after == null || jobs == 0 || after < before
        ? null
        : (Double) ((after - before) / jobs);
  }
}
