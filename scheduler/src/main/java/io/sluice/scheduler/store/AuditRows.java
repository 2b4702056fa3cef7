// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes audit records, over the connection of the transaction of the change. Most of these
 * transactions write jobs and inputs by JDBC and have no Hibernate session.
 */
public final class AuditRows {
  private static final String INSERT =
      """
      INSERT INTO audit (caller, role, action, kind, namespace, name, job_id, detail)
      SELECT caller, role, action, kind, namespace, name, job_id, detail::jsonb
      FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[])
        WITH ORDINALITY AS u (caller, role, action, kind, namespace, name, job_id, detail, place)
      ORDER BY place
      """;

  private AuditRows() {}

  /** Writes audit records in the transaction of the changes that they describe. */
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
}
