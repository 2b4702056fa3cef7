// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/** The order in which the parts of the server start. They end in reverse order. */
public enum StartOrder {
  /** Answers to API servers need no other part, and are wanted until all other parts have ended. */
  WEBHOOK,

  /** The writer of reports. It ends after the executor, so that it stores the last reports. */
  REPORTS,

  /** The kubeconfig is watched. The clusters stay connected while the executor uses them. */
  CLUSTERS,

  /** The executor. The leader ends before it, so that no command comes to a closed executor. */
  EXECUTOR,

  /** The virtual provider of capacity. */
  CAPACITY,

  /** The state is loaded, and this server leads or follows. */
  ROLE,

  /** Nodes of clusters are watched, and further ones are called for. */
  CLUSTER_FLEET,

  /** Notifications of the database wake the parts that are before and behind it. */
  NOTIFICATIONS,

  /** The script of faults. */
  FAULTS,

  /** The writers of submissions. */
  SUBMISSIONS,

  /** Runs of pipelines advance. */
  PIPELINES,

  /** Schedules fire. */
  SCHEDULES
}
