// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Access to the provisioning objects of one cluster. Each method sends one bounded request, and
 * throws {@link NotCarriedOutException} if it fails.
 */
public interface CallingDoor {
  /** Returns the cluster's name. */
  String cluster();

  /**
   * Lists the objects of a kind with a label in all namespaces; empty if the cluster lacks the
   * kind.
   */
  List<JsonNode> list(CallingKind kind, String label);

  /** Creates an object unless its name is taken. */
  void create(CallingKind kind, ObjectNode object);

  /** Creates a priority class unless its name is taken or the account lacks the right. */
  void requirePriorityClass(ObjectNode priorityClass);

  /** Deletes the object with that name and UID; no error if it is gone. */
  void delete(CallingKind kind, String namespace, String name, String uid);
}
