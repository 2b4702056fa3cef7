// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.LoopbackPort;
import io.sluice.scheduler.process.OneServer;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Open pages while servers are killed and replaced. */
@NeedsBrowser
class ConsoleFaultsBrowserIT {
  private static final int WIDE = 1280;

  private static TestBrowser browser;

  @BeforeAll
  static void start() {
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() {
    browser.close();
  }

  private static Locator rows(Page page) {
    return page.locator(".virtual.jobs .row:not([aria-rowindex='1'])");
  }

  private static Visit signedIn(Caller owner) throws Exception {
    Visit visit = browser.visit(WIDE, ColorScheme.LIGHT);
    String code = owner.post("/session/code", "").is(201).at("/code");
    visit.page().navigate(owner.url() + "/jobs?name=after#code=" + code);
    assertThat(visit.page().getByText("No job meets the filters.")).isVisible();
    return visit;
  }

  @Test
  void aPageOfAFollowerGoesOnWhenTheLeaderIsKilled() throws Exception {
    ServerHome home = ServerHome.of(OneServer.FLEET);
    StartedServer leader = home.start();
    leader.caller().post("/v1/apply", OneServer.QUOTA).is(200);
    try (StartedServer follower = home.startBeside("follower");
        Visit visit = signedIn(follower.caller())) {
      leader.kill();
      follower.caller().post("/v1/jobs", OneServer.job("after", 1, "sleep 600")).is(201);
      assertThat(rows(visit.page())).hasCount(1);
      assertThat(rows(visit.page()).first()).containsText("running");
      assertThat(visit.page().locator(".banner")).hasCount(0);
    } finally {
      leader.close();
      home.close();
    }
  }

  @Test
  void aPageTellsOfALostConnectionAndCatchesUpWithoutAReload() throws Exception {
    int port = LoopbackPort.free();
    String[] fixed = {"--port", Integer.toString(port)};
    ServerHome home = ServerHome.of(OneServer.FLEET);
    StartedServer first = home.start(fixed);
    first.caller().post("/v1/apply", OneServer.QUOTA).is(200);
    try (Visit visit = signedIn(first.caller())) {
      Page page = visit.page();
      first.kill();
      assertThat(page.locator(".banner")).containsText("connection to the server is lost");
      try (StartedServer second = home.start(fixed)) {
        second.caller().post("/v1/jobs", OneServer.job("after", 1, "sleep 600")).is(201);
        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(rows(page)).hasCount(1);
        assertThat(rows(page).first()).containsText("running");
      }
    } finally {
      first.close();
      home.close();
    }
  }

  @Test
  void aPageShowsWhatWasSubmittedWhileItsConnectionWasLost() throws Exception {
    int port = LoopbackPort.free();
    String[] fixed = {"--port", Integer.toString(port)};
    ServerHome home = ServerHome.of(OneServer.FLEET);
    StartedServer first = home.start(fixed);
    first.caller().post("/v1/apply", OneServer.QUOTA).is(200);
    try (Visit visit = signedIn(first.caller())) {
      Page page = visit.page();
      first.kill();
      try (StartedServer other = home.startBeside("other")) {
        other.caller().post("/v1/jobs", OneServer.job("after", 1, "sleep 600")).is(201);
        assertThat(page.locator(".banner")).containsText("connection to the server is lost");
        try (StartedServer again = home.start(fixed)) {
          assertThat(again.caller().url()).isEqualTo(first.caller().url());
          assertThat(rows(page)).hasCount(1);
          assertThat(page.locator(".banner")).hasCount(0);
        }
      }
    } finally {
      first.close();
      home.close();
    }
  }

  @Test
  void aServerOfAnotherVersionIsToldWhenTheConnectionIsBack() throws Exception {
    int port = LoopbackPort.free();
    String[] fixed = {"--port", Integer.toString(port)};
    ServerHome home = ServerHome.of(OneServer.FLEET);
    StartedServer first = home.start(fixed);
    try (Visit visit = signedIn(first.caller())) {
      Page page = visit.page();
      // There is one version of the console here: the header of the next answer is changed.
      page.route(
          first.caller().url() + "/",
          route -> {
            var answer = route.fetch();
            Map<String, String> headers = new TreeMap<>(answer.headers());
            headers.put("sluice-console", "/assets/00000000000000000000/");
            route.fulfill(
                new Route.FulfillOptions().setStatus(answer.status()).setHeaders(headers));
          });
      first.kill();
      assertThat(page.locator(".banner")).containsText("lost");
      try (StartedServer second = home.start(fixed)) {
        assertThat(page.locator(".banner")).containsText("The server has another version");
        page.unrouteAll();
        page.getByText("Load the new one").click();
        assertThat(page.locator("main h1")).hasText("Jobs");
        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(second.caller().url()).isEqualTo(first.caller().url());
      }
    } finally {
      first.close();
      home.close();
    }
  }
}
