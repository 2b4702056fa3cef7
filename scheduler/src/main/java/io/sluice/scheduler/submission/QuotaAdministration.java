// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.plan.DatedConflicts;
import io.sluice.admission.state.AdmissionState;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.quota.QuotaLookup;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import io.sluice.scheduler.store.quota.StoredObject;
import io.sluice.scheduler.submission.team.Change;
import io.sluice.scheduler.submission.team.TeamAdministration;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes quota objects, each request as a whole or not at all, and informs the engine in the same
 * transaction; they take effect in its next round.
 */
@ApplicationScoped
public class QuotaAdministration {
  private static final int NAMED_MAX = 5;

  /** The longest time from now until a booking or an outage ends. */
  private static final Duration DATED_HORIZON = Duration.ofDays(3 * 366);

  private final QuotaObjectRepository rows;
  private final CommittedView view;
  private final JobCheck jobCheck;
  private final TeamAdministration teams;
  private final Clock clock = Clock.systemUTC();

  QuotaAdministration(
      QuotaObjectRepository rows, CommittedView view, JobCheck jobCheck, TeamAdministration teams) {
    this.teams = teams;
    this.rows = rows;
    this.view = view;
    this.jobCheck = jobCheck;
  }

  /** The effect of applying an object. */
  public enum Result {
    CREATED,
    CONFIGURED,
    UNCHANGED
  }

  /** An object that was applied. */
  public record Applied(StoredObject stored, Result result) {}

  /** The object of a key; null if there is none. */
  @Transactional
  public @Nullable StoredObject find(ObjectKey key) {
    return rows.find(key);
  }

  /** Objects of a kind after the given one, ordered by namespace and name. */
  @Transactional
  public List<StoredObject> list(ObjectKind kind, @Nullable ObjectKey after, int most) {
    return rows.list(kind, after, most);
  }

  /**
   * Creates an object.
   *
   * @throws RefusedException if it exists, or names an object that does not exist
   */
  @Transactional
  public StoredObject create(QuotaObject object, Caller caller) {
    teams.checkKey(object.key(), caller);
    rows.lockForWriting();
    if (rows.exists(object.key())) {
      throw new RefusedException(
          RefusedException.Kind.ALREADY_EXISTS, object.key() + " is there already");
    }
    return write(List.of(new Numbered<>(1, object)), List.of(), caller).get(0).stored();
  }

  /**
   * Changes an object.
   *
   * @param precondition checked in the transaction of the change
   * @throws RefusedException if it does not exist, fails the precondition, or names an object that
   *     does not exist
   */
  @Transactional
  public StoredObject update(QuotaObject object, Precondition precondition, Caller caller) {
    teams.checkKey(object.key(), caller);
    rows.lockForWriting();
    rows.lockForChange(object.key());
    StoredObject unused = check(object.key(), precondition);
    return write(List.of(new Numbered<>(1, object)), List.of(), caller).get(0).stored();
  }

  /**
   * Creates or changes objects, all or none.
   *
   * @param jobs to be submitted with them, which may name these objects; they are checked too
   * @throws RefusedException if any names an object that does not exist
   */
  @Transactional
  public List<Applied> apply(
      List<Numbered<QuotaObject>> objects, List<Numbered<JobSpec>> jobs, Caller caller) {
    rows.lockForWriting();
    return write(objects, jobs, caller);
  }

