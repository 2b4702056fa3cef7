// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import io.sluice.scheduler.api.ProblemAnswers;
import io.sluice.scheduler.api.ProblemKind;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The addresses of the console. They are no operations of the interface, and need no caller: the
 * pages are the same for everybody, and their scripts ask the interface. A client that accepts no
 * page, such as one that has left out {@code /v1}, is told that there is nothing.
 */
@Singleton
class ConsoleRoutes {
  static final String ASSETS = "/assets/";

  /**
   * The pages. The script of all pages knows them too, and loads their scripts; the page names
   * them, so that a browser fetches them at once. The first that matches an address is its page.
   */
  private static final List<Page> PAGES =
      List.of(
          new Page("/", "overview/overview"),
          new Page("/queues/*", "queues/queues"),
          new Page("/jobs", "jobs/jobs"),
          new Page("/jobs/*", "jobs/job"),
          new Page("/timeline/*", "timeline/timeline"),
          new Page("/pipelines", "pipelines/pipelines"),
          new Page("/pipelines/*", "pipelines/pipeline"),
          new Page("/runs/*", "pipelines/run"),
          new Page("/usage/*", "usage/usage"),
          new Page("/administration/*", "administration/administration"));

  private static final String FOREVER = "public, max-age=31536000, immutable";
  private static final int NOT_MODIFIED = 304;
  private static final String POLICY = "Content-Security-Policy";

  /** A worker has the policy of its own file, not that of the page that starts it. */
  private static final String WORKER_POLICY =
      "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

  /**
   * A page.
   *
   * @param address pattern of its addresses; an asterisk stands for the rest, which may be empty
   * @param name of its script, below the folder of pages
   */
  private record Page(String address, String name) {
    String script() {
      return "pages/" + name + ".js";
    }
  }

  private final ConsoleFiles files = ConsoleFiles.read(PAGES.stream().map(Page::script).toList());

  void register(@Observes Router router) {
    PAGES.forEach(
        page -> {
          router.get(page.address()).handler(context -> page(context, page.script()));
          router.head(page.address()).handler(context -> page(context, page.script()));
        });
    router.get(ASSETS + "*").handler(this::file);
    router.head(ASSETS + "*").handler(this::file);
  }

  private void page(RoutingContext context, String script) {
    String accepted = context.request().getHeader(HttpHeaders.ACCEPT);
    if (accepted == null || !accepted.contains("text/html")) {
      context.next();
      return;
    }
    // Of a version's folder; a proxy that compresses may not change a strong one.
    String tag = "W/\"" + files.folder() + "\"";
    HttpServerResponse response =
        context
            .response()
            .putHeader(POLICY, files.policy())
            .putHeader("Cross-Origin-Opener-Policy", "same-origin")
            .putHeader("Sluice-Console", files.folder())
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
            .putHeader(HttpHeaders.ETAG, tag);
    if (tag.equals(context.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      response.setStatusCode(NOT_MODIFIED).end();
    } else {
      send(context, files.page(script));
    }
  }

  private void file(RoutingContext context) {
    ConsoleFile file = files.at(context.normalizedPath());
    if (file == null) {
      ProblemAnswers.refuse(
          context,
          ProblemKind.NOT_FOUND,
          "this server's console has no such file: load the page anew");
      return;
    }
    context
        .response()
        .putHeader(HttpHeaders.CACHE_CONTROL, FOREVER)
        .putHeader(POLICY, WORKER_POLICY);
    send(context, file);
  }

  private static void send(RoutingContext context, ConsoleFile file) {
    HttpServerResponse response =
        context
            .response()
            .putHeader(HttpHeaders.CONTENT_TYPE, file.type())
            .putHeader(HttpHeaders.VARY, "Accept-Encoding");
    // The server compresses an answer whose encoding is open; it set "identity" before.
    response.headers().remove(HttpHeaders.CONTENT_ENCODING);
    if (context.request().method().equals(HttpMethod.HEAD)) {
      response
          .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(file.content().length()))
          .end();
    } else {
      response.end(file.content());
    }
  }
}
