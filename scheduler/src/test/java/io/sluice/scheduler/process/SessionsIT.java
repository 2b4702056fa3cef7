// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions of browsers that signed in by a token: what they permit, until when, and where. */
class SessionsIT {
  private static final String NAME = "sluice";

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

  private static String url(String path) {
    return owner.url() + path;
  }

  private static String token(String name, String role) throws Exception {
    String body = "{\"name\":\"%s\",\"role\":\"%s\",\"namespaces\":[\"team\"]}";
    return owner.post("/v1/tokens", body.formatted(name, role)).is(201).at("/token");
  }

  private static Browser signedIn(String token) throws Exception {
    Browser browser = new Browser();
    browser.script("POST", url("/session"), "Authorization", "Bearer " + token).is(201);
    return browser;
  }

  @Test
  void theCookieIsOfThisServerAloneAndOnlyItsHashIsStored() throws Exception {
    String token = token("carla", "submitter");
    Browser browser = new Browser();
    Reply begun = browser.script("POST", url("/session"), "Authorization", "Bearer " + token);
    begun.is(201);
    String secret = browser.cookies(owner.url()).get(NAME);
    assertThat(secret).matches("[A-Za-z0-9_-]{43}");
    assertThat(begun.header("Set-Cookie"))
        .contains("; Path=/", "; HTTPOnly", "; SameSite=Strict", "; Max-Age=")
        .doesNotContain("Domain", "Secure");
    assertThat(begun.header("Cache-Control")).isEqualTo("no-store");
    assertThat(begun.text()).doesNotContain(secret);
    Reply who = browser.script("GET", url("/v1/whoami")).is(200);
    assertThat(who.at("/name")).isEqualTo("carla");
    assertThat(who.at("/roles/0/role")).isEqualTo("submitter");
    assertThat(who.at("/signedInBy")).isEqualTo("token");
    assertThat(who.at("/session")).isEqualTo(begun.at("/id"));
    assertThat(who.at("/expiresAt")).isEqualTo(begun.at("/expiresAt"));
    String row = "caller_session s WHERE caller = 'carla' AND strpos(s::text, '%s') > 0";
    assertThat(server.count(row.formatted("carla"))).isEqualTo(1);
    assertThat(server.count(row.formatted(secret))).isZero();
    assertThat(server.count("audit a WHERE strpos(a::text, '" + secret + "') > 0")).isZero();
  }

  @Test
  void aChangeByCookieMustComeFromAPageOfTheServer() throws Exception {
    Browser browser = signedIn(token("dora", "submitter"));
    String jobs = url("/v1/jobs");
    String body = job("of-dora", 1, "true");
    assertThat(browser.send("POST", jobs, body).is(403).at("/code"))
        .isEqualTo("cross-site-request");
    browser.send("POST", jobs, body, "Origin", "http://evil.example").is(403);
    browser.send("POST", jobs, body, "Sec-Fetch-Site", "none").is(403);
    browser.send("POST", jobs, body, "Sec-Fetch-Site", "same-site").is(403);
    browser.send("DELETE", url("/session"), "").is(403);
    Reply own = browser.send("POST", jobs, body, "Sec-Fetch-Site", "same-origin").is(201);
    assertThat(own.at("/id")).isNotEmpty();
    browser.send("POST", jobs, job("by-origin", 1, "true"), "Origin", owner.url()).is(201);
  }

  @Test
  void aForgedCookieIsRefused() throws Exception {
    for (String forged :
        List.of("A".repeat(43), "", "x", "%00", "a=b", "é", "A".repeat(8000), "\"quoted\"")) {
      Browser browser = new Browser();
      browser.cookies(owner.url()).put(NAME, forged);
      assertThat(browser.script("GET", url("/v1/whoami")).status()).as(forged).isEqualTo(401);
      assertThat(browser.script("DELETE", url("/session")).status()).as(forged).isEqualTo(401);
    }
    Browser both = new Browser();
    both.cookies(owner.url()).put(NAME, "A".repeat(43));
    String token = OneServer.token("viewer");
    both.script("GET", url("/v1/whoami"), "Authorization", "Bearer " + token).is(200);
  }