  private List<Applied> write(
      List<Numbered<QuotaObject>> numbered, List<Numbered<JobSpec>> jobs, Caller caller) {
    List<Violation> violations =
        new QuotaCheck(
                rows::exists,
                name -> rows.existsAnywhere(ObjectKind.LOCAL_QUEUE, name),
                this::storedObject)
            .violations(numbered);
    List<QuotaObject> objects = numbered.stream().map(Numbered::value).toList();
    List<Change> edit = new ArrayList<>();
    if (violations.isEmpty()) {
      edit.addAll(changes(objects));
      teams.checkCaller(edit, caller);
      violations.addAll(teams.violations(edit, documents(numbered, edit)));
      violations.addAll(datedViolations(numbered));
    }
    violations.addAll(jobViolations(objects, jobs));
    if (!violations.isEmpty()) {
      violations.sort(Comparator.comparingInt(Violation::document));
      throw new RefusedException(violations);
    }
    teams.follow(edit, caller);
    Map<ObjectKey, Applied> applied = save(edit, caller);
    for (QuotaObject object : objects) {
      StoredObject stored = applied.containsKey(object.key()) ? null : rows.find(object.key());
      if (stored != null) {
        applied.put(object.key(), new Applied(stored, Result.UNCHANGED));
      }
    }
    return objects.stream().map(object -> required(applied, object.key())).toList();
  }

  /**
   * What objects change, ordered by kind: the engine never sees a reference to an object that it
   * has not seen.
   */
  private List<Change> changes(List<QuotaObject> objects) {
    List<Change> changes = new ArrayList<>();
    for (QuotaObject given :
        objects.stream().sorted(Comparator.comparing(QuotaObject::key)).toList()) {
      StoredObject before = rows.find(given.key());
      QuotaObject object = withQueueing(given, before);
      if (before == null || !before.object().equals(object)) {
        changes.add(Change.written(before == null ? null : before.object(), object));
      }
    }
    return changes;
  }

  private static Map<ObjectKey, Integer> documents(
      List<Numbered<QuotaObject>> numbered, List<Change> edit) {
    Map<ObjectKey, Integer> documents = new TreeMap<>();
    numbered.forEach(one -> documents.put(one.value().key(), one.document()));
    documents.keySet().retainAll(edit.stream().map(Change::key).toList());
    return documents;
  }

