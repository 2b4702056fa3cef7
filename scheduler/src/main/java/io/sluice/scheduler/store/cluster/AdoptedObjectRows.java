// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.store.Columns;
import io.sluice.scheduler.store.TransientStoreException;
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
import org.jspecify.annotations.Nullable;

/** The rows of adopted objects, with the states of their jobs. */
public final class AdoptedObjectRows {
  private static final String LAST =
      """
      SELECT DISTINCT ON (o.cluster, o.uid) o.*, j.state AS job_state, j.message, j.cancelled_by
      FROM adopted_object o JOIN %s j ON j.id = o.job_id
      WHERE o.cluster = ? AND %s
      ORDER BY o.cluster, o.uid, o.version DESC
      """;

  private static final String OF_UIDS = LAST.formatted("any_job", "o.uid = ANY(?)");

  private static final String LIVE = LAST.formatted("job", "j.finished_at IS NULL");

  private static final String INSERT =
      """
      INSERT INTO adopted_object (cluster, uid, version, job_id, kind, namespace, name, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final DataSource database;

  public AdoptedObjectRows(DataSource database) {
    this.database = database;
  }

  /**
   * The last version of an object, and the state of its job.
   *
   * @param message of its job
   * @param cancelledBy the user who cancelled its job; null: nobody did
   */
  public record Standing(
      AdoptedObject object,
      JobId job,
      JobState state,
      String message,
      @Nullable String cancelledBy) {}

  /**
   * The last versions of these objects; objects that were not adopted are left out.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<UUID, Standing> find(String cluster, Collection<UUID> uids) {
    if (uids.isEmpty()) {
      return Map.of();
    }
    try (Connection connection = database.getConnection()) {
      return find(connection, cluster, uids);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read adopted objects", failure);
    }
  }

  /** As {@link #find(String, Collection)}, in the caller's transaction. */
  public static Map<UUID, Standing> find(
      Connection connection, String cluster, Collection<UUID> uids) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(OF_UIDS)) {
      select.setString(1, cluster);
      select.setArray(2, connection.createArrayOf("uuid", uids.toArray()));
      return byUid(Columns.readAll(select, AdoptedObjectRows::standing));
    }
  }

  /**
   * The last versions of a cluster's objects whose jobs have not ended.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Map<UUID, Standing> live(String cluster) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LIVE)) {
      select.setString(1, cluster);
      return byUid(Columns.readAll(select, AdoptedObjectRows::standing));
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read adopted objects", failure);
    }
  }

  private static Map<UUID, Standing> byUid(List<Standing> standings) {
    Map<UUID, Standing> byUid = new TreeMap<>();
    standings.forEach(standing -> byUid.put(standing.object().uid(), standing));
    return byUid;
  }

  private static Standing standing(ResultSet row) throws SQLException {
    return new Standing(
        object(row),
        new JobId(row.getObject("job_id", UUID.class)),
        JobState.valueOf(row.getString("job_state")),
        row.getString("message"),
        row.getString("cancelled_by"));
  }

  private static AdoptedObject object(ResultSet row) throws SQLException {
    return new AdoptedObject(
        row.getString("cluster"),
        row.getObject("uid", UUID.class),
        row.getInt("version"),
        row.getString("kind"),
        row.getString("namespace"),
        row.getString("name"),
        row.getString("digest"));
  }

  /** The adopted objects of jobs, by job id; jobs without one are left out. */
  public static Map<UUID, AdoptedObject> ofJobs(Connection connection, Collection<UUID> jobs)
      throws SQLException {
    Map<UUID, AdoptedObject> found = new TreeMap<>();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT * FROM adopted_object WHERE job_id = ANY(?)")) {
      select.setArray(1, connection.createArrayOf("uuid", jobs.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.put(row.getObject("job_id", UUID.class), object(row));
        }
      }
    }
    return found;
  }

  /** Inserts a version, in the transaction that inserts its job. */
  public static void insert(Connection connection, AdoptedObject object, JobId job)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, object.cluster());
      insert.setObject(2, object.uid());
      insert.setInt(3, object.version());
      insert.setObject(4, job.value());
      insert.setString(5, object.kind());
      insert.setString(6, object.namespace());
      insert.setString(7, object.name());
      insert.setString(8, object.digest());
      insert.executeUpdate();
    }
  }
}
