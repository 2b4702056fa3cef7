// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

/** Which queues wait for room, for the oracles of other packages. */
public final class AwaitedRoom {
  private AwaitedRoom() {}

  /** Whether a queue has waited for room since it last began to, and none has appeared. */
  public static boolean of(AdmissionState state, int node) {
    return state.tries().awaits(node);
  }
}
