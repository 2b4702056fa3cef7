// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

/** How far an attempt in a cluster has come, as this server knows. */
enum AttemptPhase {
  /** This server was asked nothing of it yet. */
  KNOWN,
  STARTING,
  RUNNING,
  /** What is left of it is being ended. */
  ENDING,
  OVER
}
