// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Arguments of the programs that measure a live server. */
final class Arguments {
  private Arguments() {}

  /** Returns the address of a server on this machine; ends the program for another one. */
  static URI onThisMachine(String url) throws UnknownHostException {
    URI server = URI.create(url);
    if (!InetAddress.getByName(server.getHost()).isLoopbackAddress()) {
      System.err.println("only servers on this machine are measured");
      System.exit(2);
    }
    return server;
  }

  /**
   * Reads a number.
   *
   * @throws IllegalArgumentException if it is not between the bounds, or no number
   */
  static int between(int least, int most, String text) {
    int value = Integer.parseInt(text);
    if (value < least || value > most) {
      throw new IllegalArgumentException(text + " is not between " + least + " and " + most);
    }
    return value;
  }
}
