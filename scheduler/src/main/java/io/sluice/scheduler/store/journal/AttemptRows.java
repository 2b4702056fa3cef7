// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.scheduler.store.RowMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the rows of attempts that a batch adds or changes. */
final class AttemptRows {
  private static final RowMapping<AttemptRecord> MAPPING =
      new RowMapping<AttemptRecord>("attempt")
          .uuid("job_id", attempt -> attempt.key().job().value())
          .integer("index", attempt -> attempt.key().index())
          .integer("number", attempt -> attempt.key().attempt())
          .fixed()
          .text("cluster_queue", attempt -> attempt.assignment().clusterQueue())
          .written("uuid[]", "displaced", AttemptRows::displaced)
          .time("admitted_at", attempt -> attempt.times().admitted())
          .json("terms", AttemptRecord::terms)
          .changing()
          .integer("generation", AttemptRecord::generation)
          .text("state", attempt -> attempt.state().name())
          .json("assignment", AttemptRecord::assignment)
          .time("started_at", attempt -> attempt.times().started())
          .time("draining_at", attempt -> attempt.times().draining())
          .time("ended_at", attempt -> attempt.times().ended())
          .time("requeued_not_before", attempt -> attempt.times().requeuedNotBefore())
          .json("drain", AttemptRecord::drain)
          .text(
              "outcome",
              attempt -> attempt.result() == null ? null : attempt.result().outcome().name())
          .text("cause", AttemptRows::cause)
          .text("message", attempt -> attempt.result() == null ? "" : attempt.result().message())
          .bool(
              "counts_as_failure",
              attempt -> attempt.result() != null && attempt.result().countsAsFailure())
          .time("progress_at", attempt -> attempt.times().progress().at())
          .text("progress_text", attempt -> attempt.times().progress().text())
          .time("stalled_since", attempt -> attempt.times().progress().stalledSince())
          .json("last_resize", AttemptRecord::lastResize)
          .text("checkpoint", AttemptRecord::checkpoint)
          .json("checkpoint_saved", attempt -> attempt.times().saved());

  private static final String UPSERT = MAPPING.upsert();

  private AttemptRows() {}

  static void write(Connection connection, List<AttemptRecord> attempts) throws SQLException {
    if (attempts.isEmpty()) {
      return;
    }
    try (PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
      MAPPING.bind(connection, upsert, 1, attempts);
      upsert.executeUpdate();
    }
  }

  private static @Nullable String cause(AttemptRecord attempt) {
    AttemptRecord.Result result = attempt.result();
    return result == null || result.cause() == null ? null : result.cause().name();
  }

  /** The text of an array, because unnest flattens nested arrays. */
  private static String displaced(AttemptRecord attempt) {
    List<UUID> ids = new ArrayList<>();
    attempt.displaced().forEach(job -> ids.add(job.value()));
    return "{" + String.join(",", ids.stream().map(UUID::toString).toList()) + "}";
  }
}
