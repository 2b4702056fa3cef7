// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Observes whether Kueue's controller runs in a cluster: then it manages the objects with its
 * label. Deployments are read only where the cluster has Kueue's CRDs, and only in Kueue's
 * namespace. If they may not be read, the controller counts as at work: two controllers must not
 * manage the same objects.
 */
public final class KueuePresence implements AutoCloseable {
  /** The API group of Kueue's CRDs. */
  public static final String GROUP = "/apis/kueue.x-k8s.io";

  /** The labels of the Deployments of Kueue's controller. */
  public static final String SELECTOR =
      "app.kubernetes.io/name=kueue,control-plane=controller-manager";

  private static final Logger LOG = Logger.getLogger(KueuePresence.class);

  private final Cluster cluster;
  private final String namespace;
  private final Runnable whenChanged;
  private final LongSupplier monotonicNanos;
  private @Nullable RenewedInformer<Deployment> controllers;
  private boolean atWork;
  private boolean unreadableSaid;

  /**
   * Creates a presence that is unknown before {@link #look}.
   *
   * @param namespace the namespace in which Kueue is installed
   */
  public KueuePresence(
      Cluster cluster, String namespace, Runnable whenChanged, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.whenChanged = whenChanged;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Updates the presence.
   *
   * @return false if it is not known yet
   * @throws ClusterException if the cluster does not answer; the caller must retry
   */
  public boolean look() {
    if (!cluster.serves(GROUP)) {
      close();
      atWork = false;
      return true;
    }
    RenewedInformer<Deployment> watched = controllers;
    if (watched == null) {
      if (!isReadable()) {
        atWork = true;
        return true;
      }
      watched = new RenewedInformer<>(cluster, this::deployments, monotonicNanos);
      controllers = watched;
    }
    watched.renew();
    if (!watched.present().hasSynced()) {
      return false;
    }
    atWork = isSeen(watched);
    return true;
  }

  private boolean isReadable() {
    try {
      var unused = cluster.deployments(namespace, SELECTOR);
      unreadableSaid = false;
      return true;
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.REFUSED) {
        throw failure;
      }
      if (!unreadableSaid) {
        unreadableSaid = true;
        LOG.warnf(
            "cluster %s has Kueue's CRDs, and Deployments of namespace %s may not be read: Kueue"
                + " counts as at work, and objects with its label are left to it. Install"
                + " deploy/components/beside-kueue, name Kueue's namespace with"
                + " --kueue-namespace, or delete the CRDs: %s",
            cluster.name(), namespace, failure.text());
      }
      return false;
    }
  }

  private SharedIndexInformer<Deployment> deployments() {
    SharedIndexInformer<Deployment> informer =
        cluster
            .client()
            .apps()
            .deployments()
            .inNamespace(namespace)
            .withLabelSelector(SELECTOR)
            .runnableInformer(0);
    informer.addEventHandler(new WakingHandler<>(whenChanged));
    return informer;
  }

  private static boolean isSeen(RenewedInformer<Deployment> watched) {
    return watched.present().getStore().list().stream()
        .anyMatch(one -> one.getSpec().getReplicas() == null || one.getSpec().getReplicas() > 0);
  }

  /** Whether the controller ran at the last look. */
  public boolean isAtWork() {
    return atWork;
  }

  /** Whether the controller has started or stopped since the last look. */
  public boolean hasChanged() {
    RenewedInformer<Deployment> watched = controllers;
    return watched != null && watched.present().hasSynced() && isSeen(watched) != atWork;
  }

  @Override
  public void close() {
    RenewedInformer<Deployment> watched = controllers;
    controllers = null;
    if (watched != null) {
      watched.close();
    }
  }
}
