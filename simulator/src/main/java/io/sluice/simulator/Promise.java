// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** A promise that is checked in every run. */
enum Promise {
  /** P1: no decision makes or enlarges an excess over quota, at any node. */
  QUOTA,
  /** P2: a slice serves at most one attempt until that one is drained; grants are whole. */
  SLICES,
  /** P3: an acknowledged input survives, and is consumed once; one key is one job. */
  INPUTS,
  /** P4: at most one execution of an index; its successor starts when it is gone. */
  EXECUTIONS,
  /** P5: a planned start becomes later only for a named cause. */
  STARTS,
  /** P6: whoever waits has an explanation, and a deadline or a reason that it may wait. */
  EXPLANATIONS,
  /** P7: a past decision is recomputed from a snapshot and the journal, and is the same. */
  RECOMPUTATION,
  /** P8: preemption ends. */
  PREEMPTION,
  /** Nothing of a held job is admitted. */
  HOLDS,
  /** Memory that lived, memory read back and memory made by events are equal. */
  MEMORY,
  /** Round times rise, and follow no clock that was wrong for one reading. */
  TIME,
  /** When faults end, what can finish does so in bounded time. */
  LIVENESS,
  /** The engine decides without failing. */
  ENGINE
}
