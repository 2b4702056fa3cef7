// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.TimeRange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.hibernate.jpa.HibernateHints;
import org.jspecify.annotations.Nullable;

/**
 * The rows of runs, for the operations of users and for retention. Every method takes part in the
 * caller's transaction.
 */
@ApplicationScoped
public class RunRepository implements PanacheRepositoryBase<RunEntity, UUID> {
  private static final String LIST =
      """
      from RunEntity r
      where (:pipeline is null or r.pipeline = :pipeline)
        and (:name is null or r.pipeline || '-' || cast(r.number as String) = :name)
        and (:state is null or r.state = :state)
        and r.createdAt >= :since and r.createdAt < :until
      """;
  private static final String OF_NAMESPACES = " and r.namespace in (:namespaces)";
  private static final String BEFORE =
      """
        and (r.createdAt, r.id)
          < ((select other.createdAt from RunEntity other where other.id = :before), :before)
      """;
  private static final String NEWEST_FIRST = " order by r.createdAt desc, r.id desc";

  /**
   * A filter for a list of runs, the newest first.
   *
   * @param created when the run was created
   * @param before returns only runs before this one; null: starts with the newest
   */
  public record Filter(
      NamespaceScope namespaces,
      @Nullable String pipeline,
      @Nullable String name,
      @Nullable RunState state,
      TimeRange created,
      @Nullable UUID before) {
    /** A filter that matches runs of any time. */
    public Filter(
        NamespaceScope namespaces,
        @Nullable String pipeline,
        @Nullable String name,
        @Nullable RunState state,
        @Nullable UUID before) {
      this(namespaces, pipeline, name, state, TimeRange.ALL, before);
    }
  }

  /** The run; null if there is none. */
  public @Nullable StoredRun find(UUID id) {
    return stored(find("id", id));
  }

  /** The run, locked; waits for a transaction that advances it. Null if there is none. */
  public @Nullable StoredRun waitFor(UUID id) {
    return stored(find("id", id).withLock(LockModeType.PESSIMISTIC_WRITE));
  }

  /** The run that a job is part of; null if there is none. */
  public @Nullable StoredRun ofJob(UUID job) {
    List<UUID> run =
        getSession()
            .createNativeQuery("SELECT run_id FROM run_part WHERE job_id = :job", UUID.class)
            .setParameter("job", job)
            .getResultList();
    return run.isEmpty() ? null : find(run.get(0));
  }

  /** Runs that match a filter, the newest first; one statement. */
  public List<StoredRun> list(Filter filter, int most) {
    NamespaceScope namespaces = filter.namespaces();
    UUID before = filter.before();
    Map<String, @Nullable Object> values = new TreeMap<>();
    values.put("pipeline", filter.pipeline());
    values.put("name", filter.name());
    values.put("state", filter.state());
    values.put("since", filter.created().since());
    values.put("until", filter.created().until());
    if (!namespaces.isAll()) {
      values.put("namespaces", namespaces.names());
    }
    if (before != null) {
      values.put("before", before);
    }
    PanacheQuery<RunEntity> found =
        find(
            LIST
                + (namespaces.isAll() ? "" : OF_NAMESPACES)
                + (before == null ? "" : BEFORE)
                + NEWEST_FIRST,
            values);
    return found
        .page(Page.ofSize(most))
        .withHint(HibernateHints.HINT_READ_ONLY, true)
        .list()
        .stream()
        .map(this::stored)
        .toList();
  }

  private @Nullable StoredRun stored(PanacheQuery<RunEntity> query) {
    RunEntity found = query.firstResult();
    return found == null ? null : stored(found);
  }

  /** Detaches the entity: in the session, a later read would return it unchanged. */
  private StoredRun stored(RunEntity row) {
    getEntityManager().detach(row);
    return new StoredRun(
        row.id,
        new StoredRun.Of(row.namespace, row.pipeline, row.version, row.number),
        row.schedule == null ? "" : row.schedule,
        row.logicalTime,
        row.state,
        row.reason,
        new StoredRun.Times(row.createdAt, row.startedAt, row.endedAt),
        new StoredRun.Outlook(
            row.deadline,
            row.expectedEarliest == null || row.expectedLatest == null
                ? null
                : new ExpectedFinish(row.expectedEarliest, row.expectedLatest),
            row.lateness,
            row.expectedAt),
        row.createdBy);
  }

  /** Values of the parameters of a run, each as JSON. */
  public Map<String, String> parameters(UUID id) {
    return RunRows.values(
        find("select r.parameters from RunEntity r where r.id = ?1", id)
            .project(String.class)
            .singleResult());
  }

  /** Sets a run's outcome to CANCELLED, unless it has another already. It is due at once. */
  public void cancel(UUID id, String reason) {
    update(
        "ending = ?1, reason = ?2, dueAt = function(clock_timestamp as Instant)"
            + " where id = ?3 and ending is null",
        RunState.CANCELLED,
        reason,
        id);
  }

  /** As {@link #cancel}, for the live runs of a backfill. */
  public void cancelOfBackfill(UUID backfill, String reason) {
    update(
        "ending = ?1, reason = ?2, dueAt = function(clock_timestamp as Instant)"
            + " where backfill = ?3 and state = ?4 and ending is null",
        RunState.CANCELLED,
        reason,
        backfill,
        RunState.RUNNING);
  }

  /** Sets an ended run back to running; the caller resets its steps. */
  public void reopen(UUID id) {
    update(
        "state = ?1, ending = null, reason = '', endedAt = null, keepUntil = null,"
            + " expectedAt = null, startedAt = function(clock_timestamp as Instant),"
            + " dueAt = function(clock_timestamp as Instant) where id = ?2",
        RunState.RUNNING,
        id);
  }

  /**
   * Deletes runs past their retention, with their steps and parts. Skips a run that another
   * transaction is resuming.
   *
   * @return how many were deleted
   */
  int removeKept(int most) {
    return getSession()
        .createNativeMutationQuery(
            """
            DELETE FROM pipeline_run WHERE id IN (
              SELECT id FROM pipeline_run WHERE keep_until < clock_timestamp()
              ORDER BY keep_until LIMIT :most FOR UPDATE SKIP LOCKED)
            """)
        .setParameter("most", most)
        .executeUpdate();
  }
}
