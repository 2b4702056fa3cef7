// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.hibernate.Timeouts;
import org.hibernate.jpa.HibernateHints;
import org.hibernate.jpa.SpecHints;
import org.jspecify.annotations.Nullable;

/** The rows of backfills. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class BackfillRepository implements PanacheRepositoryBase<BackfillEntity, UUID> {
  private static final String LIST =
      """
      from BackfillEntity b
      where (?1 = true or b.namespace in ?2) and (?3 is null or b.pipeline = ?3)
      """;
  private static final String BEFORE =
      """
        and (b.createdAt, b.id)
          < ((select other.createdAt from BackfillEntity other where other.id = ?4), ?4)
      """;
  private static final String NEWEST_FIRST = " order by b.createdAt desc, b.id desc";

  void insert(StoredBackfill backfill, Caller caller) {
    BackfillEntity row = new BackfillEntity();
    row.id = backfill.id();
    row.namespace = backfill.of().namespace();
    row.pipeline = backfill.of().pipeline();
    row.schedule = backfill.of().schedule();
    row.fromTime = backfill.times().from();
    row.toTime = backfill.times().to();
    row.maxParallel = backfill.counts().maxParallel();
    row.cron = backfill.times().cron();
    row.timeZone = backfill.times().timeZone().getId();
    row.times = backfill.counts().times();
    row.consideredTo = backfill.times().consideredTo();
    row.state = StoredBackfill.State.RUNNING;
    row.reason = "";
    row.createdBy = caller.name();
    row.createdRole = caller.role().word();
    row.createdGroups = caller.groups().toArray(String[]::new);
    persistAndFlush(row);
    getEntityManager().detach(row);
  }

  /** A backfill; null if there is none. */
  @Nullable StoredBackfill find(UUID id) {
    return stored(find("id", id));
  }

  /** As {@link #find}; locked until the end of the transaction. */
  @Nullable StoredBackfill lock(UUID id) {
    return stored(find("id", id).withLock(LockModeType.PESSIMISTIC_WRITE));
  }

  /** As {@link #lock}; null also if another transaction has locked it. */
  @Nullable StoredBackfill lockIfFree(UUID id) {
    return stored(
        find("id", id)
            .withLock(LockModeType.PESSIMISTIC_WRITE)
            .withHint(SpecHints.HINT_SPEC_LOCK_TIMEOUT, Timeouts.SKIP_LOCKED_MILLI));
  }

  private @Nullable StoredBackfill stored(PanacheQuery<BackfillEntity> query) {
    BackfillEntity found = query.firstResult();
    return found == null ? null : stored(found);
  }

  /**
   * Running backfills, the oldest first.
   *
   * @param postponed backfills to skip
   */
  public List<UUID> running(int most, List<UUID> postponed) {
    String select = "select b.id from BackfillEntity b where b.state = ?1";
    String order = " order by b.createdAt, b.id";
    PanacheQuery<BackfillEntity> found =
        postponed.isEmpty()
            ? find(select + order, StoredBackfill.State.RUNNING)
            : find(select + " and b.id not in ?2" + order, StoredBackfill.State.RUNNING, postponed);
    return found.page(Page.ofSize(most)).project(UUID.class).list();
  }

  /** Backfills that match a filter, the newest first. */
  List<StoredBackfill> list(BackfillFilter filter, int most) {
    UUID before = filter.before();
    NamespaceScope namespaces = filter.namespaces();
    PanacheQuery<BackfillEntity> found =
        before == null
            ? find(LIST + NEWEST_FIRST, namespaces.isAll(), namespaces.names(), filter.pipeline())
            : find(
                LIST + BEFORE + NEWEST_FIRST,
                namespaces.isAll(),
                namespaces.names(),
                filter.pipeline(),
                before);
    return found
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .list()
        .stream()
        .map(this::stored)
        .toList();
  }

  /** The groups of the user who owns its runs. */
  List<String> groups(StoredBackfill backfill) {
    return List.of(
        find("select b.createdGroups from BackfillEntity b where b.id = ?1", backfill.id())
            .project(String[].class)
            .singleResult());
  }

  void setProgress(UUID id, Instant consideredTo, int begun, int thereBefore) {
    update(
        "consideredTo = ?1, begun = begun + ?2, thereBefore = thereBefore + ?3 where id = ?4",
        consideredTo,
        begun,
        thereBefore,
        id);
  }

  /** Ends a backfill, unless it has ended already. */
  void end(UUID id, StoredBackfill.State state, String reason) {
    update(
        "state = ?1, reason = ?2, endedAt = function(clock_timestamp as Instant)"
            + " where id = ?3 and state = ?4",
        state,
        reason,
        id,
        StoredBackfill.State.RUNNING);
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private StoredBackfill stored(BackfillEntity row) {
    getEntityManager().detach(row);
    return new StoredBackfill(
        row.id,
        new StoredBackfill.Of(row.namespace, row.pipeline, row.schedule),
        new StoredBackfill.Times(
            row.fromTime,
            row.toTime,
            row.cron,
            ZoneId.of(row.timeZone),
            row.consideredTo,
            row.createdAt,
            row.endedAt),
        new StoredBackfill.Counts(row.maxParallel, row.times, row.begun, row.thereBefore),
        row.state,
        row.reason,
        row.createdBy);
  }
}
