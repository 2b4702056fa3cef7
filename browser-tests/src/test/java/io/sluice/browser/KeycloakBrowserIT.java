// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Page;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.Caller.Reply;
import io.sluice.scheduler.process.LoopbackPort;
import io.sluice.scheduler.process.OneServer;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sign-in with Keycloak, set up as the documentation says. */
@Tag("long") // Keycloak is large, and takes a minute to start.
@NeedsBrowser
class KeycloakBrowserIT {
  private static final String VISION =
      """
      apiVersion: sluice.io/v1
      kind: RoleBinding
      metadata: {name: vision}
      spec: {role: submitter, namespaces: [team], groups: [vision]}
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Caller owner;
  private static Keycloak keycloak;
  private static TestBrowser browser;

  @BeforeAll
  static void start() throws Exception {
    int port = LoopbackPort.free();
    home = ServerHome.of(OneServer.FLEET);
    server = home.start("--oidc-issuer", Keycloak.issuer(port), "--oidc-client-id", "sluice");
    owner = server.caller();
    owner.post("/v1/apply", VISION).is(200);
    keycloak = Keycloak.start(port, owner.url() + "/session/callback");
    owner.await("/session/login", reply -> reply.status() == 302);
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    keycloak.close();
    server.close();
    home.close();
  }

  /** Goes from the page of the session to the question for consent. */
  private static void signIn(Page page, String user) {
    page.navigate(owner.url() + "/session");
    page.click("#sign-in");
    page.fill("#username", user);
    page.fill("#password", Keycloak.PASSWORD);
    page.click("#kc-login");
    assertThat(page.locator("[name=cancel]")).isVisible();
  }

  @Test
  void aUserSignsInWithItsGroups() {
    try (Visit visit = browser.visit()) {
      Page page = visit.page();
      signIn(page, "ann");
      page.click("[name=accept]");
      assertThat(page.locator("#state")).hasText("Signed in.");
      assertThat(page.locator("#name")).hasText("ann@example.org");
      assertThat(page.locator("#groups")).hasText("vision");
      assertThat(page.locator("#roles")).hasText("submitter (team)");
    }
  }

  @Test
  void aUserWhoDoesNotConsentIsTold() {
    try (Visit visit = browser.visit()) {
      Page page = visit.page();
      signIn(page, "bob");
      page.click("[name=cancel]");
      assertThat(page.locator("#reason")).containsText("access_denied");
      assertThat(visit.cookies(owner.url())).isEmpty();
    }
  }

  @Test
  void anAccessTokenForTheClientIsAccepted() throws Exception {
    JsonNode tokens = keycloak.tokens("ann");
    Reply who = owner.as(tokens.path("access_token").asText()).get("/v1/whoami").is(200);
    assertThat(who.at("/name")).isEqualTo("ann@example.org");
    assertThat(who.at("/groups/0")).isEqualTo("vision");
    assertThat(who.at("/roles/0/role")).isEqualTo("submitter");
    Reply other = owner.as(tokens.path("id_token").asText()).get("/v1/whoami").is(401);
    assertThat(other.at("/detail")).contains("audience");
  }
}
