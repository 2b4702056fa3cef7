// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.manifests.rendering.AttemptLabels;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Watches the nodes of one cluster, and the pods outside Sluice on them. Every ten minutes it lists
 * again beside the old watch, so a missed event is repaired by then. While the cluster cannot be
 * reached, it keeps its last state.
 */
public final class NodeWatch implements NodeSource {
  /**
   * Label of objects that request capacity, including placeholder pods, which any pod may preempt.
   */
  public static final String CALLING_POD = "sluice.io/sought-for";

  static final Duration RESYNC = Duration.ofMinutes(10);

  /** The longest wait of the nodes for the first list of pods. */
  static final Duration PODS_PATIENCE = Duration.ofSeconds(30);

  /**
   * Interval between readings of pods without chips: in a large cluster some pod always changes.
   */
  static final Duration PODS_PAUSE = Duration.ofSeconds(10);

  /** A renewed watch is silent for a moment; report a cluster as away only after this time. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long PAGE = 500;
  private static final Logger LOG = Logger.getLogger(NodeWatch.class);

  /** An informer with its store. */
  private static final class Listing {
    final NodeStore store = new NodeStore();
    final OutsidePodStore pods = new OutsidePodStore();
    final SharedIndexInformer<Pod> podInformer;
    final CompletableFuture<Void> podsListed;
    final SharedIndexInformer<Node> informer;
    final CompletableFuture<Void> listed;
    final Instant since;

    Listing(KubernetesClient client, Instant now, Consumer<Throwable> failed) {
      this.since = now;
      this.informer =
          client
              .nodes()
              .withLimit(PAGE)
              .runnableInformer(0)
              .removeNamespaceIndex()
              .itemStore(store)
              .exceptionHandler(
                  (started, failure) -> {
                    LOG.debug("the list or watch of nodes is retried", failure);
                    failed.accept(failure);
                    return true;
                  });
      this.podInformer =
          client
              .pods()
              .inAnyNamespace()
              .withoutLabel(AttemptLabels.JOB_ID)
              .withoutLabel(CALLING_POD)
              .withoutField("spec.nodeName", "")
              .withoutField("status.phase", "Succeeded")
              .withoutField("status.phase", "Failed")
              .withLimit(PAGE)
              .runnableInformer(0)
              .removeNamespaceIndex()
              .itemStore(pods)
              .exceptionHandler(
                  (started, failure) -> {
                    LOG.debug("the list or watch of pods is retried", failure);
                    return true;
                  });
      this.listed = informer.start().toCompletableFuture();
      this.podsListed = podInformer.start().toCompletableFuture();
    }

    boolean isListed(Instant now) {
      return listed.isDone()
          && (podsListed.isDone()
              || listed.isCompletedExceptionally()
              || !now.isBefore(since.plus(PODS_PATIENCE)));
    }

    void close() {
      informer.close();
      podInformer.close();
    }
  }

  private final KubernetesClient client;
  private final NodeFleet reading;
  private final Clock clock;
  private final BooleanSupplier silent;
  private @Nullable Listing present;
  private @Nullable Listing next;
  private @Nullable Instant awaySince;
  private boolean said;
  private volatile @Nullable Throwable lastFailure;
  private Instant podsSeen = Instant.EPOCH;
  private volatile @Nullable ObservedFleet observed;
  private volatile @Nullable Instant unreachableSince;

  /**
   * Creates a watch that does nothing before the first {@link #look}; each look renews what is due.
   *
   * @param client client of the cluster; closing the watch leaves it open
   * @param reading derives hosts and slices from its nodes
   */
  public NodeWatch(KubernetesClient client, NodeFleet reading, Clock clock) {
    this(client, reading, clock, () -> false);
  }

  /**
   * Creates a watch with a second sign of whether the cluster answers.
   *
   * @param silent whether requests to the cluster fail, although its watch may not have ended
   */
  public NodeWatch(
      KubernetesClient client, NodeFleet reading, Clock clock, BooleanSupplier silent) {
    this.silent = silent;
    this.client = client;
    this.reading = reading;
    this.clock = clock;
  }

  @Override
  public Standing standing() {
    return new Standing(reading.cluster(), unreachableSince, observed);
  }

  @Override
  public ClusterSight look() {
    Instant now = clock.instant();
    renew(now);
    Listing listing = present;
    if (listing != null) {
      boolean podsDue = listing.pods.haveChipsChanged() || !now.isBefore(podsSeen.plus(PODS_PAUSE));
      boolean podsChanged = podsDue && listing.pods.collectChanged();
      if (listing.store.collectChanged() || podsChanged || observed == null) {
        observed = renewed(read(listing, now));
      }
    }
    boolean watching = listing != null && listing.informer.isWatching() && !silent.getAsBoolean();
    sayWhetherReachable(watching, now);
    return new ClusterSight(reading.cluster(), observed);
  }

  private void renew(Instant now) {
    Listing old = present;
    if (next == null && (old == null || !now.isBefore(old.since.plus(RESYNC)))) {
      next = new Listing(client, now, failure -> lastFailure = failure);
    }
    Listing listing = next;
    if (listing == null || !listing.isListed(now)) {
      return;
    }
    next = null;
    if (listing.listed.isCompletedExceptionally()) {
      listing.close();
      return;
    }
    if (!listing.podsListed.isDone()) {
      LOG.warnf(
          "pods of cluster %s were not listed in %d s: use of its nodes outside Sluice is not seen",
          reading.cluster(), PODS_PATIENCE.toSeconds());
    }
    present = listing;
    observed = renewed(read(listing, now));
    if (old != null) {
      old.close();
    }
  }

  private ObservedFleet read(Listing listing, Instant now) {
    podsSeen = now;
    return reading.of(listing.store.nodes(), listing.pods.byNode());
  }

  /** Returns the previous object if nothing differs, so that callers can compare by identity. */
  private ObservedFleet renewed(ObservedFleet found) {
    ObservedFleet known = observed;
    return known != null && known.equals(found) ? known : found;
  }

  private void sayWhetherReachable(boolean watching, Instant now) {
    if (watching) {
      if (said) {
        LOG.infof("cluster %s can be reached again", reading.cluster());
      }
      awaySince = null;
      unreachableSince = null;
      said = false;
      return;
    }
    if (awaySince == null) {
      awaySince = now;
    }
    if (!said && !now.isBefore(awaySince.plus(PATIENCE))) {
      said = true;
      unreachableSince = awaySince;
      Throwable why = lastFailure;
      LOG.warnf(
          "cluster %s cannot be reached since %s; its part of the fleet stays as it is%s",
          reading.cluster(), awaySince, why == null ? "" : ": " + why.getMessage());
    }
  }

  @Override
  public void close() {
    if (next != null) {
      next.close();
    }
    if (present != null) {
      present.close();
    }
  }
}
