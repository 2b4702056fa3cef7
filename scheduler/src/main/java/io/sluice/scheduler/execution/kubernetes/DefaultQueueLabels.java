// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Labels the namespaces of a cluster that have a LocalQueue {@code default}, by which its admission
 * policies know that what is created there waits though it names no queue.
 */
final class DefaultQueueLabels implements AutoCloseable {
  static final String LABEL = "sluice.io/default-queue";
  private static final Logger LOG = Logger.getLogger(DefaultQueueLabels.class);

  private final Cluster cluster;
  private final RenewedInformer<Namespace> namespaces;

  /** Begins to look which namespaces there are. */
  DefaultQueueLabels(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.namespaces = new RenewedInformer<>(cluster.name(), this::made, monotonicNanos);
  }

  private SharedIndexInformer<Namespace> made() {
    return cluster.client().namespaces().withLimit(ClusterWatch.PAGE).runnableInformer(0);
  }

  /** Has these namespaces and no others be labelled, as far as they are there. */
  void set(Set<String> wanted) {
    try {
      namespaces.renew();
      for (Namespace namespace : namespaces.present().getStore().list()) {
        String name = namespace.getMetadata().getName();
        Map<String, String> labels = namespace.getMetadata().getLabels();
        boolean labelled = labels != null && labels.containsKey(LABEL);
        if (wanted.contains(name) != labelled) {
          cluster.labelNamespace(name, LABEL, wanted.contains(name) ? "true" : null);
        }
      }
    } catch (ClusterException failure) {
      LOG.warnf("namespaces with a default LocalQueue are labelled later: %s", failure.text());
    }
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
