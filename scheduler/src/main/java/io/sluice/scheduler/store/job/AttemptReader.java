// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.state.record.LastResize;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads attempts for executors and for reports. */
public final class AttemptReader {
  private static final String FIND =
      """
      SELECT a.job_id, a.index, a.number, a.generation, a.state, a.assignment, j.manifest,
        a.last_resize,
        (SELECT c.checkpoint FROM attempt c
          WHERE c.job_id = a.job_id AND c.index = a.index AND c.checkpoint IS NOT NULL
          ORDER BY c.number DESC LIMIT 1) AS checkpoint,
        clock_timestamp() AS read_at,
        greatest(0, coalesce(extract(epoch FROM clock_timestamp() - a.started_at), 0) * 1000)::bigint
          AS ran_ms
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      JOIN attempt a USING (job_id, index, number)
      JOIN job j ON j.id = a.job_id
      """;

  private final DataSource database;

  public AttemptReader(DataSource database) {
    this.database = database;
  }

  /**
   * The attempts of these keys, in any order; keys without an attempt are left out.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<StoredAttempt> find(Collection<AttemptKey> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      new Columns<>(connection, select, 1, keys)
          .uuid(key -> key.job().value())
          .integer(AttemptKey::index)
          .integer(AttemptKey::attempt);
      Map<UUID, AdoptedObject> adopted =
          AdoptedObjectRows.ofJobs(
              connection, keys.stream().map(key -> key.job().value()).distinct().toList());
      return Columns.readAll(select, row -> attempt(row, adopted));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read attempts", failure);
    }
  }

  /**
   * The state and the generation of an attempt.
   *
   * @param settled whether nothing is left of older generations
   */
  public record Standing(AttemptState state, int generation, boolean settled) {}

  /**
   * The state of an attempt; null if there is no such attempt.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public @Nullable Standing standing(AttemptKey key) {
    String sql =
        "SELECT state, generation, last_resize FROM attempt"
            + " WHERE job_id = ? AND index = ? AND number = ?";
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, key.job().value());
      select.setInt(2, key.index());
      select.setInt(3, key.attempt());
      List<Standing> found =
          Columns.readAll(
              select,
              row -> {
                LastResize resize = lastResize(row);
                return new Standing(
                    AttemptState.valueOf(row.getString("state")),
                    row.getInt("generation"),
                    resize == null || resize.settled());
              });
      return found.isEmpty() ? null : found.get(0);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read an attempt", failure);
    }
  }

  private static @Nullable LastResize lastResize(ResultSet row) throws SQLException {
    String resize = row.getString("last_resize");
    return resize == null ? null : JournalJson.read(resize, LastResize.class);
  }

  /** Remaining time of older generations: the grace period, at most the rest of the notice. */
  private static @Nullable Duration grace(ResultSet row, JobSpec job) throws SQLException {
    LastResize last = lastResize(row);
    if (last == null || last.settled()) {
      return null;
    }
    Duration grace = job.limits().gracePeriod();
    Duration notice = last.resize().notice();
    if (notice == null) {
      return grace;
    }
    Duration left = Duration.between(Columns.time(row, "read_at"), last.at().plus(notice));
    Duration bounded = left.compareTo(grace) < 0 ? left : grace;
    return bounded.isNegative() ? Duration.ZERO : bounded;
  }

  private static StoredAttempt attempt(ResultSet row, Map<UUID, AdoptedObject> adopted)
      throws SQLException {
    UUID id = row.getObject("job_id", UUID.class);
    Manifest.JobManifest written = ManifestReader.readStoredJob(row.getString("manifest"));
    JobSpec job = written.job();
    return new StoredAttempt(
        new AttemptKey(new JobId(id), row.getInt("index"), row.getInt("number")),
        row.getInt("generation"),
        AttemptState.valueOf(row.getString("state")),
        job,
        JournalJson.read(row.getString("assignment"), Assignment.class),
        new StoredAttempt.Earlier(
            Duration.ofMillis(row.getLong("ran_ms")), row.getString("checkpoint"), grace(row, job)),
        written.documents(),
        adopted.get(id));
  }
}
