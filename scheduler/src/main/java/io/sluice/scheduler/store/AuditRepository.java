// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.queuemodel.job.JobId;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/** Lists audit records, in the caller's transaction. */
@ApplicationScoped
public class AuditRepository implements PanacheRepositoryBase<AuditEntity, Long> {
  private static final String LIST =
      """
      id < ?1 and (?2 is null or caller = ?2) and (?3 is null or kind = ?3)
        and (?4 is null or namespace = ?4) and (?5 is null or name = ?5)
        and at >= ?6 and at < ?7
      order by id desc
      """;

  /**
   * A filter of audit records; null: any value.
   *
   * @param times when the records were written
   */
  public record Filter(
      @Nullable String caller,
      @Nullable String kind,
      @Nullable String namespace,
      @Nullable String name,
      TimeRange times) {}

  /** An audit record as stored. */
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

  /**
   * Audit records, the newest first.
   *
   * @param before returns only those with smaller numbers
   */
  public List<Stored> list(Filter filter, long before, int most) {
    return find(
            LIST,
            before,
            filter.caller(),
            filter.kind(),
            filter.namespace(),
            filter.name(),
            filter.times().since(),
            filter.times().until())
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .list()
        .stream()
        .map(AuditRepository::stored)
        .toList();
  }

  private static Stored stored(AuditEntity row) {
    return new Stored(
        row.id,
        row.at,
        row.caller,
        row.role,
        row.action,
        row.kind,
        row.namespace,
        row.name,
        row.job == null ? null : new JobId(row.job),
        JournalJson.tree(row.detail));
  }
}
