// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The structure of each page, as a file has it. A change of it is meant, or a defect. With {@code
 * -Dgoldens.write} the files are made anew: look at their difference.
 */
@NeedsBrowser
class GoldensBrowserIT {
  private static final Path GOLDENS =
      Path.of("src", "test", "resources", "io", "sluice", "browser", "goldens");

  private static ConsoleServer server;
  private static TestBrowser browser;
  private static Visit visit;
  private static String failed;
  private static String waiting;
  private static String run;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    run = server.owner().post("/v1/pipelines/team/nightly/runs", "{}").is(201).at("/id");
    var unused =
        server.owner().await("/v1/runs/" + run, reply -> reply.at("/state").equals("SUCCEEDED"));
    failed = server.submit("broken", 1, "echo no data; exit 3");
    server.awaitState(failed, "FAILED");
    server.awaitState(server.submit("holder", 4, "sleep 600"), "RUNNING");
    waiting = server.submit("waiter", 2, "true");
    String why = "/v1/jobs/" + waiting + "/explanation";
    unused = server.owner().await(why, reply -> reply.at("/blocker").equals("QUOTA_IN_USE"));
    browser = TestBrowser.start();
    visit = browser.visit(1280, ColorScheme.LIGHT);
    visit.signIn(server.url(), server.administratorsToken("ada"));
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.cancelAll();
    server.close();
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "/");
    pages.put("queues", "/queues?queue=cpus");
    pages.put("jobs", "/jobs?by=queue");
    pages.put("job-waiting", "/jobs/" + waiting);
    pages.put("job-failed", "/jobs/" + failed);
    pages.put("job-logs", "/jobs/" + failed + "?view=logs");
    pages.put("timeline", "/timeline");
    pages.put("pipelines", "/pipelines");
    pages.put("pipeline", "/pipelines/team/nightly");
    pages.put("pipeline-start", "/pipelines/team/nightly?view=start");
    pages.put("run", "/runs/" + run);
    pages.put("usage", "/usage");
    pages.put("administration-quota", "/administration?name=cpus");
    pages.put("administration-classes", "/administration?view=classes");
    pages.put("administration-fleet", "/administration?view=fleet");
    pages.put("administration-audit", "/administration?view=audit");
    pages.put("administration-decisions", "/administration?view=decisions");
    pages.put("administration-access", "/administration?view=access");
    return pages;
  }

  @TestFactory
  List<DynamicTest> eachPageHasTheStructureOfItsFile() {
    return pages().entrySet().stream()
        .map(
            page ->
                DynamicTest.dynamicTest(
                    page.getKey(), () -> compare(page.getKey(), page.getValue())))
        .toList();
  }

  private static void compare(String name, String path) throws IOException {
    Page page = visit.open(server.url() + path);
    // The frame of all pages is in the file of the first one.
    Locator part = page.locator(path.equals("/") ? "body" : "main");
    Path file = GOLDENS.resolve(name + ".yaml");
    if (System.getProperty("goldens.write") != null) {
      page.waitForTimeout(3000); // parts that are read one after another
      Files.createDirectories(GOLDENS);
      Files.writeString(file, Outline.of(part).golden());
    }
    String golden = Files.readString(file);
    try {
      page.waitForCondition(
          () -> {
            Outline now = Outline.of(part);
            return now.resolve(golden).equals(now.toString());
          });
    } catch (TimeoutError late) {
      Outline now = Outline.of(part);
      assertThat(now.toString())
          .as("%s, whose file is made anew with -Dgoldens.write", path)
          .isEqualTo(now.resolve(golden));
    }
  }
}
