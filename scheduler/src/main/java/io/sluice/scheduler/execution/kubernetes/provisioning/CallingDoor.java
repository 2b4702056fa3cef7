// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Where objects that call for capacity are in one cluster. Each method asks the cluster once,
 * within its bounds, and throws {@link NotCarriedOutException} if that is not carried out.
 */
public interface CallingDoor {
  /** The cluster's name. */
  String cluster();

  /**
   * The objects of a kind in all namespaces that carry a label; none if the cluster does not have
   * the kind.
   */
  List<JsonNode> list(CallingKind kind, String label);

  /** Creates an object, unless there is one of its name. */
  void create(CallingKind kind, ObjectNode object);

  /** Creates a priority class, unless there is one of its name, or it may not be created. */
  void requirePriorityClass(ObjectNode priorityClass);

  /** Deletes the object of that uid, and no other of its name; it may be gone. */
  void delete(CallingKind kind, String namespace, String name, String uid);
}
