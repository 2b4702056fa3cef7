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
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.input.InputRows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rows of quota objects. Every method takes part in the caller's transaction. */
@ApplicationScoped
public class QuotaObjectRepository
    implements PanacheRepositoryBase<QuotaObjectEntity, QuotaObjectEntity.Key> {
  private static final int PAGE = 500;
  private static final long WRITE_LOCK = 0x71756f7461L;
  private static final String LIVE_JOBS = "SELECT id::text FROM job WHERE finished_at IS NULL AND ";

  /**
   * Serializes transactions that write quota objects, so that checks stay true until the commit.
   */
  public void lockForWriting() {
    getSession()
        .createNativeQuery("SELECT pg_advisory_xact_lock(:lock)", Object.class)
        .setParameter("lock", WRITE_LOCK)
        .getSingleResult();
  }

  /** The object of a key; null if there is none. */
  public @Nullable StoredObject find(ObjectKey key) {
    QuotaObjectEntity row = findById(id(key));
    return row == null ? null : stored(row);
  }

  /** Whether the object exists. */
  public boolean exists(ObjectKey key) {
    return count(
            "kind = ?1 and namespace = ?2 and name = ?3",
            key.kind().kind(),
            key.namespace(),
            key.name())
        > 0;
  }

  /** Whether any namespace has an object of that kind and name. */
  public boolean existsAnywhere(ObjectKind kind, String name) {
    return count("kind = ?1 and name = ?2", kind.kind(), name) > 0;
  }

  /**
   * Objects of a kind, ordered by namespace and name.
   *
   * @param after returns only later keys; null: starts with the first
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

  /** All objects of a kind, ordered by namespace and name. */
  public List<QuotaObject> all(ObjectKind kind) {
    List<QuotaObject> all = new ArrayList<>();
    @Nullable ObjectKey after = null;
    List<StoredObject> page;
    do {
      page = list(kind, after, PAGE);
      page.forEach(stored -> all.add(stored.object()));
      after = page.isEmpty() ? null : page.get(page.size() - 1).object().key();
    } while (page.size() == PAGE);
    return all;
  }

  /** The objects of a kind in a namespace, ordered by name. */
  public List<QuotaObject> all(ObjectKind kind, String namespace) {
    return find("kind = ?1 and namespace = ?2", Sort.by("name"), kind.kind(), namespace).stream()
        .map(row -> stored(row).object())
        .toList();
  }

  /** The number of objects of a kind in these namespaces; kinds without have the empty one. */
  public long count(ObjectKind kind, List<String> namespaces) {
    return count("kind = ?1 and namespace in ?2", kind.kind(), namespaces);
  }

  /** Inserts an object, or stores a new generation of it. */
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

  /** Deletes an object, to which nothing may refer. */
  public void remove(ObjectKey key) {
    deleteById(id(key));
    flush();
  }

  /** Objects that refer to an object, in words; at most {@code most}. */
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

  /** Objects that name a cohort as their own or as their parent, in words; at most {@code most}. */
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

  /** Ids of live jobs in a LocalQueue; at most {@code most}. */
  public List<String> liveJobsIn(QueueKey queue, int most) {
    return getSession()
        .createNativeQuery(
            LIVE_JOBS + "namespace = :namespace AND local_queue = :name", String.class)
        .setParameter("namespace", queue.namespace())
        .setParameter("name", queue.name())
        .setMaxResults(most)
        .getResultList();
  }

  /** Ids of live jobs that name a priority class; at most {@code most}. */
  public List<String> liveJobsOfClass(String priorityClass, int most) {
    return getSession()
        .createNativeQuery(LIVE_JOBS + "priority_class = :name", String.class)
        .setParameter("name", priorityClass)
        .setMaxResults(most)
        .getResultList();
  }

  /** Ids of live jobs that name a compute class; at most {@code most}. */
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

  /** How a ClusterQueue is served that does not say so when it is created. */
  public Queueing.Mode defaultQueueing() {
    boolean planned =
        getSession()
            .createNativeQuery(
                "SELECT value FROM installation_setting WHERE name = :name", String.class)
            .setParameter("name", SettingRows.QUEUEING)
            .getResultList()
            .contains(Queueing.Mode.PLANNED.word());
    return planned ? Queueing.Mode.PLANNED : Queueing.Mode.KUEUE;
  }

  /** Locks a row until the transaction ends, so that no new job can name it. */
  public void lock(ObjectKey key) {
    getSession()
        .createNativeQuery("SELECT lock_quota_objects()", Object.class)
        .getSingleResultOrNull();
    lock(key, "UPDATE");
  }

  /** Locks a row against changes until the transaction ends; jobs may still name it. */
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

  /** Runs JDBC statements in the caller's transaction. */
  public void onConnection(Consumer<Connection> work) {
    getSession().doWork(work::accept);
  }

  /** The team of a namespace; null if it is in none. */
  public @Nullable QuotaObject teamOf(String namespace) {
    return getSession()
        .doReturningWork(
            connection -> {
              ObjectKey key = QuotaLookup.teamOf(namespace);
              return QuotaLookup.find(connection, List.of(key)).get(key);
            });
  }

  /** The inputs that the caller's transaction has written so far, in their order. */
  public List<Input> inputsOfTransaction() {
    return getSession().doReturningWork(InputRows::ofTransaction);
  }

  /** Stores inputs for the engine, when the transaction commits. */
  public void append(List<Input> inputs) {
    getSession().doWork(connection -> InputRows.append(connection, inputs));
  }

  /** Stores audit entries, when the transaction commits. */
  public void blame(List<AuditEntry> entries) {
    getSession().doWork(connection -> AuditRows.insert(connection, entries));
  }

  private static QuotaObjectEntity.Key id(ObjectKey key) {
    return new QuotaObjectEntity.Key(key.kind().kind(), key.namespace(), key.name());
  }

  private static StoredObject stored(QuotaObjectEntity row) {
    return new StoredObject(
        ParsedObjects.of(row.manifest), row.generation, row.createdAt, row.changedAt);
  }
}
