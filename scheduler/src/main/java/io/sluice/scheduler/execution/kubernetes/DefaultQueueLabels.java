// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Labels the namespaces of a cluster that have a LocalQueue {@code default}, by which its admission
 * policies know that what is created there waits though it names no queue.
 */
final class DefaultQueueLabels {
  static final String LABEL = "sluice.io/default-queue";
  private static final Logger LOG = Logger.getLogger(DefaultQueueLabels.class);

  private final Cluster cluster;

  DefaultQueueLabels(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Has these namespaces and no others be labelled, as far as they are there. */
  void set(Set<String> wanted) {
    try {
      Set<String> there = new TreeSet<>();
      Set<String> labelled = new TreeSet<>();
      for (JsonNode namespace : cluster.namespaces()) {
        String name = namespace.at("/metadata/name").asText();
        there.add(name);
        if (namespace.at("/metadata/labels").has(LABEL)) {
          labelled.add(name);
        }
      }
      for (String name : there) {
        if (wanted.contains(name) != labelled.contains(name)) {
          cluster.labelNamespace(name, LABEL, wanted.contains(name) ? "true" : null);
        }
      }
    } catch (ClusterException failure) {
      LOG.warnf("namespaces with a default LocalQueue are labelled later: %s", failure.text());
    }
  }
}
