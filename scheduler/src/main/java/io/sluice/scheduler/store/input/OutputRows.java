// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.input;

import io.sluice.scheduler.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Outputs of the jobs of runs, kept with the tries that they are of. */
public final class OutputRows {
  private OutputRows() {}

  /**
   * What a job came to, by its index 0.
   *
   * @param json null: what was written is no output
   * @param problem why; empty if it is one
   */
  public record Output(UUID job, @Nullable String json, String problem) {}

  /** Keeps outputs, in the caller's transaction; those of jobs that are of no run are dropped. */
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
