// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

/** The phase of an attempt in a cluster, as this server knows it. */
enum AttemptPhase {
  /** No call concerned it yet on this server. */
  KNOWN,
  STARTING,
  RUNNING,
  /** Its objects are being ended. */
  ENDING,
  OVER
}
