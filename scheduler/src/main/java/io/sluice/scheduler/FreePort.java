// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port on which nobody listens. It is bound only later, when the application has started,
 * so a chosen port is none of those that systems give to outgoing connections (from 32768 on): one
 * of them could be taken in between.
 */
final class FreePort {
  static final int FIRST = 20_000;
  static final int LAST = 32_767;
  private static final int TRIES = 100;

  private FreePort() {}

  /**
   * The port to listen on.
   *
   * @param wanted 0: any
   * @throws BindException if somebody listens on the wanted port
   * @throws IllegalArgumentException if there is no such port
   */
  static int find(InetAddress host, int wanted) throws IOException {
    for (int tries = 0; wanted == 0 && tries < TRIES; tries++) {
      int chosen = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try {
        return probe(host, chosen);
      } catch (BindException taken) {
        // Another one will do.
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
