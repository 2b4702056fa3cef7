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
 * Labels the namespaces of a cluster that have a LocalQueue {@code default}, by which its admission
 * policies know that what is created there waits though it names no queue.
 */
public final class DefaultQueueLabels implements AutoCloseable {
  static final String LABEL = "sluice.io/default-queue";
  private static final Logger LOG = Logger.getLogger(DefaultQueueLabels.class);

  private final Cluster cluster;
  private final RenewedInformer<Namespace> namespaces;

  /** The commands that were said, of namespaces that Sluice may not label. */
  private final Set<String> refused = new TreeSet<>();

  /** Begins to look which namespaces there are. */
  public DefaultQueueLabels(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.namespaces = new RenewedInformer<>(cluster, this::made, monotonicNanos);
  }

  private SharedIndexInformer<Namespace> made() {
    return cluster.client().namespaces().withLimit(ClusterWatch.PAGE).runnableInformer(0);
  }

  /**
   * Has these namespaces and no others be labelled, as far as they are there. Of one that Sluice
   * may not label, the log says once by which command an administrator does.
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

  /** The command that sets the label, or takes it away. */
  static String command(String namespace, boolean wanted) {
    return "kubectl label namespace " + namespace + " " + LABEL + (wanted ? "=true" : "-");
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
