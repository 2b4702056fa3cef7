// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.field.QueueLabels;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.DefaultQueueLabels;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.execution.kubernetes.cluster.RetryPause;
import io.sluice.scheduler.execution.kubernetes.cluster.SerialExecutor;
import io.sluice.scheduler.execution.kubernetes.cluster.StateLog;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.store.cluster.KueuePlaceRows;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import io.sluice.scheduler.submission.AdoptionTransaction;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles the objects that users create in one cluster with their jobs, while this server leads.
 * A pass compares the observed objects with the stored ones and applies the difference. It keeps no
 * state that decisions need, so any leader can continue.
 */
public final class Adoption implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Adoption.class);
  private static final Duration PASS_EVERY = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration SCOPES_EVERY = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(10);

  /** The most objects that one pass asks for, and the most whose status it writes. */
  private static final int ASKED_MAX = 50;

  private static final int TOLD_MAX = 100;

  private final Cluster cluster;
  private final Leadership lead;
  private final Adoptions terms;
  private final AdoptionTransaction transaction;
  private final AdoptedObjectRows rows;
  private final KueuePlaceRows placeRows;
  private final AdoptedReading reading;
  private final AdoptionWatch watch;
  private final SubmitterPolicy submitters;
  private final StatusWriter status;
  private final DefaultQueueLabels namespaces;
  private final LongSupplier monotonicNanos;
  private final SerialExecutor executor;
  private final AtomicBoolean passPending = new AtomicBoolean();

  /** The last resourceVersion handled, by UID. */
  private final Map<UUID, String> settled = new HashMap<>();

  /** Refused objects by UID, with the time of their next try. */
  private final Map<UUID, Refusal> refusals = new HashMap<>();

  /** Places of objects in Kueue's line by UID, as of the last pass. */
  private Map<UUID, KueuePlace> places = Map.of();

  private final StateLog troubles = new StateLog(LOG);
  private final RetryPause retry = new RetryPause(PASS_EVERY);
  private long notBefore;
  private long scopesAt;
  private boolean begun;

  /**
   * The refusal of an object that is not a valid job.
   *
   * @param placed whether its place in Kueue's line was known; places are stored with the imported
   *     queues
   */
  private record Refusal(String digest, boolean placed, long again) {}

  public Adoption(
      Cluster cluster,
      Leadership lead,
      Adoptions terms,
      AdoptedObjectRows rows,
      KueuePlaceRows placeRows,
      AdoptedReading reading) {
    this.cluster = cluster;
    this.lead = lead;
    this.terms = terms;
    this.transaction = terms.transactions().get();
    this.rows = rows;
    this.placeRows = placeRows;
    this.reading = reading;
    this.monotonicNanos = System::nanoTime;
    this.notBefore = monotonicNanos.getAsLong();
    this.namespaces = new DefaultQueueLabels(cluster, monotonicNanos);
    this.submitters = new SubmitterPolicy(cluster, monotonicNanos);
    this.status = new StatusWriter(cluster, monotonicNanos);
    this.executor = new SerialExecutor("adoption-" + cluster.name());
    // Last, because the watch may call back at once.
    this.watch = new AdoptionWatch(cluster, terms.kueueNamespace(), this::soon, monotonicNanos);
    executor.post(this::again);
  }

  private void again() {
    try {
      pass();
    } finally {
      executor.later(PASS_EVERY, this::again);
    }
  }

  private void soon() {
    if (passPending.compareAndSet(false, true)) {
      executor.later(
          SOON,
          () -> {
            passPending.set(false);
            pass();
          });
    }
  }

  private void pass() {
    if (!lead.holds() || monotonicNanos.getAsLong() - notBefore < 0) {
      return;
    }
    try {
      beginWatches();
      if (watch.isComplete()) {
        compare();
        troubles.clear();
        retry.reset();
      }
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.AWAY) {
        troubles.warn("adoption failed; retrying: " + failure.text());
      }
      notBefore = monotonicNanos.getAsLong() + retry.take(RETRY).toNanos();
    } catch (TransientStoreException failure) {
      troubles.warn(
          "adoption in cluster %s failed; retrying: %s"
              .formatted(cluster.name(), failure.getMessage()));
    } catch (LostEpochException lost) {
      lead.lose(lost);
    }
  }

  private void beginWatches() {
    long now = monotonicNanos.getAsLong();
    // Kueue may have started between two checks; from then on it manages the objects with its
    // label.
    if (!begun || watch.kueueChanged() || now - scopesAt >= SCOPES_EVERY.toNanos()) {
      Set<String> defaults = terms.defaultNamespaces().get();
      namespaces.set(defaults);
      begun = watch.begin(defaults);
      scopesAt = now;
    }
  }

  private void compare() {
    // Read the watch first, so that the stored state is never the older one.
    Map<UUID, SeenObject> seen = watch.seen();
    Map<UUID, Standing> live = rows.live(cluster.name());
    settled.keySet().retainAll(seen.keySet());
    refusals.keySet().retainAll(seen.keySet());
    Set<UUID> concerned = new HashSet<>(seen.keySet());
    concerned.addAll(live.keySet());
    status.retain(concerned);

    Map<UUID, Standing> known = new TreeMap<>(live);
    Set<UUID> unknown = new HashSet<>(seen.keySet());
    unknown.removeAll(live.keySet());
    unknown.removeIf(uid -> isSettled(seen.get(uid)));
    known.putAll(rows.find(cluster.name(), unknown));
    places = watch.kueueLives() ? Map.of() : placeRows.find(cluster.name());
    int toldLeft = TOLD_MAX;
    for (SeenObject object : inLine(seen)) {
      if (!isSettled(object)) {
        Standing standing = known.get(object.ref().uid());
        take(object, standing);
        toldLeft -= standing != null && toldLeft > 0 ? say(object, standing) : 0;
      }
    }
    Map<UUID, Standing> missing = new TreeMap<>(live);
    missing.keySet().removeAll(seen.keySet());
    if (watch.kueueLives()) {
      handToKueue(missing);
    }
    missing.values().stream().limit(ASKED_MAX).forEach(this::lookFor);
  }

  /** Orders objects: those with a place in Kueue's line by that place, then all others. */
  private List<SeenObject> inLine(Map<UUID, SeenObject> seen) {
    List<SeenObject> line = new ArrayList<>();
    places.values().stream()
        .sorted()
        .map(place -> seen.get(place.uid()))
        .filter(Objects::nonNull)
        .forEach(line::add);
    seen.forEach(
        (uid, object) -> {
          if (!places.containsKey(uid)) {
            line.add(object);
          }
        });
    return line;
  }

  /** Cancels pending jobs whose objects Kueue manages from now on: the watch no longer has them. */
  private void handToKueue(Map<UUID, Standing> missing) {
    List<Standing> waiting = missing.values().stream().filter(Adoption::isPending).toList();
    for (Standing known : waiting) {
      cancel(known, AdoptedReading.caller(known.object().namespace()), "left to Kueue");
      missing.remove(known.object().uid());
    }
  }

  private static boolean isPending(Standing known) {
    return switch (known.state()) {
      case SUBMITTED, PENDING -> true;
      default -> false;
    };
  }

  private boolean isSettled(@Nullable SeenObject object) {
    return object != null && object.ref().resourceVersion().equals(settled.get(object.ref().uid()));
  }

  private void take(SeenObject object, @Nullable Standing known) {
    Caller caller = AdoptedReading.caller(object.ref().namespace());
    AdoptionStep step = AdoptionStep.of(object, known, caller.name());
    switch (step) {
      case ADOPT -> adopt(object, known);
      case CANCEL -> cancel(known, caller, takenBack(object, known));
      case SUSPEND -> suspend(object);
      case LEAVE -> {
        status.warn(
            object,
            "NotSuspended",
            "it names a queue and was created running: it runs without admission");
        settle(object);
      }
      case WAIT -> {}
      case NOTHING -> {
        if (known == null) {
          settle(object);
        }
      }
    }
  }

  /** Returns why the job ends: an evicted pod is deleted, since a pod cannot be suspended. */
  private static String takenBack(SeenObject object, @Nullable Standing known) {
    boolean evicted =
        known != null
            && known.state() == JobState.DRAINING
            && object.ref().kind() == ClusterKind.POD;
    return evicted ? "evicted" : "deleted";
  }

  /** Skips the object until it changes. */
  private void settle(SeenObject object) {
    settled.put(object.ref().uid(), object.ref().resourceVersion());
  }

  private void adopt(SeenObject object, @Nullable Standing former) {
    UUID uid = object.ref().uid();
    long now = monotonicNanos.getAsLong();
    Refusal refusal = refusals.get(uid);
    if (refusal != null
        && refusal.digest().equals(object.digest())
        && refusal.placed() == places.containsKey(uid)
        && now < refusal.again()) {
      return;
    }
    JsonNode whole = watch.find(uid);
    if (whole == null) {
      return;
    }
    try {
      AdoptedObject version =
          new AdoptedObject(
              cluster.name(),
              uid,
              former == null ? 1 : former.object().version() + 1,
              object.ref().kind().word(),
              object.ref().namespace(),
              object.ref().name(),
              object.digest());
      Submission submission = reading.read(whole, submitters.submitter(whole));
      Caller canceller = AdoptedReading.caller(version.namespace());
      transaction.adopt(version, former, canceller, submission, lead.epoch());
      refusals.remove(uid);
      soon();
    } catch (InvalidManifestException wrong) {
      refuse(object, former, String.valueOf(wrong.violations().get(0)));
    } catch (RefusedException refused) {
      refuse(object, former, refused.refusal().detail());
    }
  }

  /**
   * Records that the edited object is not a valid job, and cancels the job of its previous version.
   */
  private void refuse(SeenObject object, @Nullable Standing former, String why) {
    refusals.put(
        object.ref().uid(),
        new Refusal(
            object.digest(),
            places.containsKey(object.ref().uid()),
            monotonicNanos.getAsLong() + RETRY.toNanos()));
    status.warn(object, "NotAdopted", why);
    if (former != null && !former.state().terminal()) {
      cancel(former, AdoptedReading.caller(object.ref().namespace()), "edited");
    }
  }

  private void cancel(@Nullable Standing known, Caller caller, String why) {
    if (known != null && known.cancelledBy() == null) {
      transaction.cancel(known, caller, why, lead.epoch());
      refusals.remove(known.object().uid());
    }
  }

  private void suspend(SeenObject object) {
    try {
      JsonNode unused =
          cluster.change(object.ref(), JsonNodeFactory.instance.objectNode().put("suspend", true));
      status.warn(object, "Suspended", "it was not admitted, so it may not run");
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.GONE) {
        throw failure;
      }
      // It changed since it was observed; the watch shows the new version soon.
    }
  }

  /** Looks up an object that has a job and is not in the watch. */
  private void lookFor(Standing known) {
    AdoptedObject object = known.object();
    JsonNode there = findAdopted(object);
    Caller caller = AdoptedReading.caller(object.namespace());
    if (there == null) {
      cancel(known, caller, "deleted");
      return;
    }
    boolean named =
        QueueLabels.nameQueue(there)
            || terms.defaultNamespaces().get().contains(object.namespace());
    if (isPending(known) && !named) {
      cancel(known, caller, "without a queue");
    }
  }

  /** Returns the object, or a pod of the group; null if any part of it is gone. */
  private @Nullable JsonNode findAdopted(AdoptedObject object) {
    if (ClusterKind.of(object.kind()) != ClusterKind.POD) {
      return cluster.findSame(ObjectRef.of(object));
    }
    SeenPodGroup group = SeenPodGroup.find(cluster, object);
    return group == null ? null : group.pods().get(0);
  }

  /** Writes the object's status if it is due; returns the number of writes. */
  private int say(SeenObject object, Standing known) {
    UUID uid = object.ref().uid();
    boolean over = known.state().terminal();
    JsonNode whole = watch.find(uid);
    if (whole == null || !(over || status.isDue(uid))) {
      return 0;
    }
    ObjectStatus now = ObjectStatus.of(known, over ? null : terms.reasons().of(known.job()));
    boolean own = object.phase() == SeenObject.Phase.SUSPENDED || (now != null && now.admitted());
    if (now == null || !own) {
      return 0;
    }
    status.say(object, whole, now);
    return 1;
  }

  @Override
  public void close() {
    executor.close();
    watch.close();
    namespaces.close();
  }
}
