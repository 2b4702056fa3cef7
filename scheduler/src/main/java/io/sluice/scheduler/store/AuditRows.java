// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Who changed what, as rows. */
public final class AuditRows {
  private static final String INSERT =
      """
      INSERT INTO audit (caller, role, action, kind, namespace, name, job_id, detail)
      SELECT caller, role, action, kind, namespace, name, job_id, detail::jsonb
      FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[])
        WITH ORDINALITY AS u (caller, role, action, kind, namespace, name, job_id, detail, place)
      ORDER BY place
      """;
  private static final String LIST =
      """
      SELECT id, at, caller, role, action, kind, namespace, name, job_id, detail FROM audit
      WHERE id < ? AND (?::text IS NULL OR caller = ?) AND (?::text IS NULL OR kind = ?)
        AND (?::text IS NULL OR namespace = ?) AND (?::text IS NULL OR name = ?)
      ORDER BY id DESC
      LIMIT ?
      """;

  private final DataSource database;

  public AuditRows(DataSource database) {
    this.database = database;
  }

  /** Which entries somebody wants to see; null: any. */
  public record Filter(
      @Nullable String caller,
      @Nullable String kind,
      @Nullable String namespace,
      @Nullable String name) {}

  /** An entry as it is stored. */
  public record Stored(
      long id,
      Instant at,
      String caller,
      String role,
      String action,
      String kind,
      String namespace,
      String name,
      @Nullable JobId job,
      JsonNode detail) {}

  /** Writes entries in the transaction of the changes that they tell of. */
  public static void insert(Connection connection, List<AuditEntry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      new Columns<>(connection, insert, 1, entries)
          .text(entry -> entry.caller().name())
          .text(entry -> entry.caller().role().word())
          .text(entry -> entry.action().word())
          .text(AuditEntry::kind)
          .text(AuditEntry::namespace)
          .text(AuditEntry::name)
          .uuid(entry -> entry.job() == null ? null : entry.job().value())
          .text(entry -> entry.detail().toString());
      insert.executeUpdate();
    }
  }

  /**
   * Entries, the newest first.
   *
   * @param before leaves out those from this number on
   */
  public List<Stored> list(Filter filter, long before, int most) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LIST)) {
      select.setLong(1, before);
      int at = 2;
      for (String value :
          new @Nullable String[] {
            filter.caller(), filter.kind(), filter.namespace(), filter.name()
          }) {
        select.setString(at, value);
        select.setString(at + 1, value);
        at += 2;
      }
      select.setInt(at, most);
      return Columns.readAll(
          select,
          row -> {
            UUID job = row.getObject("job_id", UUID.class);
            return new Stored(
                row.getLong("id"),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("caller"),
                row.getString("role"),
                row.getString("action"),
                row.getString("kind"),
                row.getString("namespace"),
                row.getString("name"),
                job == null ? null : new JobId(job),
                JournalJson.tree(row.getString("detail")));
          });
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the audit", failure);
    }
  }
}
