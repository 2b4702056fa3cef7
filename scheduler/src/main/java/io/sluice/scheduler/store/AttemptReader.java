// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ReadingTerms;
import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads attempts as those need them who run them. */
public final class AttemptReader {
  private static final String FIND =
      """
      SELECT a.job_id, a.index, a.number, a.generation, a.state, a.assignment, j.manifest,
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
   * The attempts of these keys, in any order; those that are not there are left out.
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
      return Columns.readAll(select, AttemptReader::attempt);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read attempts", failure);
    }
  }

  private static StoredAttempt attempt(ResultSet row) throws SQLException {
    return new StoredAttempt(
        new AttemptKey(
            new JobId(row.getObject("job_id", UUID.class)),
            row.getInt("index"),
            row.getInt("number")),
        row.getInt("generation"),
        AttemptState.valueOf(row.getString("state")),
        ManifestReader.readJob(row.getString("manifest"), ReadingTerms.STORED),
        JournalJson.read(row.getString("assignment"), Assignment.class),
        Duration.ofMillis(row.getLong("ran_ms")));
  }
}
