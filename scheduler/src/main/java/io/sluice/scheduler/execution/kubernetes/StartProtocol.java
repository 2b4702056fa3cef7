// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.ClusterObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates the suspended objects of a generation, commits them, and then releases them. Each step is
 * idempotent, on this server and on the next. So nothing runs twice, and nothing runs that the
 * leader of its time had not committed.
 */
final class StartProtocol implements Starting {
  private static final int CONFLICTS_MAX = 10;

  private final ClusterWork work;
  private final Launch launch;

  /** The objects by UID as the API server created them, to detect edits. */
  private final Map<UUID, JsonNode> asCreated = new TreeMap<>();

  StartProtocol(ClusterWork work, Launch launch) {
    this.work = work;
    this.launch = launch;
  }

  @Override
  public Outcome run(List<ObjectRef> objects) {
    objects.clear();
    AdoptedObject adopted = launch.adopted();
    Outcome placed = adopted == null ? create(objects) : placeAdopted(adopted, objects);
    if (placed != Outcome.RELEASED) {
      return placed;
    }
    boolean kept = launch.documents() != null;
    if (!commit(objects, kept)) {
      return Outcome.OVERTAKEN;
    }
    for (int number = 0; number < objects.size(); number++) {
      ObjectRef released = release(objects.get(number), kept);
      if (released == null) {
        return Outcome.OVERTAKEN;
      }
      objects.set(number, released);
    }
    return Outcome.RELEASED;
  }

  /** Creates the objects; RELEASED if the next step may follow. */
  private Outcome create(List<ObjectRef> objects) {
    Rendering.Rendered rendered = work.rendering().render(launch);
    for (ObjectNode beside : rendered.beside()) {
      createBeside(beside);
    }
    for (ObjectNode object : rendered.objects()) {
      ObjectRef placed = place(object);
      if (placed == null) {
        return Outcome.LATER;
      }
      objects.add(placed);
    }
    return Outcome.RELEASED;
  }

  private Outcome placeAdopted(AdoptedObject adopted, List<ObjectRef> objects) {
    AdoptedStart.Placed placed = new AdoptedStart(work, launch, adopted).place();
    if (placed.objects().isEmpty()) {
      return placed.overtaken() ? Outcome.OVERTAKEN : Outcome.LATER;
    }
    for (JsonNode object : placed.objects()) {
      ObjectRef made = ObjectRef.of(ClusterKind.of(adopted.kind()), object);
      asCreated.put(made.uid(), comparable(object));
      objects.add(made);
    }
    return Outcome.RELEASED;
  }

  /**
   * Returns the objects of an attempt in a cluster, whoever created them, without owned objects.
   */
  static List<ObjectRef> search(ClusterWork work, Launch launch) {
    List<ObjectRef> all = new ArrayList<>();
    String selector = LabelledAttempt.selector(launch.attempt());
    for (ClusterKind kind : ClusterKind.values()) {
      boolean candidate =
          launch.documents() != null || kind == ClusterKind.JOB || kind == ClusterKind.JOB_SET;
      if (candidate) {
        for (JsonNode found :
            work.cluster().list(kind, launch.job().meta().namespace(), selector)) {
          if (found.path("metadata").path("ownerReferences").isEmpty()) {
            all.add(ObjectRef.of(kind, found));
          }
        }
      }
    }
    return all;
  }

  private String namespace() {
    return launch.job().meta().namespace();
  }

