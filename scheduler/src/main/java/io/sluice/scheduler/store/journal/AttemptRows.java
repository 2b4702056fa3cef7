// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.store.RowMapping;
import io.sluice.scheduler.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
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

  private static final String INSERT = MAPPING.insert();
  private static final String UPDATE = MAPPING.update();

  private AttemptRows() {}

  static void write(Connection connection, Journal.Batch batch) throws SQLException {
    Set<AttemptKey> added = added(batch.events());
    Map<Boolean, List<AttemptRecord>> attempts =
        batch.changes().attempts().stream()
            .collect(Collectors.partitioningBy(attempt -> added.contains(attempt.key())));
    // An index has at most one live attempt, so the ends of earlier ones come first.
    write(connection, UPDATE, attempts.getOrDefault(false, List.of()));
    write(connection, INSERT, attempts.getOrDefault(true, List.of()));
  }

  /** The attempts that a batch adds: an admission makes an attempt, and nothing else does. */
  private static Set<AttemptKey> added(List<Event> events) {
    Set<AttemptKey> added = new HashSet<>();
    for (Event event : events) {
      if (event instanceof Event.Admitted admitted) {
        added.add(admitted.attempt());
      }
    }
    return added;
  }

  private static void write(Connection connection, String sql, List<AttemptRecord> attempts)
      throws SQLException {
    if (attempts.isEmpty()) {
      return;
    }
    try (PreparedStatement write = connection.prepareStatement(sql)) {
      MAPPING.bind(connection, write, 1, attempts);
      int written = write.executeUpdate();
      if (written != attempts.size()) {
        throw new StoreException(
            "of %d changed attempts %d are stored".formatted(attempts.size(), written));
      }
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
