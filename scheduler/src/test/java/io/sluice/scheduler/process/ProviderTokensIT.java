// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.sluice.scheduler.process.Caller.Reply;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens of an identity provider as bearer tokens: which are accepted, and why others are not. */
class ProviderTokensIT {
  private static TestProvider provider;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller owner;

  @BeforeAll
  static void start() throws Exception {
    provider = TestProvider.start(0, TestProvider.key("first"));
    home = ServerHome.of(OneServer.FLEET);
    server = home.start(options(provider.issuer()));
    owner = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
    provider.close();
  }

  private static String[] options(String issuer) {
    return new String[] {"--oidc-issuer", issuer, "--oidc-client-id", TestProvider.CLIENT};
  }

  private static Reply refused(String token) throws Exception {
    Reply reply = owner.as(token).get("/v1/whoami").is(401);
    assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
    owner.as(token).post("/v1/jobs", job("x", 1, "true")).is(401);
    return reply;
  }

  @Test
  void theCallerIsNamedByItsTokenAndReadsQuotaOnly() throws Exception {
    Caller ann = owner.as(provider.sign(provider.claims("ann@example.org")));
    Reply who = ann.get("/v1/whoami").is(200);
    assertThat(who.at("/name")).isEqualTo("ann@example.org");
    assertThat(who.json().at("/groups")).hasSize(2);
    assertThat(who.json().at("/roles")).isEmpty();
    assertThat(who.at("/signedInBy")).isEqualTo("identity-provider");
    assertThat(Instant.parse(who.at("/expiresAt"))).isAfter(Instant.now());
    ann.get("/v1/clusterqueues").is(200);
    assertThat(ann.get("/v1/jobs").is(200).json().at("/items")).isEmpty();
    assertThat(ann.post("/v1/jobs", job("x", 1, "true")).is(403).at("/detail"))
        .contains("ann@example.org");
    ann.get("/v1/audit").is(403);
  }

  @Test
  void aTokenWithoutASignatureIsRefused() throws Exception {
    String plain = new PlainJWT(provider.claims("eve@example.org").build()).serialize();
    refused(plain);
    String signed = provider.sign(provider.claims("eve@example.org"));
    refused(signed.substring(0, signed.lastIndexOf('.') + 1));
  }

