// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.manifests.field.QueueLabels;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterWatch;
import io.sluice.scheduler.execution.kubernetes.cluster.KueuePresence;
import io.sluice.scheduler.execution.kubernetes.cluster.RenewedInformer;
import io.sluice.scheduler.execution.kubernetes.cluster.WakingHandler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the objects of a cluster that name a queue, and in namespaces with a default queue those
 * that do not.
 */
public final class AdoptionWatch implements AutoCloseable {
  /** The kinds that can be suspended or gated. */
  public static final List<ClusterKind> KINDS =
      List.of(
          ClusterKind.JOB,
          ClusterKind.JOB_SET,
          ClusterKind.RAY_JOB,
          ClusterKind.RAY_CLUSTER,
          ClusterKind.POD);

  private static final String UNNAMED = "!" + QueueLabels.OURS + ",!" + QueueLabels.KUEUES;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Cluster cluster;
  private final Runnable whenChanged;
  private final LongSupplier monotonicNanos;
  private final KueuePresence kueue;
  private final Map<Scope, RenewedInformer<GenericKubernetesResource>> informers = new TreeMap<>();
  private final Map<UUID, Remembered> remembered = new TreeMap<>();
  private boolean kueueLives;
  private final SeenPods pods = new SeenPods();

  /** The scope of one watch; an empty namespace means all. */
  private record Scope(ClusterKind kind, String namespace, String selector)
      implements Comparable<Scope> {
    @Override
    public int compareTo(Scope other) {
      return toString().compareTo(other.toString());
    }
  }

  /** A parsed object; each version is parsed once. */
  private record Remembered(SeenObject seen, GenericKubernetesResource source) {}

  /**
   * Creates a watch that does nothing before {@link #begin}.
   *
   * @param kueueNamespace the namespace in which Kueue would be installed
   */
  AdoptionWatch(
      Cluster cluster, String kueueNamespace, Runnable whenChanged, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.whenChanged = whenChanged;
    this.monotonicNanos = monotonicNanos;
    this.kueue = new KueuePresence(cluster, kueueNamespace, whenChanged, monotonicNanos);
  }

  /** Whether Kueue's controller has started or stopped since {@link #begin} was called. */
  boolean kueueChanged() {
    return kueue.hasChanged();
  }

  /**
   * Brings the set of watches up to date: starts missing ones and closes others.
   *
   * @param defaultNamespaces namespaces in which objects need not name a queue
   * @return false if the set is not known yet
   * @throws ClusterException if the cluster does not list its kinds; the caller must retry
   */
  boolean begin(Set<String> defaultNamespaces) {
    if (!kueue.look()) {
      return false;
    }
    kueueLives = kueue.isAtWork();
    Map<Scope, Boolean> wanted = new TreeMap<>();
    for (ClusterKind kind : KINDS) {
      if (!cluster.has(kind)) {
        continue;
      }
      wanted.put(new Scope(kind, "", QueueLabels.OURS), true);
      if (!kueueLives) {
        wanted.put(new Scope(kind, "", QueueLabels.KUEUES + ",!" + QueueLabels.OURS), true);
        defaultNamespaces.forEach(name -> wanted.put(new Scope(kind, name, UNNAMED), true));
      }
    }
    informers.entrySet().removeIf(one -> isEnded(one, wanted.keySet()));
    informers.values().forEach(RenewedInformer::renew);
    for (Scope scope : wanted.keySet()) {
      informers.computeIfAbsent(
          scope, one -> new RenewedInformer<>(cluster, () -> made(one), monotonicNanos));
    }
    return true;
  }

  /** Whether Kueue's controller runs, which then manages the objects with its own label. */
  boolean kueueLives() {
    return kueueLives;
  }

  private static boolean isEnded(
      Map.Entry<Scope, RenewedInformer<GenericKubernetesResource>> one, Set<Scope> wanted) {
    boolean ended = !wanted.contains(one.getKey());
    if (ended) {
      one.getValue().close();
    }
    return ended;
  }

  private SharedIndexInformer<GenericKubernetesResource> made(Scope scope) {
    var all = cluster.client().genericKubernetesResources(scope.kind().context());
    SharedIndexInformer<GenericKubernetesResource> informer =
        scope.namespace().isEmpty()
            ? all.inAnyNamespace()
                .withLabelSelector(scope.selector())
                .withLimit(ClusterWatch.PAGE)
                .runnableInformer(0)
            : all.inNamespace(scope.namespace())
                .withLabelSelector(scope.selector())
                .withLimit(ClusterWatch.PAGE)
                .runnableInformer(0);
    informer.addEventHandler(new WakingHandler<>(whenChanged));
    return informer;
  }

  /** Whether each watch has completed its first list. */
  boolean isComplete() {
    return !informers.isEmpty()
        && informers.values().stream().allMatch(one -> one.present().hasSynced());
  }

  /** Returns all objects by UID, as they were last observed. */
  Map<UUID, SeenObject> seen() {
    Map<UUID, SeenObject> seen = new TreeMap<>();
    List<GenericKubernetesResource> naming = new ArrayList<>();
    List<GenericKubernetesResource> unnamed = new ArrayList<>();
    informers.forEach(
        (scope, informer) -> {
          List<GenericKubernetesResource> all = informer.present().getStore().list();
          if (scope.kind() == ClusterKind.POD) {
            (scope.namespace().isEmpty() ? naming : unnamed).addAll(all);
            return;
          }
          for (GenericKubernetesResource one : all) {
            UUID uid = UUID.fromString(one.getMetadata().getUid());
            seen.put(uid, read(scope.kind(), uid, one));
          }
        });
    remembered.keySet().retainAll(seen.keySet());
    seen.putAll(pods.see(naming, unnamed, Clock.systemUTC().instant()));
    return seen;
  }

  private SeenObject read(ClusterKind kind, UUID uid, GenericKubernetesResource one) {
    Remembered before = remembered.get(uid);
    String version = one.getMetadata().getResourceVersion();
    if (before == null || !before.seen().ref().resourceVersion().equals(version)) {
      before = new Remembered(SeenObject.of(kind, JSON.valueToTree(one)), one);
      remembered.put(uid, before);
    }
    return before.seen();
  }

  /**
   * Returns an object, or all pods of a group, as of the last call of {@link #seen}; null if
   * unknown.
   */
  @Nullable JsonNode find(UUID uid) {
    JsonNode group = pods.find(uid);
    if (group != null) {
      return group;
    }
    Remembered one = remembered.get(uid);
    return one == null ? null : JSON.valueToTree(one.source());
  }

  @Override
  public void close() {
    kueue.close();
    informers.values().forEach(RenewedInformer::close);
    informers.clear();
  }
}
