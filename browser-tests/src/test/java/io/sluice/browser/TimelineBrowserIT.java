// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Timeline by fingers, and what it shows of the past. */
@NeedsBrowser
class TimelineBrowserIT {
  private static ConsoleServer server;
  private static TestBrowser browser;
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    browser = TestBrowser.start();
    token = server.administratorsToken("ada");
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.close();
  }

  /** Touches the canvas at places across it; none lifts the fingers. */
  private static void touch(CDPSession browser, String kind, BoundingBox canvas, int... places) {
    JsonArray points = new JsonArray();
    for (int finger = 0; finger < places.length; finger++) {
      JsonObject point = new JsonObject();
      point.addProperty("x", canvas.x + places[finger]);
      point.addProperty("y", canvas.y + 60);
      point.addProperty("id", finger);
      points.add(point);
    }
    JsonObject event = new JsonObject();
    event.addProperty("type", kind);
    event.add("touchPoints", points);
    browser.send("Input.dispatchTouchEvent", event);
  }

  @Test
  void fingersMoveAndZoom() {
    try (Visit visit = browser.visitByTouch(400)) {
      visit.signIn(server.url(), token);
      Page page = visit.open(server.url() + "/timeline?span=6h");
      Locator period = page.locator(".timeline-tools .faint");
      assertThat(period).containsText("6h");
      CDPSession session = page.context().newCDPSession(page);
      Locator view = page.locator(".timeline-view");
      view.scrollIntoViewIfNeeded();
      BoundingBox canvas = view.boundingBox();

      touch(session, "touchStart", canvas, 150);
      touch(session, "touchMove", canvas, 200);
      touch(session, "touchMove", canvas, 300);
      touch(session, "touchEnd", canvas);
      page.waitForURL(Pattern.compile(".*[?&]from=.*"));
      assertThat(period).containsText("6h");

      touch(session, "touchStart", canvas, 200, 250);
      touch(session, "touchMove", canvas, 175, 275);
      touch(session, "touchEnd", canvas);
      assertThat(period).containsText("3h");
      assertThat(visit.complaints(server.url())).isEmpty();
    }
  }

  @Test
  void whatEndedWithoutSlicesIsInTheRowOfItsQueue() throws Exception {
    server.awaitState(server.submit("ended-before", 1, "true"), "SUCCEEDED");
    try (Visit visit = browser.visit()) {
      visit.signIn(server.url(), token);
      Page page = visit.open(server.url() + "/timeline?text=ended-before");
      page.getByText("Entries in view as a table").click();
      Locator entry =
          page.locator("tr", new Page.LocatorOptions().setHasText("ended-before")).first();
      assertThat(entry).containsText("past");
      assertThat(entry).containsText("cpus");
    }
  }
}
