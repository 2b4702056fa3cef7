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
 * All objects and pods of attempts that a cluster has, kept up to date by watches, which are begun
 * again by themselves when they break.
 */
public final class ClusterWatch implements AutoCloseable {
  private static final String BY_ATTEMPT = "attempt";

  /** Objects of a page of a list. */
  public static final long PAGE = 500;

  /** Told what has changed. */
  public interface Listener {
    /** Something of an attempt is other than it was. */
    void changed(AttemptKey attempt);

    /** A pod of an attempt is so now, or was so last. */
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
   * Watches all kinds that the cluster has; those that it is watched for already go on.
   *
   * @throws ClusterException if it does not say which it has; it is to be asked again
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
   * Begins watches anew that have lasted for long, each with a list beside the old one.
   *
   * @return whether anything is seen anew: what is not there any more was not told
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

  /** Whether it is told of pods now. */
  public synchronized boolean isWatching() {
    return pods != null && pods.present().isWatching();
  }

  /** Whether everything that is there has been seen once. */
  public synchronized boolean isComplete() {
    return pods != null
        && pods.present().hasSynced()
        && owners.values().stream().allMatch(one -> one.present().hasSynced());
  }

  /** The object as it was seen last; null if it was not seen, or seen gone. */
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

  /** The pods of an attempt of that generation. */
  public List<SeenPod> pods(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation).map(SeenPod::of).toList();
  }

  /** The pods of an attempt of that generation that may not be scheduled before we say so. */
  public List<Pod> gated(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation)
        .filter(pod -> isGated(pod) && pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** The pods of an attempt of that generation that have not ended and are not about to. */
  public List<Pod> living(AttemptKey attempt, int generation) {
    return podsOf(attempt, generation)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !SeenPod.of(pod).over())
        .toList();
  }

  /** Where it can be asked what the chips of an attempt do. */
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

  /** All objects of attempts, but for pods, as they were seen last. */
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
