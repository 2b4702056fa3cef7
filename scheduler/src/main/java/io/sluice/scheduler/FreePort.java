// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a free TCP port to listen on. The application binds it only after its start, so a chosen
 * port lies outside the range from which systems pick ports for outgoing connections (32768 and
 * above): a connection could take one of those in between.
 */
final class FreePort {
  static final int FIRST = 20_000;
  static final int LAST = 32_767;
  private static final int TRIES = 100;

  private FreePort() {}

  /**
   * The port to listen on.
   *
   * @param wanted a port; 0 means any free port
   * @throws BindException if another process listens on the wanted port
   * @throws IllegalArgumentException if the number is not a port
   */
  static int find(InetAddress host, int wanted) throws IOException {
    for (int tries = 0; wanted == 0 && tries < TRIES; tries++) {
      int chosen = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try {
        return probe(host, chosen);
      } catch (BindException taken) {
        // Taken: try another port.
      }
    }
    return probe(host, wanted);
  }

  private static int probe(InetAddress host, int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
      return probe.getLocalPort();
    }
  }
}
