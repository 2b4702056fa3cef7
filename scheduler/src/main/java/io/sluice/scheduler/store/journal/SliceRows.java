// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.leadership.Leadership;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of slices that are not simply present: absent, leaving and the like. A ready
 * slice has no row.
 */
final class SliceRows {
  static final String SELECT =
      "SELECT slice, condition, kept_for_job, kept_for_rung, until FROM slice_standing";

  private SliceRows() {}

  static void write(Connection connection, List<SliceStanding> changed) throws SQLException {
    if (changed.isEmpty()) {
      return;
    }
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM slice_standing s USING unnest(?::text[]) AS u (slice)"
                + " WHERE s.slice = u.slice")) {
      new Columns<>(connection, delete, 1, changed).text(SliceStanding::slice);
      delete.executeUpdate();
    }
    List<SliceStanding> kept = changed.stream().filter(SliceRows::hasRow).toList();
    if (kept.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO slice_standing
              (shard, slice, condition, kept_for_job, kept_for_rung, until)
            SELECT ?, slice, condition, job, rung, until::timestamptz
            FROM unnest(?::text[], ?::text[], ?::uuid[], ?::int[], ?::text[])
              AS u (slice, condition, job, rung, until)
            """)) {
      insert.setShort(1, Leadership.SHARD);
      new Columns<>(connection, insert, 2, kept)
          .text(SliceStanding::slice)
          .text(standing -> standing.condition().name())
          .uuid(standing -> standing.keptFor() == null ? null : standing.keptFor().job().value())
          .integer(standing -> standing.keptFor() == null ? null : standing.keptFor().rung())
          .time(SliceStanding::until);
      insert.executeUpdate();
    }
  }

  private static boolean hasRow(SliceStanding standing) {
    return standing.condition() != SliceCondition.READY || standing.until() != null;
  }

  static SliceStanding read(ResultSet row) throws SQLException {
    return new SliceStanding(
        row.getString("slice"),
        SliceCondition.valueOf(row.getString("condition")),
        keptFor(row),
        Columns.timeOrNull(row, "until"));
  }

  private static @Nullable RungKey keptFor(ResultSet row) throws SQLException {
    UUID job = row.getObject("kept_for_job", UUID.class);
    return job == null ? null : new RungKey(new JobId(job), row.getInt("kept_for_rung"));
  }
}