  @Test
  void manyForgedCookiesAtOnceDelayNobody() throws Exception {
    ExecutorService many = Executors.newFixedThreadPool(64);
    try {
      List<Callable<Integer>> requests = new ArrayList<>();
      for (int i = 0; i < 256; i++) {
        String forged = "%043d".formatted(i);
        requests.add(
            () -> {
              Browser browser = new Browser();
              browser.cookies(owner.url()).put(NAME, forged);
              return browser.script("GET", url("/v1/whoami")).status();
            });
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> one : many.invokeAll(requests)) {
        statuses.add(one.get());
      }
      assertThat(statuses).isSubsetOf(401, 429);
      owner.get("/v1/whoami").is(200);
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void aSessionEndsOnEveryServer() throws Exception {
    try (StartedServer other = server.follower()) {
      String there = other.caller().url() + "/v1/whoami";
      String token = token("erin", "viewer");
      other.caller().as(token).await("/v1/whoami", reply -> reply.status() == 200);
      Browser browser = signedIn(token);
      String secret = browser.cookies(owner.url()).get(NAME);
      Browser beside = new Browser();
      beside.cookies(there).put(NAME, secret);
      // At once: the other server has not read the new session by itself yet.
      assertThat(beside.script("GET", there).is(200).at("/name")).isEqualTo("erin");
      Reply ended = browser.script("DELETE", url("/session")).is(204);
      assertThat(ended.header("Set-Cookie")).contains("Max-Age=0");
      browser.cookies(owner.url()).put(NAME, secret);
      browser.script("GET", url("/v1/whoami")).is(401);
      await(beside, there, 401);
    }
  }

  private static void await(Browser browser, String url, int status) throws Exception {
    long deadline = System.nanoTime() + StartedServer.PATIENCE.toNanos();
    while (browser.script("GET", url).status() != status) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  @Test
  void aSessionEndsWithItsToken() throws Exception {
    Browser revoked = signedIn(token("fay", "viewer"));
    revoked.script("GET", url("/v1/whoami")).is(200);
    owner.delete("/v1/tokens/fay").is(204);
    Reply refused = revoked.script("GET", url("/v1/whoami")).is(401);
    assertThat(refused.at("/detail")).contains("ended with its token");
    Browser rotated = signedIn(token("gus", "viewer"));
    owner.post("/v1/tokens/gus/rotate", "").is(200);
    rotated.script("GET", url("/v1/whoami")).is(401);
  }

  @Test
  void theEventsOfASessionEndWithIt() throws Exception {
    Browser browser = signedIn(token("lea", "viewer"));
    String secret = browser.cookies(owner.url()).get(NAME);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url("/v1/events")))
            .header("Accept", "text/event-stream")
            .header("Cookie", NAME + "=" + secret)
            .build();
    HttpResponse<InputStream> events =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
    assertThat(events.statusCode()).isEqualTo(200);
    browser.script("DELETE", url("/session")).is(204);
    assertTimeoutPreemptively(StartedServer.PATIENCE, () -> events.body().readAllBytes());
  }

  @Test
  void aSessionCannotBeginAnother() throws Exception {
    Browser browser = signedIn(token("hal", "viewer"));
    browser.script("POST", url("/session")).is(409);
    owner.as(OneServer.token("viewer")).delete("/session").is(409);
  }

  @Test
  void aCallerSeesAndRevokesItsOwnSessionsAndAnAdministratorAll() throws Exception {
    Browser ivy = signedIn(token("ivy", "viewer"));
    Browser jan = signedIn(token("jan", "viewer"));
    Reply own = ivy.script("GET", url("/v1/sessions")).is(200);
    assertThat(own.each("/items", "caller")).containsExactly("ivy");
    assertThat(own.json().at("/items/0/current").asBoolean()).isTrue();
    String janId = jan.script("GET", url("/v1/whoami")).at("/session");
    ivy.script("DELETE", url("/v1/sessions/" + janId)).is(404);
    ivy.script("DELETE", url("/v1/sessions/x")).is(404);
    assertThat(owner.get("/v1/sessions?limit=500").each("/items", "caller"))
        .contains("ivy", "jan")
        .isSorted();
    Reply first = owner.get("/v1/sessions?limit=1").is(200);
    Reply next = owner.get("/v1/sessions?limit=1&cursor=" + first.at("/nextCursor")).is(200);
    assertThat(next.at("/items/0/id")).isNotEqualTo(first.at("/items/0/id")).isNotEmpty();
    owner.get("/v1/sessions?cursor=x").is(400);
    owner.delete("/v1/sessions/" + janId).is(204);
    jan.script("GET", url("/v1/whoami")).is(401);
    Reply audit = owner.get("/v1/audit?kind=Session&name=" + janId).is(200);
    assertThat(audit.each("/items", "action")).containsExactly("delete", "create");
    assertThat(audit.at("/items/0/caller")).isEqualTo("local");
    assertThat(audit.at("/items/1/caller")).isEqualTo("jan");
  }

  @Test
  void theOldestOfTooManySessionsEnds() throws Exception {
    String token = token("kim", "viewer");
    Browser first = signedIn(token);
    for (int i = 0; i < 20; i++) {
      signedIn(token);
    }
    first.script("GET", url("/v1/whoami")).is(401);
    assertThat(server.count("caller_session WHERE caller = 'kim'")).isEqualTo(20);
  }
}
