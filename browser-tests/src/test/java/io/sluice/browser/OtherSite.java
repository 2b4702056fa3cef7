// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/** A web server of somebody else, with a page that a test chooses. */
final class OtherSite implements AutoCloseable {
  private final HttpServer server;
  private final AtomicReference<String> body = new AtomicReference<>("");

  private OtherSite(HttpServer server) {
    this.server = server;
  }

  static OtherSite start() throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    OtherSite site = new OtherSite(http);
    http.createContext(
        "/",
        exchange -> {
          String page = "<!doctype html><title>Other site</title><body>" + site.body.get();
          byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html;charset=utf-8");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    http.start();
    return site;
  }

  /**
   * Shows a page.
   *
   * @param html its body
   */
  void show(String html) {
    body.set(html);
  }

  /** Returns its address by a name of this machine. */
  String url(String host) {
    return "http://" + host + ":" + server.getAddress().getPort() + "/";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
