// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotAnimations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Graphics pixel by pixel: colours, marks and places, which the structure of a page does not tell.
 * Their texts are hidden, since fonts differ. With {@code -Dgoldens.write} the files are made anew:
 * look at them.
 */
@NeedsBrowser
class GraphicsBrowserIT {
  private static final Path GRAPHICS =
      Path.of("src", "test", "resources", "io", "sluice", "browser", "graphics");

  /** The share of drawn pixels that may differ. */
  private static final double DIFFERENCE_MAX = 0.02;

  private static final String ON_A_SLICE =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: on-a-slice, namespace: team}
      spec:
        queue: chips
        accelerator: {type: v6e, topology: 4x4, slices: 1}
        gracePeriod: 1s
        command: [sleep, "600"]
      """;

  private static ConsoleServer server;
  private static TestBrowser browser;
  private static String token;
  private static String run;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    run = server.owner().post("/v1/pipelines/team/nightly/runs", "{}").is(201).at("/id");
    var unused =
        server.owner().await("/v1/runs/" + run, reply -> reply.at("/state").equals("SUCCEEDED"));
    server.awaitState(server.submit("holder", 3, "sleep 600"), "RUNNING");
    server.owner().post("/v1/fleet/slices/v6e-1/reclaim?notice=24h", "").is(202);
    server.awaitState(server.owner().post("/v1/jobs", ON_A_SLICE).is(201).at("/id"), "RUNNING");
    browser = TestBrowser.start();
    token = server.administratorsToken("ada");
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.cancelAll();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "fleet-light, /, .fleet-group svg",
    "fleet-dark, /, .fleet-group svg",
    "quota-light, /queues?queue=cpus, .quota-bar",
    "quota-dark, /queues?queue=cpus, .quota-bar",
    "run-light, /runs/RUN, main svg",
  })
  void eachLooksAsItsFile(String name, String path, String graphic) throws IOException {
    ColorScheme scheme = name.endsWith("dark") ? ColorScheme.DARK : ColorScheme.LIGHT;
    try (Visit visit = browser.visit(1280, scheme)) {
      visit.signIn(server.url(), token);
      Page page = visit.open(server.url() + path.replace("RUN", run));
      Locator shown = page.locator(graphic).first();
      assertThat(shown).isVisible();
      assertThat(page.locator(".loading")).hasCount(0);
      shown.locator("text").evaluateAll("all => all.forEach(one => { one.style.opacity = 0; })");
      byte[] now =
          shown.screenshot(
              new Locator.ScreenshotOptions().setAnimations(ScreenshotAnimations.DISABLED));
      Path file = GRAPHICS.resolve(name + ".png");
      if (System.getProperty("goldens.write") != null) {
        Files.createDirectories(GRAPHICS);
        Files.write(file, now);
      }
      Path made = Files.createDirectories(Path.of("target", "graphics")).resolve(name + ".png");
      Files.write(made, now);
      assertThat(Pixels.difference(Files.readAllBytes(file), now))
          .as("%s looks otherwise than %s, which -Dgoldens.write makes anew", made, file)
          .isLessThan(DIFFERENCE_MAX);
    }
  }
}
