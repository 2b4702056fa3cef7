// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

/** The executor for the hosts of a fleet file. */
public enum ExecutorKind {
  /** Processes on this machine, one a host. */
  LOCAL("local"),
  /** Nobody: chosen run times and ends. */
  SIMULATED("simulated"),
  /** The Kubernetes clusters that the hosts are nodes of. */
  KUBERNETES("kubernetes");

  private final String word;

  ExecutorKind(String word) {
    this.word = word;
  }

  /** The word in manifests. */
  public String word() {
    return word;
  }
}
