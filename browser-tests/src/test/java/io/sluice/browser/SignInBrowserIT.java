// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.LoopbackPort;
import io.sluice.scheduler.process.OneServer;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sign-in as a user sees it. The identity provider is {@code localhost} and the server is
 * {@code 127.0.0.1}: each is a foreign site to the other.
 */
@NeedsBrowser
class SignInBrowserIT {
  private static final String COOKIE = "sluice";
  private static final String RESEARCH =
      """
      apiVersion: sluice.io/v1
      kind: RoleBinding
      metadata: {name: research}
      spec: {role: submitter, namespaces: [team], groups: [research]}
      """;

  /** A job up to the equals sign that a form writes between name and value of its field. */
  private static final String JOB =
      """
      {"apiVersion": "sluice.io/v1", "kind": "Job", "metadata": {"name": "%s", "namespace": "team"},\
       "spec": {"queue": "main", "requests": {"cpu": 1}, "command": ["echo", "\
      """;

  private static final String JOB_END = "\"]}}";

  private static MockOAuth2Server provider;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller owner;
  private static String url;
  private static OtherSite other;
  private static TestBrowser browser;

  @BeforeAll
  static void start() throws Exception {
    provider = new MockOAuth2Server(new OAuth2Config(true));
    provider.start();
    // Its first answer takes longer than a server waits for it.
    HttpRequest first = HttpRequest.newBuilder(provider.wellKnownUrl("default").uri()).build();
    HttpClient.newHttpClient().send(first, BodyHandlers.discarding());
    home = ServerHome.of(OneServer.FLEET);
    server = home.start(signInAt(provider.issuerUrl("default").toString()));
    owner = server.caller();
    owner.post("/v1/apply", OneServer.QUOTA).is(200);
    owner.post("/v1/apply", RESEARCH).is(200);
    url = owner.url();
    other = OtherSite.start();
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    other.close();
    server.close();
    home.close();
    provider.shutdown();
  }

  private static String[] signInAt(String issuer) {
    return new String[] {"--oidc-issuer", issuer, "--oidc-client-id", "sluice", "--trust-callers"};
  }

  /** Fills in the form of the provider. */
  private static void atProvider(Page page) {
    page.waitForURL(provider.issuerUrl("default") + "/**");
    page.fill("[name=username]", "ann");
    page.fill(
        "[name=claims]",
        "{\"email\":\"ann@example.org\",\"email_verified\":true,\"groups\":[\"research\"]}");
    page.click("[type=submit]");
  }

  private static Visit signedIn() {
    Visit visit = browser.visit();
    visit.page().navigate(url + "/session/login");
    atProvider(visit.page());
    seesAnn(visit.page());
    return visit;
  }

  private static void seesAnn(Page page) {
    assertThat(page.locator("#state")).hasText("Signed in.");
    assertThat(page.locator("#name")).hasText("ann@example.org");
  }

  private static void seesNobody(Page page) {
    assertThat(page.locator("#state")).containsText("Nobody is signed in.");
    assertThat(page.locator("#facts")).isHidden();
    assertThat(page.locator("#sign-out")).isHidden();
    assertThat(page.locator("#sign-in")).isVisible();
  }

  private static void show(Page page, String host, String html) {
    other.show(html);
    page.navigate(other.url(host));
  }

  @Test
  void aUserSignsInAndOut() {
    try (Visit visit = browser.visit()) {
      Page page = visit.page();
      page.navigate(url + "/session");
      seesNobody(page);
      page.click("#sign-in");
      atProvider(page);
      seesAnn(page);
      assertThat(page).hasURL(url + "/session");
      assertThat(page.locator("#groups")).hasText("research");
      assertThat(page.locator("#roles")).hasText("submitter (team)");

      Cookie cookie = visit.cookie(url, COOKIE).orElseThrow();
      assertThat(cookie.httpOnly).isTrue();
      assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
      assertThat(page.evaluate("document.cookie")).isEqualTo("");
      assertThat(visit.cookies(url)).containsExactly(COOKIE);
      page.reload();
      seesAnn(page);

      page.click("#sign-out");
      seesNobody(page);
      assertThat(visit.cookies(url)).isEmpty();
      visit.restore(cookie); // The server has ended the session too.
      page.reload();
      seesNobody(page);
      assertThat(visit.complaints(url)).isNotEmpty().allMatch(one -> one.contains("401"));
    }
  }

  @Test
  void pagesOfASignedInUserAreFreeOfComplaints() {
    try (Visit visit = signedIn()) {
      visit.page().navigate(url + "/session");
      seesAnn(visit.page());
      assertThat(visit.complaints(url)).isEmpty();
    }
  }

