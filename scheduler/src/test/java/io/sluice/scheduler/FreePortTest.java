// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Ports to listen on. */
class FreePortTest {
  private static final InetAddress HOST = InetAddress.getLoopbackAddress();

  @Test
  void aChosenPortIsNoneOfThoseOfOutgoingConnections() throws IOException {
    for (int tries = 0; tries < 200; tries++) {
      assertThat(FreePort.find(HOST, 0)).isBetween(FreePort.FIRST, FreePort.LAST);
    }
  }

  @Test
  void aWantedPortIsTakenOrRefused() throws IOException {
    int free = FreePort.find(HOST, 0);
    assertThat(FreePort.find(HOST, free)).isEqualTo(free);
    try (ServerSocket taken = new ServerSocket(free, 1, HOST)) {
      assertThatThrownBy(() -> FreePort.find(HOST, taken.getLocalPort()))
          .isInstanceOf(BindException.class);
    }
  }
}
