// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The sign-in of a browser at an identity provider, request by request: the provider is {@code
 * localhost}, the server is {@code 127.0.0.1}, so each is a foreign place to the other.
 */
class SignInIT {
  private static final String NAME = "sluice";
  private static final String ATTEMPT = "sluice-sign-in";

  private static MockOAuth2Server provider;
  private static ServerHome home;
  private static StartedServer server;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    provider = new MockOAuth2Server(new OAuth2Config(true));
    provider.start();
    // Its first answer takes longer than a server waits for it.
    new Browser().navigate(provider.wellKnownUrl("default").toString()).is(200);
    home = ServerHome.of(OneServer.FLEET);
    server =
        home.start(
            "--oidc-issuer", provider.issuerUrl("default").toString(), "--oidc-client-id", NAME);
    url = server.caller().url();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
    provider.shutdown();
  }

  private static String form(String user, String claims) {
    return "username=%s&claims=%s"
        .formatted(user, URLEncoder.encode(claims, StandardCharsets.UTF_8));
  }

  /** Signs in at the provider's page; returns the address that it sends the browser to. */
  private static String atProvider(Browser browser, String authorize, String claims)
      throws Exception {
    assertThat(browser.navigate(authorize).is(200).text()).contains("<form");
    Reply sent =
        browser.send(
            "POST",
            authorize,
            form("ann", claims),
            "Content-Type",
            "application/x-www-form-urlencoded");
    return sent.is(302).header("Location");
  }

  private static final String ANN =
      "{\"email\":\"ann@example.org\",\"email_verified\":true,\"groups\":[\"research\"]}";

  @Test
  void aBrowserSignsInAndComesBackToItsPage() throws Exception {
    Browser browser = new Browser();
    Reply login = browser.navigate(url + "/session/login?to=/session?tab=2").is(302);
    assertThat(login.header("Set-Cookie"))
        .contains(ATTEMPT + "=", "; HTTPOnly", "; SameSite=Lax", "; Max-Age=600");
    String authorize = login.header("Location");
    assertThat(authorize)
        .startsWith("http://localhost:")
        .contains("code_challenge_method=S256", "state=", "nonce=", "response_type=code");
    String callback = atProvider(browser, authorize, ANN);
    assertThat(callback).startsWith(url + "/session/callback?");
    Reply back = browser.navigate(callback).is(302);
    assertThat(back.header("Location")).isEqualTo("/session?tab=2");
    assertThat(back.response().headers().allValues("Set-Cookie"))
        .anyMatch(set -> set.startsWith(NAME + "=") && set.contains("SameSite=Strict"))
        .anyMatch(set -> set.startsWith(ATTEMPT + "=;") && set.contains("Max-Age=0"));
    Reply who = browser.script("GET", url + "/v1/whoami").is(200);
    assertThat(who.at("/name")).isEqualTo("ann@example.org");
    assertThat(who.json().at("/groups/0").asText()).isEqualTo("research");
    assertThat(who.at("/signedInBy")).isEqualTo("identity-provider");
    assertThat(who.at("/session")).isNotEmpty();
    // The code and the attempt are used up.
    browser.navigate(callback).is(400);
  }

  @Test
  void anyServerFinishesASignIn() throws Exception {
    try (StartedServer other =
        home.startBeside(
            "follower",
            "--oidc-issuer",
            provider.issuerUrl("default").toString(),
            "--oidc-client-id",
            NAME,
            "--public-url",
            url)) {
      Browser browser = new Browser();
      String authorize = browser.navigate(url + "/session/login").is(302).header("Location");
      String callback = atProvider(browser, authorize, ANN);
      String there = other.caller().url();
      browser.cookies(there).putAll(browser.cookies(url));
      browser.navigate(callback.replace(url, there)).is(302);
      browser.script("GET", there + "/v1/whoami").is(200);
      browser.cookies(url).putAll(browser.cookies(there));
      browser.script("GET", url + "/v1/whoami").is(200);
    }
  }

  @Test
  void anAnswerIsTakenFromTheBrowserThatAskedOnly() throws Exception {
    Browser attacker = new Browser();
    String authorize = attacker.navigate(url + "/session/login").is(302).header("Location");
    String callback = atProvider(attacker, authorize, ANN);
    Browser victim = new Browser();
    victim.navigate(callback).is(400);
    victim.navigate(url + "/session/login").is(302);
    assertThat(victim.navigate(callback).is(401).at("/detail")).contains("begin again");
    assertThat(victim.cookies(url)).doesNotContainKey(NAME);
  }

  @Test
  void aRefusalOfTheProviderIsTold() throws Exception {
    Browser browser = new Browser();
    String authorize = browser.navigate(url + "/session/login").is(302).header("Location");
    String state = authorize.replaceFirst(".*[?&]state=", "").replaceFirst("&.*", "");
    String answer = "?error=access_denied&error_description=no+entry&state=" + state;
    Reply reply = browser.navigate(url + "/session/callback" + answer).is(401);
    assertThat(reply.at("/detail")).contains("access_denied", "no entry");
  }

  @Test
  void aBrowserShowsARefusalAsAPage() throws Exception {
    Browser browser = new Browser();
    String authorize = browser.navigate(url + "/session/login").is(302).header("Location");
    String state = authorize.replaceFirst(".*[?&]state=", "").replaceFirst("&.*", "");
    String answer = "?error=access_denied&error_description=%3Cscript%3E%26&state=" + state;
    String accepted = "text/html,application/xhtml+xml,*/*;q=0.8";
    Reply reply =
        browser.send("GET", url + "/session/callback" + answer, "", "Accept", accepted).is(401);
    assertThat(reply.header("Content-Type")).startsWith("text/html");
    assertThat(reply.header("Content-Security-Policy")).contains("script-src 'self'");
    assertThat(reply.text())
        .contains("access_denied, &lt;script&gt;&amp;")
        .doesNotContain("<script");
    Reply again = browser.send("GET", url + "/session/callback", "", "Accept", accepted).is(400);
    assertThat(again.text()).contains("begin again");
  }

  @Test
  void aUserWithoutAVerifiedNameIsRefused() throws Exception {
    for (String claims : List.of("{}", "{\"email\":\"a@b\",\"email_verified\":false}")) {
      Browser browser = new Browser();
      String authorize = browser.navigate(url + "/session/login").is(302).header("Location");
      Reply reply = browser.navigate(atProvider(browser, authorize, claims)).is(401);
      assertThat(reply.at("/detail")).contains("email");
      assertThat(browser.cookies(url)).isEmpty();
    }
  }

  @Test
  void malformedAnswersAreRefused() throws Exception {
    for (String forged : List.of("x", "a.b.c.d", "....", "%00", "A".repeat(5000))) {
      Browser browser = new Browser();
      browser.cookies(url).put(ATTEMPT, forged);
      browser.navigate(url + "/session/callback?code=x&state=y").is(400);
    }
    for (String query : List.of("", "?", "?state=x", "?code=x", "?code=a&code=b&state=c", "?%00")) {
      Browser browser = new Browser();
      browser.navigate(url + "/session/login").is(302);
      int status = browser.navigate(url + "/session/callback" + query).status();
      assertThat(status).as(query).isIn(400, 401);
    }
  }

  @Test
  void aTargetElsewhereIsRefused() throws Exception {
    for (String target :
        List.of(
            "//evil.example", "https://evil.example", "/%5Cevil.example", "x", "", "/%0d%0aX:y")) {
      Browser browser = new Browser();
      browser.navigate(url + "/session/login?to=" + target).is(400);
    }
  }

  @Test
  void thePageNeedsNoCookieAndHasAStrictPolicy() throws Exception {
    Reply page = new Browser().navigate(url + "/session").is(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    Map<String, String> files =
        Map.of("/session/page.js", "text/javascript", "/session/page.css", "text/css");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Reply reply = new Browser().script("GET", url + file.getKey()).is(200);
      assertThat(reply.header("Content-Type")).startsWith(file.getValue());
    }
    Reply way = new Browser().script("GET", url + "/v1/sign-in").is(200);
    assertThat(way.at("/issuer")).isEqualTo(provider.issuerUrl("default").toString());
    assertThat(way.at("/clientId")).isEqualTo(NAME);
  }

  @Test
  void behindHttpsTheCookiesAreSecure() throws Exception {
    try (StartedServer proxied =
        home.startBeside(
            "proxied",
            "--oidc-issuer",
            provider.issuerUrl("default").toString(),
            "--oidc-client-id",
            NAME,
            "--public-url",
            "https://sluice.example.org")) {
      Reply begun = proxied.caller().post("/session", "").is(201);
      assertThat(begun.header("Set-Cookie"))
          .startsWith("__Host-" + NAME + "=")
          .contains("; Path=/", "; Secure", "; HTTPOnly", "; SameSite=Strict")
          .doesNotContain("Domain");
      Reply login = new Browser().navigate(proxied.caller().url() + "/session/login").is(302);
      assertThat(login.header("Set-Cookie")).startsWith("__Host-" + ATTEMPT).contains("; Secure");
      assertThat(login.header("Location"))
          .contains("redirect_uri=https%3A%2F%2Fsluice.example.org%2Fsession%2Fcallback");
    }
  }

  @Test
  void aTokenOfTheProviderIsAccepted() throws Exception {
    Map<String, Object> claims = Map.of("email", "cy@example.org", "groups", List.of("g"));
    String token = provider.issueToken("default", "cy", NAME, claims).serialize();
    assertThat(server.caller().as(token).get("/v1/whoami").is(200).at("/name"))
        .isEqualTo("cy@example.org");
  }
}
