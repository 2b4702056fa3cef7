// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The codes with which {@code sluice open} signs a browser in. */
class SignInCodesIT {
  private static final String CODE = "Sluice-Sign-In-Code";

  private static OneServer server;
  private static Caller owner;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    owner = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String path() {
    return owner.url() + "/session/code";
  }

  private static String code(String token) throws Exception {
    Reply made = new Browser().send("POST", path(), "", "Authorization", "Bearer " + token).is(201);
    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    assertThat(made.header("Set-Cookie")).isEmpty();
    assertThat(Instant.parse(made.at("/expiresAt")))
        .isBefore(Instant.now().plus(Duration.ofSeconds(61)));
    return made.at("/code");
  }

  @Test
  void aCodeBeginsOneSessionOfItsCallerAndOnlyItsHashIsStored() throws Exception {
    String code = code(OneServer.token("submitter"));
    assertThat(code).matches("[A-Za-z0-9_-]{43}");
    assertThat(server.count("sign_in_code c WHERE strpos(c::text, '" + code + "') > 0")).isZero();
    assertThat(server.count("sign_in_code WHERE caller = 'a-submitter'")).isEqualTo(1);

    Browser browser = new Browser();
    browser.script("PUT", path(), CODE, code).is(201);
    Reply who = browser.script("GET", owner.url() + "/v1/whoami").is(200);
    assertThat(who.at("/name")).isEqualTo("a-submitter");
    assertThat(who.at("/roles/0/role")).isEqualTo("submitter");
    assertThat(who.at("/session")).isNotEmpty();

    Browser second = new Browser();
    assertThat(second.script("PUT", path(), CODE, code).is(401).at("/detail"))
        .contains("./sluice open");
    assertThat(second.cookies(owner.url())).isEmpty();
    assertThat(server.count("sign_in_code WHERE caller = 'a-submitter'")).isZero();
  }

  @Test
  void ofManyWhoHaveTheSameCodeOneGetsTheSession() throws Exception {
    String code = code(OneServer.token("viewer"));
    ExecutorService many = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> tries = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tries.add(() -> new Browser().script("PUT", path(), CODE, code).status());
      }
      List<Integer> answers = new ArrayList<>();
      for (Future<Integer> one : many.invokeAll(tries)) {
        answers.add(one.get());
      }
      assertThat(answers).containsOnlyOnce(201).containsOnly(201, 401);
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void aCodeIsExchangedOnAnotherServerOfTheDatabase() throws Exception {
    try (StartedServer follower = server.follower()) {
      String token = issued("fay");
      var unused = follower.caller().as(token).await("/v1/whoami", reply -> reply.status() == 200);
      String code = code(token);
      Browser browser = new Browser();
      String there = follower.caller().url();
      browser.script("PUT", there + "/session/code", CODE, code).is(201);
      assertThat(browser.script("GET", there + "/v1/whoami").is(200).at("/name")).isEqualTo("fay");
    }
  }

  @Test
  void theSessionOfACodeEndsWithTheTokenThatMadeIt() throws Exception {
    String code = code(issued("gus"));
    owner.delete("/v1/tokens/gus").is(204);
    Browser browser = new Browser();
    browser.script("PUT", path(), CODE, code).is(201);
    assertThat(browser.script("GET", owner.url() + "/v1/whoami").is(401).at("/detail"))
        .contains("ended with its token");
  }

  private static String issued(String name) throws Exception {
    String body = "{\"name\":\"%s\",\"role\":\"viewer\",\"namespaces\":[\"team\"]}";
    return owner.post("/v1/tokens", body.formatted(name)).is(201).at("/token");
  }

  @Test
  void aSessionMakesNoCodeAndAStrangerNeither() throws Exception {
    Browser browser = new Browser();
    browser.script("PUT", path(), CODE, code(OneServer.token("viewer"))).is(201);
    assertThat(browser.script("POST", path()).is(409).at("/detail")).contains("Authorization");
    new Browser().script("POST", path()).is(401);
    new Browser().script("POST", path(), "Authorization", "Bearer nothing").is(401);
  }

  @Test
  void badCodesAndPagesOfOthersAreRefused() throws Exception {
    for (String bad : List.of("", "x", "A".repeat(43), "A".repeat(5000), "' OR 1=1 --")) {
      assertThat(new Browser().script("PUT", path(), CODE, bad).status()).as(bad).isEqualTo(401);
    }
    new Browser().script("PUT", path()).is(401);
    String code = code(OneServer.token("viewer"));
    new Browser().send("PUT", path(), "", CODE, code, "Origin", "http://evil.example").is(403);
    new Browser().send("PUT", path(), "", CODE, code, "Sec-Fetch-Site", "cross-site").is(403);
    new Browser().script("PUT", path(), CODE, code).is(201); // it was not spent by them
  }

  @Test
  void anExpiredCodeIsRefused() throws Exception {
    String code = code(issued("ida"));
    server.execute(
        "UPDATE sign_in_code SET expires_at = now() - interval '1s' WHERE caller = 'ida'");
    new Browser().script("PUT", path(), CODE, code).is(401);
  }
}