  @Test
  void aTokenSignedByASharedSecretIsRefused() throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).type(JOSEObjectType.JWT).build(),
            provider.claims("eve@example.org").build());
    token.sign(new MACSigner("a secret of at least 32 bytes, as HS256 demands"));
    refused(token.serialize());
  }

  @Test
  void aTokenForAnotherAudienceIsRefused() throws Exception {
    Reply reply = refused(provider.sign(provider.claims("a@example.org").audience("other")));
    assertThat(reply.at("/detail")).containsIgnoringCase("audience");
    refused(provider.sign(provider.claims("a@example.org").audience(List.of())));
  }

  @Test
  void aTokenOutOfItsTimeIsRefusedBeyondTheSkew() throws Exception {
    Date past = Date.from(Instant.now().minusSeconds(120));
    Date future = Date.from(Instant.now().plusSeconds(120));
    Reply expired = refused(provider.sign(provider.claims("a@example.org").expirationTime(past)));
    assertThat(expired.at("/detail")).containsIgnoringCase("expired");
    refused(provider.sign(provider.claims("a@example.org").notBeforeTime(future)));
    refused(provider.sign(provider.claims("a@example.org").expirationTime(null)));
    Date now = Date.from(Instant.now().minusSeconds(1));
    owner
        .as(provider.sign(provider.claims("a@example.org").expirationTime(now)))
        .get("/v1/whoami")
        .is(200);
  }

  @Test
  void aTokenOfAnotherIssuerIsRefused() throws Exception {
    Reply reply =
        refused(provider.sign(provider.claims("a@example.org").issuer("https://other.example")));
    assertThat(reply.at("/detail")).contains("issuer", "https://other.example");
  }

  @Test
  void aTokenWithAWrongSignatureIsRefused() throws Exception {
    String other = TestProvider.sign(provider.claims("a@example.org"), TestProvider.key("first"));
    assertThat(refused(other).at("/detail")).containsIgnoringCase("signature");
  }

  @Test
  void textThatLooksLikeATokenIsRefused() throws Exception {
    String header = provider.sign(provider.claims("a@example.org")).split("\\.", -1)[0];
    for (String text :
        List.of(
            "a.b.c",
            "..",
            "e30.e30.e30",
            header + ".e30.x",
            header + "..",
            "a.b.c.d.e",
            header + "." + "W1tb".repeat(3000) + ".x",
            "eyJhbGciOiJSUzI1NiJ9.bnVsbA.x")) {
      refused(text);
    }
  }

  @Test
  void groupsAreBounded() throws Exception {
    List<String> many = IntStream.range(0, 501).mapToObj(i -> "g" + i).toList();
    Reply reply = refused(provider.sign(provider.claims("a@example.org").claim("groups", many)));
    assertThat(reply.at("/detail")).contains("501", "500");
    List<String> most = many.subList(0, 500);
    Caller one = owner.as(provider.sign(provider.claims("a@example.org").claim("groups", most)));
    assertThat(one.get("/v1/whoami").is(200).json().at("/groups")).hasSize(500);
    List<String> far = IntStream.range(0, 10_000).mapToObj(i -> "group-" + i).toList();
    String huge = provider.sign(provider.claims("a@example.org").claim("groups", far));
    assertThat(owner.as(huge).get("/v1/whoami").status()).isEqualTo(431);
  }

  @Test
  void namesThatMustNotComeFromAProviderAreRefused() throws Exception {
    for (String name : List.of("local", "server", "system:admin", "", "a b", "a\u0000b")) {
      refused(provider.sign(provider.claims(name)));
    }
    refused(provider.sign(provider.claims("a@example.org").claim("email", null)));
    refused(provider.sign(provider.claims("a@example.org").claim("email", 7)));
    refused(provider.sign(provider.claims("a@example.org").claim("groups", List.of(7))));
    Reply unverified =
        refused(provider.sign(provider.claims("a@example.org").claim("email_verified", false)));
    assertThat(unverified.at("/detail")).contains("email_verified");
  }

  @Test
  void aSessionOfATokenOfTheProviderEndsWithTheToken() throws Exception {
    String token = provider.sign(provider.claims("bea@example.org"));
    Browser browser = new Browser();
    Reply begun =
        browser.script("POST", owner.url() + "/session", "Authorization", "Bearer " + token);
    begun.is(201);
    assertThat(Instant.parse(begun.at("/expiresAt"))).isBefore(Instant.now().plusSeconds(700));
    Reply who = browser.script("GET", owner.url() + "/v1/whoami").is(200);
    assertThat(who.json().at("/groups")).hasSize(2);
    assertThat(who.at("/signedInBy")).isEqualTo("identity-provider");
  }

  @Test
  void keysMayChangeAndTheProviderMayBeDown() throws Exception {
    int port;
    try (TestProvider first = TestProvider.start(0, TestProvider.key("old"))) {
      port = first.port();
    }
    // The provider is down when the server starts.
    try (ServerHome own = ServerHome.of(OneServer.FLEET);
        StartedServer early = own.start(options("http://localhost:" + port))) {
      Caller admin = early.caller();
      admin.get("/v1/whoami").is(200);
      String before;
      String after;
      try (TestProvider up = TestProvider.start(port, TestProvider.key("old"))) {
        before = up.sign(up.claims("ann@example.org"));
        admin.as(before).await("/v1/whoami", reply -> reply.status() == 200);
        up.rotate(TestProvider.key("new"));
        after = up.sign(up.claims("bob@example.org"));
        admin.as(after).await("/v1/whoami", reply -> reply.status() == 200);
        String unknown = TestProvider.sign(up.claims("eve@example.org"), TestProvider.key("other"));
        admin.as(unknown).get("/v1/whoami").is(401);
      }
      // The provider is down again: what was verified stays valid, and so do its keys.
      admin.as(after).get("/v1/whoami").is(200);
      admin.get("/v1/whoami").is(200);
    }
  }

  @Test
  void withoutAnAnswerOfTheProviderTheReasonIsTold() throws Exception {
    int port;
    String token;
    try (TestProvider gone = TestProvider.start(0, TestProvider.key("gone"))) {
      port = gone.port();
      token = gone.sign(gone.claims("ann@example.org"));
    }
    try (ServerHome own = ServerHome.of(OneServer.FLEET);
        StartedServer alone = own.start(options("http://localhost:" + port))) {
      Caller ann = alone.caller().as(token);
      Reply reply = ann.get("/v1/whoami").is(503);
      assertThat(reply.at("/code")).isEqualTo("identity-provider-unavailable");
      assertThat(reply.at("/detail")).contains("http://localhost:" + port);
      assertThat(reply.header("Retry-After")).isNotEmpty();
      ann.post("/v1/jobs", job("x", 1, "true")).is(503);
      Browser browser = new Browser();
      browser.navigate(alone.caller().url() + "/session/login").is(503);
      browser.navigate(alone.caller().url() + "/session").is(200);
    }
  }
}
