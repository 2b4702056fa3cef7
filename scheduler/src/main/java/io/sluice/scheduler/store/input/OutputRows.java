// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of outputs of pipeline jobs, stored with their tries. */
public final class OutputRows {
  private OutputRows() {}

  /**
   * The output of a job, written by its index 0.
   *
   * @param json null: the job wrote no valid output
   * @param problem the reason why it is invalid; empty if it is valid
   */
  public record Output(UUID job, @Nullable String json, String problem) {}

  /** Stores outputs in the caller's transaction; drops those of jobs that belong to no run. */
  static void keep(Connection connection, List<Output> outputs) throws SQLException {
    if (outputs.isEmpty()) {
      return;
    }
    String update =
        """
        UPDATE run_part SET output = u.output, output_problem = u.problem
        FROM unnest(?::uuid[], ?::text[], ?::text[]) AS u (job, output, problem)
        WHERE run_part.job_id = u.job
        """;
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      new Columns<>(connection, statement, 1, outputs)
          .uuid(Output::job)
          .text(Output::json)
          .text(Output::problem);
      statement.executeUpdate();
    }
  }
}
