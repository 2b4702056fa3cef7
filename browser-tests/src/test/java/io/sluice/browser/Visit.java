// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One user's tab and cookies. It notes the complaints of pages, which a test must expect. */
final class Visit implements AutoCloseable {
  private final BrowserContext context;
  private final Page page;
  private final List<String> complaints = new ArrayList<>();

  Visit(BrowserContext context) {
    this.context = context;
    context.setDefaultTimeout(TestBrowser.PATIENCE_MILLIS);
    context.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text() + " at " + message.location());
          }
        });
    context.onWebError(error -> complaints.add(error.error() + " at " + error.page().url()));
    this.page = context.newPage();
  }

  Page page() {
    return page;
  }

  /** Opens another tab. */
  Page tab() {
    return context.newPage();
  }

  /** Opens an address, and waits until its content is drawn. */
  Page open(String address) {
    page.navigate(address);
    assertThat(heading()).isVisible();
    assertThat(page.locator(".loading")).hasCount(0);
    return page;
  }

  /** Returns the heading of the page. */
  Locator heading() {
    return page.locator("main h1");
  }

  /** Returns the button of that name; exact. */
  Locator button(String name) {
    return named(AriaRole.BUTTON, name);
  }

  /** Returns the element of a role and an exact name. */
  Locator named(AriaRole role, String name) {
    return page.getByRole(role, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** Returns the question that the page asks. */
  Locator question() {
    return page.getByRole(AriaRole.DIALOG);
  }

  /** Presses a button of the question that the page asks, and waits until it is answered. */
  void answer(String name) {
    question()
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .click();
    assertThat(question()).hasCount(0);
  }

  /** Returns the messages that the page shows in passing. */
  Locator notices() {
    return page.locator(".notices");
  }

  /** Signs in by a token, as the form of the console does. */
  void signIn(String url, String token) {
    RequestOptions bearer = RequestOptions.create().setHeader("Authorization", "Bearer " + token);
    int status = context.request().post(url + "/session", bearer).status();
    if (status != 201) {
      throw new AssertionError("the sign-in was answered with " + status);
    }
  }

  /** Returns the cookie of a server; empty if there is none of that name. */
  Optional<Cookie> cookie(String url, String name) {
    return context.cookies(url).stream().filter(cookie -> cookie.name.equals(name)).findFirst();
  }

  /** Returns the names of the cookies of a server. */
  List<String> cookies(String url) {
    return context.cookies(url).stream().map(cookie -> cookie.name).toList();
  }

  /** Brings a cookie back that was removed. */
  void restore(Cookie cookie) {
    context.addCookies(List.of(cookie));
  }

  /**
   * Returns errors and warnings of the browser's console about pages of a server, such as
   * violations of a content security policy, and exceptions of their scripts.
   */
  List<String> complaints(String url) {
    return complaints.stream().filter(complaint -> complaint.contains(url)).toList();
  }

  @Override
  public void close() {
    context.close();
  }
}
