// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A TCP proxy to a server on this machine that can be cut: open connections break, and new ones are
 * refused.
 */
final class PartedWire implements AutoCloseable {
  private final ServerSocket entrance;
  private final int server;
  private final List<Socket> open = new ArrayList<>();
  private boolean parted;

  PartedWire(int server) throws IOException {
    this.server = server;
    this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    run("wire", this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  private static void run(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        connect(entrance.accept());
      } catch (IOException refused) {
        // The connection is refused; the next may be accepted.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    synchronized (open) {
      if (parted) {
        client.close();
        return;
      }
      Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
      open.add(client);
      open.add(far);
      run("wire-there", () -> carry(client, far));
      run("wire-back", () -> carry(far, client));
    }
  }

  private static void carry(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException cut) {
      // Both ends are closed now.
    }
  }

  void part() throws IOException {
    synchronized (open) {
      parted = true;
      for (Socket socket : open) {
        socket.close();
      }
      open.clear();
    }
  }

  void heal() {
    synchronized (open) {
      parted = false;
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    part();
  }
}
