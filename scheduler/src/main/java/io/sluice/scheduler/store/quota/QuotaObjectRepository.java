// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Page;
import io.quarkus.panache.common.Sort;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.input.InputRows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Quota objects as rows. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class QuotaObjectRepository
    implements PanacheRepositoryBase<QuotaObjectEntity, QuotaObjectEntity.Key> {
  private static final long WRITE_LOCK = 0x71756f7461L;
  private static final String LIVE_JOBS =
      "SELECT id::text FROM job WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED') AND ";

  /** Lets one transaction write quota objects at a time: what is checked stays true until then. */
  public void lockForWriting() {
    getSession()
        .createNativeQuery("SELECT pg_advisory_xact_lock(:lock)", Object.class)
        .setParameter("lock", WRITE_LOCK)
        .getSingleResult();
  }

  /** Null if there is none. */
  public @Nullable StoredObject find(ObjectKey key) {
    QuotaObjectEntity row = findById(id(key));
    return row == null ? null : stored(row);
  }

  /** Whether there is one. */
  public boolean exists(ObjectKey key) {
    return count(
            "kind = ?1 and namespace = ?2 and name = ?3",
            key.kind().kind(),
            key.namespace(),
            key.name())
        > 0;
  }

  /** Whether a namespace has an object of that kind and name. */
  public boolean existsAnywhere(ObjectKind kind, String name) {
    return count("kind = ?1 and name = ?2", kind.kind(), name) > 0;
  }

  /**
   * Objects of a kind by namespace and name.
   *
   * @param after leaves out those up to this key; null: from the first on
   */
  public List<StoredObject> list(ObjectKind kind, @Nullable ObjectKey after, int most) {
    return find(
            "kind = ?1 and (namespace > ?2 or (namespace = ?2 and name > ?3))",
            Sort.by("namespace").and("name"),
            kind.kind(),
            after == null ? "" : after.namespace(),
            after == null ? "" : after.name())
        .page(Page.ofSize(most))
        .stream()
        .map(QuotaObjectRepository::stored)
        .toList();
  }

  /** Writes an object that was not there, or a new generation of one that was. */
  public StoredObject save(QuotaObject object, Instant now) {
    QuotaObjectEntity row = findById(id(object.key()));
    boolean made = row == null;
    if (row == null) {
      row = new QuotaObjectEntity();
      row.kind = object.kind().kind();
      row.namespace = object.key().namespace();
      row.name = object.key().name();
      row.createdAt = now;
    }
    row.generation++;
    row.manifest = JournalJson.write(object);
    row.changedAt = now;
    if (made) {
      persist(row);
    }
    flush();
    replaceReferences(object);
    return stored(row);
  }

  private void replaceReferences(QuotaObject object) {
    ObjectKey key = object.key();
    getSession()
        .createNativeMutationQuery(
            "DELETE FROM quota_reference"
                + " WHERE from_kind = :kind AND from_namespace = :namespace AND from_name = :name")
        .setParameter("kind", key.kind().kind())
        .setParameter("namespace", key.namespace())
        .setParameter("name", key.name())
        .executeUpdate();
    for (ObjectKey to : new TreeSet<>(object.references())) {
      getSession()
          .createNativeMutationQuery(
              "INSERT INTO quota_reference"
                  + " VALUES (:kind, :namespace, :name, :toKind, :toNamespace, :toName)")
          .setParameter("kind", key.kind().kind())
          .setParameter("namespace", key.namespace())
          .setParameter("name", key.name())
          .setParameter("toKind", to.kind().kind())
          .setParameter("toNamespace", to.namespace())
          .setParameter("toName", to.name())
          .executeUpdate();
    }
  }

  /** Deletes an object; nothing may refer to it. */
  public void remove(ObjectKey key) {
    deleteById(id(key));
    flush();
  }

  /** What refers to an object, as words; at most a few. */
  public List<String> referrers(ObjectKey key, int most) {
    return getSession()
        .createNativeQuery(
            """
            SELECT from_kind || ' ' || concat_ws('/', nullif(from_namespace, ''), from_name)
            FROM quota_reference
            WHERE to_kind = :kind AND to_namespace = :namespace AND to_name = :name
            ORDER BY 1
            """,
            String.class)
        .setParameter("kind", key.kind().kind())
        .setParameter("namespace", key.namespace())
        .setParameter("name", key.name())
        .setMaxResults(most)
        .getResultList();
  }

  /** What names a cohort as its own or as its parent, as words; at most a few. */
  public List<String> membersOf(String cohort, int most) {
    return getSession()
        .createNativeQuery(
            """
            SELECT kind || ' ' || name FROM quota_object
            WHERE (kind = 'ClusterQueue' AND manifest -> 'spec' ->> 'cohortName' = :cohort)
              OR (kind = 'Cohort' AND manifest -> 'spec' ->> 'parentName' = :cohort)
            ORDER BY 1
            """,
            String.class)
        .setParameter("cohort", cohort)
        .setMaxResults(most)
        .getResultList();
  }

  /** Ids of live jobs in a LocalQueue; at most a few. */
  public List<String> liveJobsIn(QueueKey queue, int most) {
    return getSession()
        .createNativeQuery(
            LIVE_JOBS + "namespace = :namespace AND local_queue = :name", String.class)
        .setParameter("namespace", queue.namespace())
        .setParameter("name", queue.name())
        .setMaxResults(most)
        .getResultList();
  }

  /** Ids of live jobs that name a priority class; at most a few. */
  public List<String> liveJobsOfClass(String priorityClass, int most) {
    return getSession()
        .createNativeQuery(LIVE_JOBS + "priority_class = :name", String.class)
        .setParameter("name", priorityClass)
        .setMaxResults(most)
        .getResultList();
  }

  /** Ids of live jobs that name a compute class; at most a few. */
  public List<String> liveJobsOfComputeClass(String computeClass, int most) {
    return getSession()
        .createNativeQuery(
            LIVE_JOBS
                + "shape_id IN (SELECT id FROM workload_shape"
                + " WHERE body ->> 'computeClass' = :name)",
            String.class)
        .setParameter("name", computeClass)
        .setMaxResults(most)
        .getResultList();
  }

  /** Keeps a row from being named by new jobs until the transaction has ended. */
  public void lock(ObjectKey key) {
    lock(key, "UPDATE");
  }

  /** Keeps a row as it is until the transaction has ended or changed it; jobs may name it. */
  public void lockForChange(ObjectKey key) {
    lock(key, "NO KEY UPDATE");
  }

  private void lock(ObjectKey key, String strength) {
    getSession()
        .createNativeQuery(
            "SELECT name FROM quota_object"
                + " WHERE kind = :kind AND namespace = :namespace AND name = :name FOR "
                + strength,
            String.class)
        .setParameter("kind", key.kind().kind())
        .setParameter("namespace", key.namespace())
        .setParameter("name", key.name())
        .getResultList();
  }

  /** Does something else in the caller's transaction. */
  public void onConnection(Consumer<Connection> work) {
    getSession().doWork(work::accept);
  }

  /** The inputs that the caller's transaction has written so far, in their order. */
  public List<Input> inputsOfTransaction() {
    return getSession().doReturningWork(InputRows::ofTransaction);
  }

  /** Tells the engine, when the transaction commits. */
  public void append(List<Input> inputs) {
    getSession().doWork(connection -> InputRows.append(connection, inputs));
  }

  /** Writes down who is to blame, when the transaction commits. */
  public void blame(List<AuditEntry> entries) {
    getSession().doWork(connection -> AuditRows.insert(connection, entries));
  }

  private static QuotaObjectEntity.Key id(ObjectKey key) {
    return new QuotaObjectEntity.Key(key.kind().kind(), key.namespace(), key.name());
  }

  private static StoredObject stored(QuotaObjectEntity row) {
    return new StoredObject(
        JournalJson.read(row.manifest, QuotaObject.class),
        row.generation,
        row.createdAt,
        row.changedAt);
  }
}