  private Map<ObjectKey, Applied> save(List<Change> edit, Caller caller) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Map<ObjectKey, Applied> applied = new TreeMap<>();
    List<Input> inputs = new ArrayList<>();
    List<AuditEntry> blame = new ArrayList<>();
    for (Change change : edit) {
      QuotaObject object = change.after();
      if (object != null) {
        boolean created = change.before() == null;
        StoredObject after = rows.save(object, now);
        Result result = created ? Result.CREATED : Result.CONFIGURED;
        applied.put(object.key(), new Applied(after, result));
        inputs.add(new Input.SetObject(object, after.generation()));
        AuditEntry.Action action = created ? AuditEntry.Action.CREATE : AuditEntry.Action.UPDATE;
        blame.add(entry(caller, action, object.key(), ManifestWriter.toJson(object)));
      }
    }
    if (!inputs.isEmpty()) {
      rows.append(inputs);
      rows.blame(blame);
    }
    return applied;
  }

  /**
   * A ClusterQueue that does not say how it is served is served as before; a new one, by the
   * default of the installation.
   */
  private QuotaObject withQueueing(QuotaObject object, @Nullable StoredObject before) {
    if (!(object instanceof ClusterQueue queue)
        || queue.meta().annotations().get(Queueing.ANNOTATION) != null) {
      return object;
    }
    Queueing.Mode mode =
        before != null && before.object() instanceof ClusterQueue known
            ? known.policies().queueing().mode()
            : rows.defaultQueueing();
    return queue.withQueueing(queue.policies().queueing().withMode(mode));
  }

  private static AuditEntry entry(
      Caller caller, AuditEntry.Action action, ObjectKey key, @Nullable JsonNode manifest) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    if (manifest != null) {
      detail.set("manifest", manifest);
    }
    return new AuditEntry(
        caller, action, key.kind().kind(), key.namespace(), key.name(), null, detail);
  }

  private static Applied required(Map<ObjectKey, Applied> applied, ObjectKey key) {
    Applied one = applied.get(key);
    if (one == null) {
      throw new IllegalStateException(key + " was not applied");
    }
    return one;
  }

  private @Nullable QuotaObject storedObject(ObjectKey key) {
    StoredObject stored = rows.find(key);
    return stored == null ? null : stored.object();
  }

  private List<Violation> jobViolations(List<QuotaObject> objects, List<Numbered<JobSpec>> jobs) {
    Map<ObjectKey, QuotaObject> known = new TreeMap<>();
    for (QuotaObject object : objects) {
      known.put(object.key(), object);
      if (object instanceof Team team) {
        team.namespaces().forEach(namespace -> known.put(QuotaLookup.teamOf(namespace), team));
      }
    }
    List<Violation> violations = new ArrayList<>();
    for (Numbered<JobSpec> job : jobs) {
      learn(JobCheck.references(job.value()), known);
      FilledJob filled = FilledJob.of(job.value(), known);
      learn(JobCheck.references(filled.spec()), known);
      learn(JobCheck.queueOf(filled.spec(), known), known);
      learn(JobCheck.flavorsOf(filled.spec(), known), known);
      violations.addAll(jobCheck.violations(job.document(), filled, known));
    }
    return violations;
  }

  /** Violations of bookings and outages that are new or changed. */
  private List<Violation> datedViolations(List<Numbered<QuotaObject>> numbered) {
    Map<ObjectKey, QuotaObject> written = new TreeMap<>();
    numbered.forEach(one -> written.put(one.value().key(), one.value()));
    Map<ObjectKey, Integer> changed = new TreeMap<>();
    List<Violation> violations = new ArrayList<>();
    Instant now = clock.instant();
    for (Numbered<QuotaObject> one : numbered) {
      if (one.value() instanceof DatedObject dated && !dated.equals(storedObject(dated.key()))) {
        changed.put(dated.key(), one.document());
        checkTime(dated, one.document(), now, violations);
      }
    }
    if (changed.isEmpty()) {
      return violations;
    }
    List<DatedObject> dated = new ArrayList<>();
    for (ObjectKind kind : List.of(ObjectKind.BOOKING, ObjectKind.OUTAGE)) {
      List<DatedObject> its = all(DatedObject.class, kind, written);
      if (its.size() > DatedObject.COUNT_MAX) {
        Violation tooMany =
            new Violation(
                changed.values().iterator().next(),
                "kind",
                kind.kind(),
                "there would be %d of them, at most %d: delete those that have passed"
                    .formatted(its.size(), DatedObject.COUNT_MAX));
        violations.add(tooMany);
      }
      dated.addAll(its);
    }
    DatedConflicts.find(
            all(ClusterQueue.class, ObjectKind.CLUSTER_QUEUE, written),
            all(Cohort.class, ObjectKind.COHORT, written),
            dated,
            changed.keySet(),
            view.ask(AdmissionState::fleet).value())
        .forEach(
            found ->
                violations.add(
                    new Violation(
                        changed.getOrDefault(found.object(), 1),
                        found.field(),
                        found.value(),
                        found.message())));
    return violations;
  }

  private static void checkTime(
      DatedObject dated, int document, Instant now, List<Violation> violations) {
    Instant until = dated.period().until();
    if (!until.isAfter(now)) {
      violations.add(new Violation(document, "spec.until", until.toString(), "has passed"));
    } else if (until.isAfter(now.plus(DATED_HORIZON))) {
      String wrong = "is more than %d days away".formatted(DATED_HORIZON.toDays());
      violations.add(new Violation(document, "spec.until", until.toString(), wrong));
    }
  }

  /** All objects of a kind, as they will be stored. */
  private <T extends QuotaObject> List<T> all(
      Class<T> type, ObjectKind kind, Map<ObjectKey, QuotaObject> written) {
    Map<ObjectKey, T> all = new TreeMap<>();
    rows.all(kind).forEach(stored -> all.put(stored.key(), type.cast(stored)));
    for (QuotaObject object : written.values()) {
      if (object.kind() == kind) {
        all.put(object.key(), type.cast(object));
      }
    }
    return List.copyOf(all.values());
  }

  /** A stored object, or the stored team of a namespace. */
  private @Nullable QuotaObject named(ObjectKey key) {
    boolean ofNamespace = key.kind() == ObjectKind.TEAM && !key.namespace().isEmpty();
    return ofNamespace ? rows.teamOf(key.namespace()) : storedObject(key);
  }

  private void learn(List<ObjectKey> keys, Map<ObjectKey, QuotaObject> known) {
    for (ObjectKey key : keys) {
      QuotaObject stored = known.containsKey(key) ? null : named(key);
      if (stored != null) {
        known.put(key, stored);
      }
    }
  }

  /**
   * Deletes an object that nothing uses.
   *
   * @param precondition checked in the transaction of the deletion
   * @throws RefusedException if it does not exist, fails the precondition, or is in use; the
   *     message then names its users
   */
  @Transactional
  public void delete(ObjectKey key, Precondition precondition, Caller caller) {
    teams.checkKey(key, caller);
    rows.lockForWriting();
    rows.lock(key);
    List<Change> edit = List.of(Change.deleted(check(key, precondition).object()));
    teams.checkCaller(edit, caller);
    List<String> users = users(key);
    if (!users.isEmpty()) {
      String more = users.size() >= NAMED_MAX ? " and perhaps others" : "";
      throw new RefusedException(
          RefusedException.Kind.IN_USE, key + " is in use by " + String.join(", ", users) + more);
    }
    teams.follow(edit, caller);
    rows.remove(key);
    rows.append(List.of(new Input.RemoveObject(key)));
    rows.blame(List.of(entry(caller, AuditEntry.Action.DELETE, key, null)));
  }

  private List<String> users(ObjectKey key) {
    List<String> users = new ArrayList<>(rows.referrers(key, NAMED_MAX));
    switch (key.kind()) {
      case COHORT -> users.addAll(rows.membersOf(key.name(), NAMED_MAX));
      case LOCAL_QUEUE ->
          rows.liveJobsIn(new QueueKey(key.namespace(), key.name()), NAMED_MAX)
              .forEach(id -> users.add("job " + id));
      case WORKLOAD_PRIORITY_CLASS ->
          rows.liveJobsOfClass(key.name(), NAMED_MAX).forEach(id -> users.add("job " + id));
      case COMPUTE_CLASS ->
          rows.liveJobsOfComputeClass(key.name(), NAMED_MAX).forEach(id -> users.add("job " + id));
      case RESOURCE_FLAVOR -> users.addAll(attemptsWith(key.name()));
      case TOPOLOGY -> {
        // Flavors refer to it.
      }
      case BOOKING, OUTAGE, TEAM, ROLE_BINDING -> {
        // Nothing refers to them.
      }
      case CLUSTER_QUEUE -> {
        // Its LocalQueues refer to it, and jobs keep those.
      }
    }
    return users;
  }

  /** Attempts that still use a flavor, even if no queue offers it any more. */
  private List<String> attemptsWith(String flavor) {
    return view.ask(
            state ->
                state.attempts().stream()
                    .filter(
                        attempt ->
                            attempt.assignment().podSets().stream()
                                .anyMatch(podSet -> podSet.flavors().containsValue(flavor)))
                    .map(attempt -> "job " + attempt.key().job())
                    .distinct()
                    .limit(NAMED_MAX)
                    .toList())
        .value();
  }

  /** The row is locked, so the result holds until the transaction ends. */
  private StoredObject check(ObjectKey key, Precondition precondition) {
    StoredObject stored = rows.find(key);
    if (stored == null) {
      throw notFound(key);
    }
    if (!precondition.holds(stored.generation())) {
      throw RefusedException.stale(key, stored.generation());
    }
    return stored;
  }

  private static RefusedException notFound(ObjectKey key) {
    return new RefusedException(RefusedException.Kind.NOT_FOUND, "there is no " + key);
  }
}
