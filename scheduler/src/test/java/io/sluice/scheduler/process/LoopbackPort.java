// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Finds a port of loopback on which nothing listens, for now: for programs that need its number.
 */
public final class LoopbackPort {
  private LoopbackPort() {}

  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