  /** Creates an object beside; one that exists is not this attempt's and stays as it is. */
  private void createBeside(ObjectNode object) {
    try {
      JsonNode unused = createIn(object);
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.TAKEN) {
        throw failure;
      }
    }
  }

  /** Creates the object, or finds it; null if an older one is still in its place. */
  private @Nullable ObjectRef place(ObjectNode object) {
    ClusterKind kind = ClusterKind.of(object);
    try {
      JsonNode created = createIn(object);
      ObjectRef made = ObjectRef.of(kind, created);
      asCreated.put(made.uid(), comparable(created));
      return made;
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.GONE) {
        throw nowhere(kind, failure);
      }
      if (failure.reason() != Reason.TAKEN) {
        throw failure;
      }
      ObjectRef wanted =
          new ObjectRef(
              kind, namespace(), object.path("metadata").path("name").asText(), new UUID(0, 0), "");
      JsonNode there = work.cluster().find(wanted);
      return there == null ? null : taken(kind, there, failure);
    }
  }

  /**
   * Creates the object. An API server checks rights before it looks for the namespace: in a
   * namespace that does not exist it reports a missing right.
   */
  private JsonNode createIn(ObjectNode object) {
    try {
      return work.cluster().create(object, namespace());
    } catch (ClusterException failure) {
      boolean forbidden = failure.waiting().blocker() == StartBlocker.NOT_PERMITTED;
      if (forbidden && !work.cluster().serves("/api/v1/namespaces/" + namespace())) {
        throw withoutNamespace(failure);
      }
      throw failure;
    }
  }

  /** Tells a missing kind from a missing namespace. */
  private ClusterException nowhere(ClusterKind kind, ClusterException failure) {
    return work.cluster().has(kind)
        ? withoutNamespace(failure)
        : new ClusterException(
            Reason.REFUSED,
            StartBlocker.KIND_MISSING,
            "cluster %s: it has no %s: is its CRD installed?"
                .formatted(work.cluster().name(), kind.word()),
            failure);
  }

  private ClusterException withoutNamespace(ClusterException failure) {
    return new ClusterException(
        Reason.REFUSED,
        StartBlocker.NAMESPACE_MISSING,
        "cluster %s: namespace %s is not there".formatted(work.cluster().name(), namespace()),
        failure);
  }

  /** Returns the object of that name if it is this launch's; tells an older one to end. */
  private @Nullable ObjectRef taken(ClusterKind kind, JsonNode there, ClusterException failure) {
    LabelledAttempt of = LabelledAttempt.of(there);
    ObjectRef found = ObjectRef.of(kind, there);
    if (of == null) {
      throw new ClusterException(
          Reason.REFUSED,
          StartBlocker.NAME_TAKEN,
          "there is a " + found.words() + " that is not Sluice's",
          failure);
    }
    if (LabelledAttempt.isOf(there, launch)) {
      return there.path("metadata").has("deletionTimestamp") ? null : found;
    }
    boolean older =
        of.key().job().equals(launch.attempt().job())
            && of.key().index() == launch.attempt().index()
            && isOlder(of, launch.attempt());
    if (!older && !isOver(there)) {
      throw new ClusterException(
          Reason.REFUSED,
          StartBlocker.NAME_TAKEN,
          "there is a " + found.words() + " already: it runs job " + of.key().job(),
          failure);
    }
    Duration grace = launch.earlier().grace();
    boolean unused =
        work.cluster().delete(found, grace == null ? launch.job().limits().gracePeriod() : grace);
    return null;
  }

  private boolean isOlder(LabelledAttempt other, AttemptKey own) {
    return other.key().attempt() < own.attempt()
        || (other.key().attempt() == own.attempt() && other.generation() < launch.generation());
  }

  private static boolean isOver(JsonNode object) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      String type = condition.path("type").asText();
      if (condition.path("status").asText().equals("True")
          && (type.startsWith("Complete") || type.equals("Failed"))) {
        return true;
      }
    }
    return false;
  }

  private boolean commit(List<ObjectRef> objects, boolean kept) {
    List<ClusterObject> rows = new ArrayList<>();
    for (ObjectRef object : objects) {
      rows.add(object.written(work.cluster().name(), launch.attempt(), launch.generation(), kept));
    }
    return work.rows().commit(rows, work.lead().epoch());
  }

  /**
   * Releases an object if it is as committed, or if only its controller changed it since. After a
   * conflict it commits the new version and retries. Null: this launch was overtaken.
   */
  private @Nullable ObjectRef release(ObjectRef committed, boolean kept) {
    ObjectRef object = committed;
    for (int tries = 0; tries < CONFLICTS_MAX; tries++) {
      try {
        return ObjectRef.of(object.kind(), work.cluster().change(object, running(object)));
      } catch (ClusterException failure) {
        if (failure.reason() != Reason.CONFLICT) {
          throw failure;
        }
        JsonNode there = work.cluster().find(object);
        if (there == null) {
          throw new ClusterException(Reason.GONE, object.words() + " is gone", failure);
        }
        ObjectRef now = ObjectRef.of(object.kind(), there);
        JsonNode before = asCreated.get(object.uid());
        if (!now.uid().equals(object.uid())) {
          throw new ClusterException(
              Reason.CONFLICT, object.words() + " was replaced after its creation", failure);
        }
        if (before != null && !before.equals(comparable(there))) {
          throw new ClusterException(
              Reason.INVALID, object.words() + " was edited by somebody else", failure);
        }
        if (!commit(List.of(now), kept)) {
          return null;
        }
        object = now;
      }
    }
    throw new ClusterException(
        Reason.AWAY,
        object.words() + " changes too often to be released",
        new IllegalStateException(CONFLICTS_MAX + " conflicts"));
  }

  /** Returns the change of the spec that releases an object. */
  private ObjectNode running(ObjectRef object) {
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    if (object.kind() != ClusterKind.POD) {
      return spec.put("suspend", false);
    }
    ArrayNode gates = spec.putArray("schedulingGates");
    JsonNode there = work.cluster().find(object);
    if (there != null) {
      for (JsonNode gate : there.path("spec").path("schedulingGates")) {
        if (!gate.path("name").asText().equals(AttemptLabels.GATE)) {
          gates.add(gate);
        }
      }
    }
    return spec;
  }

  /** Returns the part of an object that only its creator may change. */
  private static JsonNode comparable(JsonNode object) {
    JsonNode spec = ObjectDigest.said(object.path("spec"));
    if (spec instanceof ObjectNode fields) {
      fields.remove("suspend");
      fields.remove("schedulingGates");
    }
    return spec;
  }
}
