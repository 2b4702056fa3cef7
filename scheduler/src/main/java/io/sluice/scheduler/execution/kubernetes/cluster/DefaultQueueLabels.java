// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Labels the namespaces of a cluster that have a LocalQueue {@code default}. By this label the
 * admission policies hold objects there that name no queue.
 */
public final class DefaultQueueLabels implements AutoCloseable {
  static final String LABEL = "sluice.io/default-queue";
  private static final Logger LOG = Logger.getLogger(DefaultQueueLabels.class);

  private final Cluster cluster;
  private final RenewedInformer<Namespace> namespaces;

  /** Commands already logged for namespaces that Sluice may not label. */
  private final Set<String> refused = new TreeSet<>();

  /** Starts to watch the cluster's namespaces. */
  public DefaultQueueLabels(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.namespaces = new RenewedInformer<>(cluster, this::made, monotonicNanos);
  }

  private SharedIndexInformer<Namespace> made() {
    return cluster.client().namespaces().withLimit(ClusterWatch.PAGE).runnableInformer(0);
  }

  /**
   * Sets the label on exactly these namespaces, as far as they exist. For a namespace that Sluice
   * may not label, it logs once the command for an administrator.
   *
   * @throws ClusterException if the cluster does not answer
   */
  public void set(Set<String> wanted) {
    namespaces.renew();
    Set<String> refusedNow = new TreeSet<>();
    for (Namespace namespace : namespaces.present().getStore().list()) {
      String name = namespace.getMetadata().getName();
      Map<String, String> labels = namespace.getMetadata().getLabels();
      boolean labelled = labels != null && labels.containsKey(LABEL);
      if (wanted.contains(name) != labelled && !label(name, wanted.contains(name))) {
        refusedNow.add(command(name, wanted.contains(name)));
      }
    }
    refused.retainAll(refusedNow);
  }

  private boolean label(String name, boolean wanted) {
    try {
      cluster.labelNamespace(name, LABEL, wanted ? "true" : null);
      return true;
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.REFUSED) {
        throw failure;
      }
      String command = command(name, wanted);
      if (refused.add(command)) {
        LOG.warnf(
            "cluster %s: Sluice may not label namespace %s; run: %s (%s)",
            cluster.name(), name, command, failure.text());
      }
      return false;
    }
  }

  /** Returns the command that sets or removes the label. */
  static String command(String namespace, boolean wanted) {
    return "kubectl label namespace " + namespace + " " + LABEL + (wanted ? "=true" : "-");
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
