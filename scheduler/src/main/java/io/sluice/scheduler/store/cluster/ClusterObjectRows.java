// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.leadership.LeaderRow;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/** The rows of objects in clusters that may run, and the states of their attempts. */
public final class ClusterObjectRows {
  private static final String CURRENT =
      """
      SELECT 1 FROM attempt
      WHERE job_id = ? AND index = ? AND number = ? AND generation = ?
        AND state IN ('ADMITTED', 'RUNNING')
      """;

  private static final String UPSERT =
      """
      INSERT INTO cluster_object
        (cluster, uid, job_id, index, number, generation, kind, namespace, name, resource_version,
         kept)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (cluster, uid) DO UPDATE SET resource_version = EXCLUDED.resource_version,
        job_id = EXCLUDED.job_id, index = EXCLUDED.index, number = EXCLUDED.number,
        generation = EXCLUDED.generation
      """;

  private static final String FIND =
      """
      SELECT o.cluster, o.uid, o.job_id, o.index, o.number, o.generation, o.kind, o.namespace,
        o.name, o.resource_version, o.kept
      FROM unnest(?::uuid[], ?::int[], ?::int[]) AS u (job_id, index, number)
      JOIN cluster_object o USING (job_id, index, number)
      """;

  private static final String STANDING =
      """
      SELECT u.uid, j.id IS NOT NULL AS known, a.state, a.generation, o.uid IS NOT NULL AS written,
        coalesce(o.kept, true) AS kept
      FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::int[]) AS u (uid, job_id, index, number)
      LEFT JOIN any_job j ON j.id = u.job_id
      LEFT JOIN any_attempt a USING (job_id, index, number)
      LEFT JOIN cluster_object o ON o.uid = u.uid AND o.cluster = ?
      """;

  private final DataSource database;

  public ClusterObjectRows(DataSource database) {
    this.database = database;
  }

  /**
   * Inserts or updates the rows of an attempt's objects; durable on return.
   *
   * @param epoch of the leadership in which they are to run
   * @return whether they may run: the attempt has this generation and was not told to end.
   *     Otherwise nothing was written
   * @throws LostEpochException if another epoch leads; nothing was written
   * @throws TransientStoreException if the database does not answer
   */
  public boolean commit(List<ClusterObject> objects, long epoch) {
    return OneTransaction.run(
        database,
        "cannot write objects of clusters",
        connection -> {
          LeaderRow.holdEpoch(connection, epoch);
          boolean current = isCurrent(connection, objects.get(0));
          if (current) {
            upsert(connection, objects);
          }
          return current;
        });
  }

  private static boolean isCurrent(Connection connection, ClusterObject object)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(CURRENT)) {
      select.setObject(1, object.attempt().job().value());
      select.setInt(2, object.attempt().index());
      select.setInt(3, object.attempt().attempt());
      select.setInt(4, object.generation());
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private static void upsert(Connection connection, List<ClusterObject> objects)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(UPSERT)) {
      for (ClusterObject object : objects) {
        insert.setString(1, object.cluster());
        insert.setObject(2, object.uid());
        insert.setObject(3, object.attempt().job().value());
        insert.setInt(4, object.attempt().index());
        insert.setInt(5, object.attempt().attempt());
        insert.setInt(6, object.generation());
        insert.setString(7, object.kind());
        insert.setString(8, object.namespace());
        insert.setString(9, object.name());
        insert.setString(10, object.resourceVersion());
        insert.setBoolean(11, object.kept());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /**
   * The objects of these attempts.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public List<ClusterObject> find(Collection<AttemptKey> attempts) {
    if (attempts.isEmpty()) {
      return List.of();
    }
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      new Columns<>(connection, select, 1, attempts)
          .uuid(key -> key.job().value())
          .integer(AttemptKey::index)
          .integer(AttemptKey::attempt);
      return Columns.readAll(
          select,
          row ->
              new ClusterObject(
                  row.getString("cluster"),
                  row.getObject("uid", UUID.class),
                  new AttemptKey(
                      new JobId(row.getObject("job_id", UUID.class)),
                      row.getInt("index"),
                      row.getInt("number")),
                  row.getInt("generation"),
                  row.getString("kind"),
                  row.getString("namespace"),
                  row.getString("name"),
                  row.getString("resource_version"),
                  row.getBoolean("kept")));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read objects of clusters", failure);
    }
  }

  /**
   * What the database knows of an object that was found in a cluster.
   *
   * @param known whether its job is one of this database
   * @param ended whether its attempt has ended, or has another generation by now
   * @param written whether its row exists here, so that it may run or might have run
   * @param kept whether it stays in its cluster after its end
   */
  public record Standing(boolean known, boolean ended, boolean written, boolean kept) {}

  /**
   * What the database knows of objects, by UID.
   *
   * @param found the objects with the attempt and generation that they name
   * @throws TransientStoreException if the database does not answer
   */
  public Map<UUID, Standing> standings(String cluster, Collection<ClusterObject> found) {
    Map<UUID, Standing> standings = new TreeMap<>();
    Map<UUID, Integer> generations = new TreeMap<>();
    found.forEach(object -> generations.put(object.uid(), object.generation()));
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(STANDING)) {
      new Columns<>(connection, select, 1, found)
          .uuid(ClusterObject::uid)
          .uuid(object -> object.attempt().job().value())
          .integer(object -> object.attempt().index())
          .integer(object -> object.attempt().attempt());
      select.setString(5, cluster);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          UUID uid = row.getObject("uid", UUID.class);
          String state = row.getString("state");
          boolean current = state != null && AttemptState.valueOf(state) != AttemptState.ENDED;
          boolean ended = !current || row.getInt("generation") > generations.getOrDefault(uid, 0);
          standings.put(
              uid,
              new Standing(
                  row.getBoolean("known"),
                  ended,
                  row.getBoolean("written"),
                  row.getBoolean("kept")));
        }
      }
      return standings;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read objects of clusters", failure);
    }
  }
}