  @Test
  void aLinkElsewhereOpensThePageOfASignedInUser() {
    try (Visit visit = signedIn()) {
      Page page = visit.page();
      show(page, "localhost", "<a href='%s/session?tab=2'>Open</a>".formatted(url));
      page.click("a");
      seesAnn(page);
      assertThat(page).hasURL(url + "/session?tab=2");
      assertThat(visit.complaints(url)).isEmpty();

      show(page, "localhost", "<a href='%s/v1/whoami'>Open</a>".formatted(url));
      Response refused = page.waitForResponse(url + "/v1/whoami", () -> page.click("a"));
      assertThat(refused.status()).isEqualTo(403);
    }
  }

  @Test
  void aLinkElsewhereSignsInAndLeadsToItsTarget() {
    try (Visit visit = browser.visit()) {
      Page page = visit.page();
      String target = "/session/login?to=/session%3Ftab=2";
      show(page, "localhost", "<a href='%s%s'>Open</a>".formatted(url, target));
      page.click("a");
      atProvider(page);
      seesAnn(page);
      assertThat(page).hasURL(url + "/session?tab=2");
    }
  }

  /** A port on the same host is another origin, but the same site: the browser sends the cookie. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  void aPageElsewhereChangesAndReadsNothing(String host) throws Exception {
    try (Visit visit = signedIn()) {
      Page page = visit.page();
      String send = "body => fetch('/v1/jobs', {method: 'POST', body}).then(got => got.status)";
      assertThat(page.evaluate(send, job("own"))).isEqualTo(201);

      show(page, host, form());
      Response answer = page.waitForResponse(url + "/v1/jobs", () -> page.click("button"));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.request().postData().strip()).isEqualTo(job("forged"));
      boolean sameSite = url.contains(host);
      assertThat(answer.request().allHeaders().containsKey("cookie")).isEqualTo(sameSite);

      show(page, host, "");
      String blind = "{method: 'POST', mode: 'no-cors', credentials: 'include', body: '%s'}";
      assertThat(script(page, "/v1/jobs", blind.formatted(job("forged")))).isEqualTo("opaque");
      String open = "{method: '%s', credentials: 'include'}";
      assertThat(script(page, "/v1/whoami", open.formatted("GET"))).isEqualTo("TypeError");
      assertThat(script(page, "/session", open.formatted("DELETE"))).isEqualTo("TypeError");

      assertThat(owner.get("/v1/jobs?name=own").is(200).each("/items", "id")).isNotEmpty();
      assertThat(owner.get("/v1/jobs?name=forged").is(200).each("/items", "id")).isEmpty();
      page.navigate(url + "/session");
      seesAnn(page);
    }
  }

  private static String job(String name) {
    return JOB.formatted(name) + "=" + JOB_END;
  }

  private static String form() {
    return """
    <form method="post" enctype="text/plain" action="%s/v1/jobs">
    <input name='%s' value='%s'><button>Win a prize</button>
    </form>
    """
        .formatted(url, JOB.formatted("forged"), JOB_END);
  }

  /** Returns the type of the answer that a script of the page gets, or of its failure. */
  private static Object script(Page page, String path, String options) {
    String fetch = "() => fetch('%s%s', %s).then(got => got.type, failure => failure.name)";
    return page.evaluate(fetch.formatted(url, path, options));
  }

  @Test
  void aDenialAtTheProviderIsReadable() {
    try (Visit visit = browser.visit()) {
      Page page = visit.page();
      page.navigate(url + "/session/login");
      page.waitForURL(provider.issuerUrl("default") + "/**");
      // The provider has no button for it: its page leads to where such a button would.
      page.evaluate(
          """
          callback => {
            const state = new URL(location).searchParams.get("state");
            const denial = {error: "access_denied", error_description: "<b>no entry</b>", state};
            location = callback + "?" + new URLSearchParams(denial);
          }
          """,
          url + "/session/callback");
      assertThat(page.locator("#reason")).containsText("access_denied, <b>no entry</b>");
      assertThat(visit.cookies(url)).isEmpty();
      page.click("text=Try again");
      seesNobody(page);
      assertThat(visit.complaints(url)).isNotEmpty().allMatch(one -> one.contains("401"));
    }
  }

  @Test
  void aProviderThatIsAwayIsTold() throws Exception {
    String issuer = "http://localhost:" + LoopbackPort.free();
    try (StartedServer alone = home.startBeside("alone", signInAt(issuer));
        Visit visit = browser.visit()) {
      Page page = visit.page();
      String there = alone.caller().url();
      page.navigate(there + "/session");
      seesNobody(page);
      Response answer =
          page.waitForResponse(there + "/session/login**", () -> page.click("#sign-in"));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(page.locator("#reason")).containsText(issuer);
      page.click("text=Try again");
      seesNobody(page);
    }
  }
}
