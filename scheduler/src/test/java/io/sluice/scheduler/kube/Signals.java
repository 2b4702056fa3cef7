// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import java.io.IOException;

/** Sends signals to processes that tests started. */
public final class Signals {
  private Signals() {}

  /**
   * Sends a signal.
   *
   * @param name name of the signal without {@code SIG}
   */
  public static void send(String name, long pid) throws IOException {
    try {
      int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
      if (code != 0) {
        throw new AssertionError("SIG" + name + " was not sent");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
