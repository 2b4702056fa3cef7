// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The browser of all tests of a class. It belongs to the thread that started it. */
final class TestBrowser implements AutoCloseable {
  /** Reached only if something hangs. */
  static final double PATIENCE_MILLIS = Duration.ofMinutes(1).toMillis();

  private static final int SCREEN_HEIGHT = 900;

  private final Playwright playwright;
  private final Browser browser;

  private TestBrowser(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  /** Starts the browser of this machine, without a window. */
  static TestBrowser start() {
    Path program =
        SystemBrowser.program()
            .orElseThrow(() -> new IllegalStateException(SystemBrowser.reason()));
    // Else the library would fetch browsers of its own.
    Map<String, String> noDownload = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(noDownload));
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    BrowserType.LaunchOptions options =
        new BrowserType.LaunchOptions()
            .setExecutablePath(program)
            .setChromiumSandbox(!isRoot())
            .setTimeout(PATIENCE_MILLIS);
    return new TestBrowser(playwright, playwright.chromium().launch(options));
  }

  /** As root Chromium starts only without its sandbox. */
  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Begins a visit of a user whose browser has no cookies. */
  Visit visit() {
    return new Visit(browser.newContext());
  }

  /** Begins a visit on a screen of a width in pixels, light or dark. */
  Visit visit(int width, ColorScheme scheme) {
    return new Visit(
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, SCREEN_HEIGHT)
                .setColorScheme(scheme)));
  }

  /** Begins a visit on a phone of a width in pixels, which has no mouse. */
  Visit visitByTouch(int width) {
    return new Visit(
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, SCREEN_HEIGHT)
                .setHasTouch(true)
                .setIsMobile(true)));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
