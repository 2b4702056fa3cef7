// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Why an attempt was told to end. */
public enum DrainCause {
  /** Room was needed for work that may take it. */
  PREEMPTED,
  /** It, or another variant of its workload, goes on where it is rather to be. */
  MIGRATED,
  /** Somebody asked for it. */
  CANCELLED,
  /** One of its processes failed, and the rest are of no use. */
  FAILED,
  /** It ran longer than its time limit. */
  TIME_LIMIT,
  /** Its job is held. */
  HELD,
  /** It was not reported started in time. */
  START_DEADLINE,
  /** Its queue is being drained. */
  QUEUE_STOPPED,
  /** Its provider takes the capacity back soon, as was known when it was admitted. */
  LEASE_END,
  /** The provider of one of its slices takes it back, or has. */
  SLICE_RECLAIMED,
  /** A host that it runs on has failed, and with it the slice. */
  HOST_LOST,
  /** It was to go on with other slices, and was not reported started with them in time. */
  NOT_RESIZED,
  /** What it uses is booked for a ClusterQueue, or absent, from a known time on. */
  DATED
}
