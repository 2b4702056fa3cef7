// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
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
 * The pictures of the documentation: each shows its page as it looks now. With {@code
 * -Dpictures.write} they are made anew.
 */
@NeedsBrowser
class PicturesBrowserIT {
  private static final Path PICTURES = Path.of("..", "docs", "pictures");
  private static final int WIDTH = 1280;

  /**
   * Times and orders within a second differ from run to run. A page may differ from its picture by
   * this share of the difference that an empty page makes.
   */
  private static final double DIFFERENCE_MAX = 0.8;

  private static PictureWorld world;
  private static TestBrowser browser;
  private static Visit visit;

  @BeforeAll
  static void start() throws Exception {
    world = PictureWorld.start();
    browser = TestBrowser.start();
    visit = browser.visit(WIDTH, ColorScheme.LIGHT);
    String code = world.owner().post("/session/code", "").is(201).at("/code");
    visit.page().navigate(world.owner().url() + "/jobs#code=" + code);
    assertThat(visit.page().locator(".who")).containsText("local");
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    world.close();
  }

  private static Map<String, String> pages() throws Exception {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "/");
    pages.put("queues", "/queues?queue=vision");
    pages.put("jobs", "/jobs?by=clusterQueue");
    pages.put("job", "/jobs/" + world.waitingJob());
    pages.put("timeline", "/timeline");
    pages.put("run", "/runs/" + world.run());
    pages.put("usage", "/usage");
    pages.put("administration", "/administration");
    return pages;
  }

  @TestFactory
  List<DynamicTest> eachPictureShowsItsPage() throws Exception {
    return pages().entrySet().stream()
        .map(page -> DynamicTest.dynamicTest(page.getKey(), () -> compare(page)))
        .toList();
  }

  private static void compare(Map.Entry<String, String> named) throws Exception {
    Page page = visit.page();
    page.navigate(world.owner().url() + named.getValue());
    assertThat(page.locator("main h1")).isVisible();
    assertThat(page.locator(".loading")).hasCount(0);
    assertThat(page.locator(".failure")).hasCount(0);
    page.waitForTimeout(1000); // charts are drawn after their data is there
    byte[] now = page.screenshot();
    byte[] empty = emptied(page);
    Path file = PICTURES.resolve(named.getKey() + ".png");
    if (System.getProperty("pictures.write") != null) {
      Files.createDirectories(PICTURES);
      Files.write(file, now);
    }
    Path made = Files.createDirectories(Path.of("target", "pictures"));
    Files.write(made.resolve(named.getKey() + ".png"), now);
    Picture documented = Picture.of(Files.readAllBytes(file));
    double content = documented.differenceFrom(Picture.of(empty));
    assertThat(content).as("an empty page passes for %s", file).isGreaterThan(0.03);
    assertThat(documented.differenceFrom(Picture.of(now)) / content)
        .as("the picture %s is of another page: make it anew with -Dpictures.write", file)
        .isLessThan(DIFFERENCE_MAX);
  }

  private static byte[] emptied(Page page) {
    Locator content = page.locator("main");
    content.evaluate("element => { element.style.visibility = 'hidden'; }");
    return page.screenshot();
  }
}
