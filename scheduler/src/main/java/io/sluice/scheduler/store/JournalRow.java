// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.queuemodel.job.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of an input or of an event: the columns {@code kind}, {@code job_id} and {@code
 * body} of its row, or its part of a {@link RowPack}.
 *
 * @param job that it is about; null: it is about none
 * @param body JSON
 */
public record JournalRow(String kind, @Nullable JobId job, String body) {
  /**
   * Reads the columns of a row.
   *
   * @param jobColumn name of the column of the job in the result
   */
  public static JournalRow read(ResultSet row, String jobColumn) throws SQLException {
    UUID job = row.getObject(jobColumn, UUID.class);
    return new JournalRow(
        row.getString("kind"), job == null ? null : new JobId(job), row.getString("body"));
  }

  /** Binds rows as arrays of text, uuid and text. */
  public static void bind(Columns<JournalRow> rows) throws SQLException {
    rows.text(JournalRow::kind)
        .uuid(row -> row.job() == null ? null : row.job().value())
        .text(JournalRow::body);
  }
}
