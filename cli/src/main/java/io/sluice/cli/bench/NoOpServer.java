// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An HTTP server inside this command that acknowledges every submission and does nothing else. What
 * a load costs with it is the cost of the generator.
 */
final class NoOpServer implements AutoCloseable {
  private static final int CREATED = 201;
  private static final int THREADS = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The thread of the JDK's server that waits for requests. */
  private static final String DISPATCHER = "HTTP-Dispatcher";

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS, this::thread);
  private final AtomicLong jobs = new AtomicLong();
  private final HttpServer server;

  private NoOpServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a server on a free port of this machine.
   *
   * @param connectionsMax how many connections may be kept open without a request
   */
  static NoOpServer start(int connectionsMax) throws IOException {
    // The JDK's server reads these once. Without the second, each answer waits for an
    // acknowledgement of TCP that the client delays.
    System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(connectionsMax));
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NoOpServer started = new NoOpServer(HttpServer.create(address, connectionsMax));
    started.server.createContext("/v1/jobs", started::acknowledge);
    started.server.setExecutor(started.pool);
    started.server.start();
    return started;
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "bench-no-op-server");
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  private void acknowledge(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] answer =
          """
          {"id":"00000000-0000-7000-8000-%012d","namespace":"none","name":"job","replayed":false}\
          """
              .formatted(jobs.incrementAndGet())
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json;charset=UTF-8");
      exchange.sendResponseHeaders(CREATED, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  ServerClient client() {
    return new ServerClient(
        new ServerAddress(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), null, null, null));
  }

  /** Returns the CPU seconds of the threads of this server so far. */
  double cpuSeconds() {
    ThreadMXBean times = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (Thread thread : threads) {
      nanos += Math.max(0, times.getThreadCpuTime(thread.getId()));
    }
    for (ThreadInfo thread : times.getThreadInfo(times.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(DISPATCHER)) {
        nanos += Math.max(0, times.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos / NANOS_PER_SECOND;
  }

  @Override
  public void close() {
    server.stop(0);
    pool.shutdownNow();
  }
}
