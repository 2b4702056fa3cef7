// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.kubernetes.accelerators.Place;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Caches all objects and pods of attempts in a cluster by watches, which restart when they break.
 */
public final class ClusterWatch implements AutoCloseable {
  private static final String BY_ATTEMPT = "attempt";

  /** Objects per page of a list. */
  public static final long PAGE = 500;

  /** Receives changes. */
  public interface Listener {
    /** An object or pod of an attempt changed. */
    void changed(AttemptKey attempt);

    /** The current or last state of a pod of an attempt. */
    void saw(AttemptKey attempt, SeenPod pod);
  }

  private final Cluster cluster;
  private final Listener listener;
  private final LongSupplier monotonicNanos;
  private final Map<ClusterKind, RenewedInformer<GenericKubernetesResource>> owners =
      new EnumMap<>(ClusterKind.class);
  private @Nullable RenewedInformer<Pod> pods;

  public ClusterWatch(Cluster cluster, Listener listener, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.listener = listener;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Starts watches of all kinds that the cluster has; existing ones continue.
   *
   * @throws ClusterException if the cluster does not list its kinds; the caller must retry
   */
  public synchronized void begin() {
    for (ClusterKind kind : ClusterKind.values()) {
      if (kind != ClusterKind.POD && !owners.containsKey(kind) && cluster.has(kind)) {
        owners.put(kind, new RenewedInformer<>(cluster, () -> made(kind), monotonicNanos));
      }
    }
    if (pods == null) {
      pods = new RenewedInformer<>(cluster, this::madeOfPods, monotonicNanos);
    }
  }

  /**
   * Renews watches after their maximum age, each with a list beside the old one.
   *
   * @return whether a watch was replaced: objects may be gone without an event
   */
  public synchronized boolean renew() {
    boolean renewed = pods != null && pods.renew();
    for (RenewedInformer<GenericKubernetesResource> one : owners.values()) {
      renewed |= one.renew();
    }
    return renewed;
  }

  private SharedIndexInformer<GenericKubernetesResource> made(ClusterKind kind) {
    return prepared(
        cluster
            .client()
            .genericKubernetesResources(kind.context())
            .inAnyNamespace()
            .withLabel(AttemptLabels.JOB_ID)
            .withLimit(PAGE)
            .runnableInformer(0));
  }

  private SharedIndexInformer<Pod> madeOfPods() {
    return prepared(
        cluster
            .client()
            .pods()
            .inAnyNamespace()
            .withLabel(AttemptLabels.JOB_ID)
            .withLimit(PAGE)
            .runnableInformer(0));
  }

  private <T extends HasMetadata> SharedIndexInformer<T> prepared(SharedIndexInformer<T> informer) {
    Map<String, Function<T, List<String>>> indexers = Map.of(BY_ATTEMPT, ClusterWatch::keys);
    informer.removeNamespaceIndex().addIndexers(indexers).addEventHandler(new Handler<T>());
    return informer;
  }

  private static List<String> keys(HasMetadata object) {
    LabelledAttempt attempt = LabelledAttempt.of(object.getMetadata().getLabels());
    return attempt == null ? List.of() : List.of(attempt.key().toString());
  }

  private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {
    private void tell(T object) {
      LabelledAttempt attempt = LabelledAttempt.of(object.getMetadata().getLabels());
      if (attempt != null) {
        if (object instanceof Pod pod) {
          listener.saw(attempt.key(), SeenPod.of(pod));
        }
        listener.changed(attempt.key());
      }
    }

    @Override
    public void onAdd(T object) {
      tell(object);
    }

    @Override
    public void onUpdate(T before, T after) {
      tell(after);
    }

    @Override
    public void onDelete(T object, boolean unknown) {
      tell(object);
    }
  }

  /** Whether the watch of pods is connected. */
  public synchronized boolean isWatching() {
    return pods != null && pods.present().isWatching();
  }

  /** Whether each watch has completed its first list. */
  public synchronized boolean isComplete() {
    return pods != null
        && pods.present().hasSynced()
        && owners.values().stream().allMatch(one -> one.present().hasSynced());
  }

  /** Returns the object as last observed; null if it was never observed or is gone. */
  public @Nullable GenericKubernetesResource owner(AttemptKey attempt, ObjectRef object) {
    SharedIndexInformer<GenericKubernetesResource> informer = informer(object.kind());
    if (informer == null) {
      return null;
    }
    for (GenericKubernetesResource one :
        informer.getIndexer().byIndex(BY_ATTEMPT, attempt.toString())) {
      if (object.uid().toString().equals(one.getMetadata().getUid())) {
        return one;
      }
    }
    return null;
  }

  private synchronized @Nullable SharedIndexInformer<GenericKubernetesResource> informer(
      ClusterKind kind) {
    RenewedInformer<GenericKubernetesResource> seen = owners.get(kind);
    return seen == null ? null : seen.present();
  }

  /** Returns the pods of a generation of an attempt. */
  public List<SeenPod> pods(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation).map(SeenPod::of).toList();
  }

  /** Returns the pods of a generation that still carry Sluice's scheduling gate. */
  public List<Pod> gated(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation)
        .filter(pod -> isGated(pod) && pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** Returns the pods of a generation that have not ended and are not being deleted. */
  public List<Pod> living(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !SeenPod.of(pod).over())
        .toList();
  }

  /** Returns the endpoints that expose metrics of an attempt's chips. */
  public List<Place> chips(AttemptKey attempt, int port) {
    return podsOf(attempt)
        .map(pod -> Place.of(pod, attempt.job(), port))
        .filter(Objects::nonNull)
        .toList();
  }

  private Stream<Pod> podsOf(AttemptKey attempt, int generation) {
    return podsOf(attempt)
        .filter(
            pod -> {
              LabelledAttempt of = LabelledAttempt.of(pod.getMetadata().getLabels());
              return of != null && of.generation() == generation;
            });
  }

  private Stream<Pod> podsOf(AttemptKey attempt) {
    SharedIndexInformer<Pod> informer;
    synchronized (this) {
      if (pods == null) {
        return Stream.of();
      }
      informer = pods.present();
    }
    return informer.getIndexer().byIndex(BY_ATTEMPT, attempt.toString()).stream();
  }

  private static boolean isGated(Pod pod) {
    return pod.getSpec().getSchedulingGates().stream()
        .anyMatch(gate -> AttemptLabels.GATE.equals(gate.getName()));
  }

  /** Returns all objects of attempts without pods, as last observed. */
  public synchronized Map<ClusterKind, List<GenericKubernetesResource>> owners() {
    Map<ClusterKind, List<GenericKubernetesResource>> all = new EnumMap<>(ClusterKind.class);
    owners.forEach((kind, informer) -> all.put(kind, informer.present().getStore().list()));
    return all;
  }

  @Override
  public synchronized void close() {
    owners.values().forEach(RenewedInformer::close);
    owners.clear();
    if (pods != null) {
      pods.close();
      pods = null;
    }
  }
}
