// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingDoor;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingKind;
import io.sluice.scheduler.execution.kubernetes.provisioning.NotCarriedOutException;
import java.util.List;
import java.util.function.Supplier;

/** Creates and deletes provisioning objects in a cluster, within the cluster's bounds. */
final class ClusterCalling implements CallingDoor {
  private static final String PRIORITY_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

  private final Cluster cluster;

  ClusterCalling(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String cluster() {
    return cluster.name();
  }

  @Override
  public List<JsonNode> list(CallingKind kind, String label) {
    return ask(() -> cluster.listAll(kind.path(), label));
  }

  @Override
  public void create(CallingKind kind, ObjectNode object) {
    String namespace = object.path("metadata").path("namespace").asText();
    boolean unused = ask(() -> cluster.createAt(kind.path(namespace), object));
  }

  @Override
  public void requirePriorityClass(ObjectNode priorityClass) {
    try {
      boolean unused = cluster.createAt(PRIORITY_CLASSES, priorityClass);
    } catch (ClusterException failure) {
      if (failure.reason() == ClusterException.Reason.AWAY) {
        throw new NotCarriedOutException(failure.text(), failure);
      }
      // The account may lack this right if an administrator created the class.
    }
  }

  @Override
  public void delete(CallingKind kind, String namespace, String name, String uid) {
    boolean unused =
        ask(
            () -> {
              cluster.deleteAt(kind.path(namespace) + "/" + name, uid);
              return true;
            });
  }

  private static <T> T ask(Supplier<T> request) {
    try {
      return request.get();
    } catch (ClusterException failure) {
      throw new NotCarriedOutException(failure.text(), failure);
    }
  }
}
