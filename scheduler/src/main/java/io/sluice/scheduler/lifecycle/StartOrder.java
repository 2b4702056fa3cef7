// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/** The order in which the parts of the server start. They end in reverse order. */
public enum StartOrder {
  /** The recorder of denied requests. It ends last, so that it records the last of them. */
  DENIALS,

  /** The issued tokens of callers. Requests are authenticated until all other parts have ended. */
  CALLERS,

  /** The sessions of browsers, for the same reason. */
  SESSIONS,

  /**
   * The webhook. It needs no other part, and API servers call it until all other parts have ended.
   */
  WEBHOOK,

  /** The wake-ups. They end after all parts that announce changes. */
  WAKE_UPS,

  /** The writer of reports. It ends after the executor, so that it stores the last reports. */
  REPORTS,

  /** The watch of the kubeconfig. Clusters stay connected while the executor uses them. */
  CLUSTERS,

  /** The executor. Leadership ends before it, so that no command reaches a closed executor. */
  EXECUTOR,

  /** The virtual provider of capacity. */
  CAPACITY,

  /** The role: loads the state; then this server leads or follows. */
  ROLE,

  /**
   * The hub of events. Clients that watch are disconnected before this server gives up its role.
   */
  EVENTS,

  /** The watch of the clusters' nodes, and the provisioning of more. */
  CLUSTER_FLEET,

  /** The listener for notifications of the database, which wake parts before and after it. */
  NOTIFICATIONS,

  /** The script of faults. */
  FAULTS,

  /** The writers of submissions. */
  SUBMISSIONS,

  /** The advance of pipeline runs. */
  PIPELINES,

  /** The fires of schedules. */
  SCHEDULES,

  /** The estimates of starts. */
  ESTIMATES
}
