// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy to a database that can drop all bytes without closing connections. */
final class SilentNetwork implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final URI target;
  private final String url;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  SilentNetwork(TestDatabase database) throws IOException {
    this.target = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.url =
        database
            .jdbcUrl()
            .replace(
                target.getHost() + ":" + target.getPort(), "127.0.0.1:" + listener.getLocalPort());
    daemon(this::acceptAll, "silent-network");
  }

  String jdbcUrl() {
    return url;
  }

  /** Drops all bytes of open connections, and refuses new ones. */
  void silence() {
    refusing = true;
    silent.addAll(sockets);
  }

  /** Accepts new connections; the silent ones stay silent. */
  void admitNew() {
    refusing = false;
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          client.close();
          continue;
        }
        Socket server = new Socket(target.getHost(), target.getPort());
        sockets.add(client);
        sockets.add(server);
        daemon(() -> pass(client, server), "to-database");
        daemon(() -> pass(server, client), "from-database");
      } catch (IOException closed) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(closed);
        }
      }
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!silent.contains(from)) {
          out.write(buffer, 0, read);
          out.flush();
        }
      }
      if (!silent.contains(from)) {
        to.close();
      }
    } catch (IOException broken) {
      if (!silent.contains(from)) {
        close(to);
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sockets.forEach(SilentNetwork::close);
  }
}
