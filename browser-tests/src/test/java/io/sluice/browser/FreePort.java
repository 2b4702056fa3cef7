// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port of loopback on which nothing listens, for now. */
final class FreePort {
  private FreePort() {}

  static int find() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
