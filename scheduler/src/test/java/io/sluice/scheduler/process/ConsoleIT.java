// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a server serves the console: addresses, versions, caches, and the policy of the page. */
class ConsoleIT {
  private static final Pattern ASSET = Pattern.compile("(/assets/[0-9a-f]{20}/)([A-Za-z0-9./-]+)");

  /**
   * A server answers this page without the name of a caller, so it has no cookies and no tokens.
   */
  private static final Browser STRANGER = new Browser();

  private static OneServer server;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    url = server.caller().url();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  /** Loads an address as a window of a browser does. */
  private static Reply load(String path, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of("Accept", "text/html,*/*;q=0.8"));
    all.addAll(List.of(headers));
    return STRANGER.send("GET", url + path, "", all.toArray(String[]::new));
  }

  private static String folder() throws Exception {
    return load("/").is(200).header("Sluice-Console");
  }

  /** The page without the links to scripts that its address needs. */
  private static String withoutScripts(Reply page) {
    return page.text().replaceAll("<link rel=\"modulepreload\"[^>]*>\n", "");
  }

  @Test
  void aPageNamesTheScriptsOfItsAddress() throws Exception {
    String preload = "<link rel=\"modulepreload\" href=\"" + folder();
    assertThat(load("/jobs").text())
        .contains(preload + "pages/jobs/jobs.js\">", preload + "pages/jobs/job-list.js\">")
        .contains(preload + "shared/api.js\">", preload + "lib/preact/dist/preact.module.js\">")
        .doesNotContain("pages/jobs/job.js", "pages/overview");
    assertThat(load("/jobs/01a1fe82-ec8c-7558-9519-fea5e4e9343b").text())
        .contains(preload + "pages/jobs/job.js\">");
    assertThat(load("/pipelines/language/nightly").text())
        .contains(preload + "pages/pipelines/pipeline.js\">");
    assertThat(load("/runs/01a1fe82-ec8c-7558-9519-fea5e4e9343b").text())
        .contains(preload + "pages/pipelines/run.js\">", preload + "lib/dagre/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/jobs",
        "/jobs/01a1fe82-ec8c-7558-9519-fea5e4e9343b?view=logs",
        "/queues?queue=vision",
        "/timeline",
        "/pipelines/language/nightly",
        "/runs/01a1fe82-ec8c-7558-9519-fea5e4e9343b",
        "/usage",
        "/administration?view=audit"
      })
  void eachAddressIsAnsweredWithTheOnePage(String path) throws Exception {
    Reply page = load(path).is(200);
    assertThat(withoutScripts(page)).isEqualTo(withoutScripts(load("/")));
    assertThat(page.text()).startsWith("<!doctype html>").contains("/app.js\"></script>");
    assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=utf-8");
    assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
    assertThat(page.header("Set-Cookie")).isEmpty();
    Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(page.header("Date")));
    assertThat(date).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    String[] elsewhere = {
      "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };
    load(path, elsewhere).is(200); // a link in a chat
  }

  @Test
  void aProgramThatLeftOutThePrefixOfTheInterfaceGetsAProblemInsteadOfAPage() throws Exception {
    for (String path : List.of("/", "/jobs", "/pipelines/team/nightly")) {
      Reply told = STRANGER.send("GET", url + path, "", "Accept", "*/*");
      assertThat(told.status()).as(path).isIn(401, 404);
      assertThat(told.header("Content-Type")).as(path).contains("application/problem+json");
    }
  }

  @Test
  void thePolicyAllowsFilesOfTheServerAndTheHashOfTheImportMap() throws Exception {
    Reply page = load("/");
    String policy = page.header("Content-Security-Policy");
    assertThat(policy.split("; "))
        .contains(
            "default-src 'none'",
            "style-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types sluice")
        .noneMatch(part -> part.contains("unsafe") || part.contains("*"));
    Matcher inline =
        Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL)
            .matcher(page.text());
    assertThat(inline.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(inline.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(policy)
        .contains("script-src 'self' 'sha256-" + Base64.getEncoder().encodeToString(hash) + "';");
    assertThat(load(folder() + "events-worker.js").header("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "connect-src 'self'");
    assertThat(page.text()).doesNotContain("<style", " style=", " onclick", "javascript:");
  }

  @Test
  void allFilesThatThePageNamesAreThereAndMayBeKeptForever() throws Exception {
    TreeSet<String> named = new TreeSet<>();
    Matcher assets = ASSET.matcher(load("/").text());
    while (assets.find()) {
      assertThat(assets.group(1)).isEqualTo(folder());
      named.add(assets.group());
    }
    assertThat(named).hasSizeGreaterThan(10);
    for (String path : named) {
      Reply file = load(path).is(200);
      assertThat(file.header("Cache-Control"))
          .as(path)
          .isEqualTo("public, max-age=31536000, immutable");
      String ending = path.substring(path.lastIndexOf('.') + 1);
      assertThat(file.header("Content-Type"))
          .as(path)
          .startsWith(
              switch (ending) {
                case "js" -> "text/javascript";
                case "css" -> "text/css";
                default -> "image/svg+xml";
              });
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aFileIsSentCompressedToWhoeverAcceptsThat(HttpClient.Version version) throws Exception {
    String path = folder() + "app.js";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Accept-Encoding", "br, gzip")
            .build();
    HttpResponse<byte[]> compressed =
        HttpClient.newBuilder().version(version).build().send(request, BodyHandlers.ofByteArray());
    assertThat(compressed.version()).isEqualTo(version);
    assertThat(compressed.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(compressed.headers().firstValue("Vary")).hasValue("Accept-Encoding");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(load(path).text());
    }
    Reply head = STRANGER.send("HEAD", url + path, "").is(200);
    assertThat(head.text()).isEmpty();
    assertThat(Integer.parseInt(head.header("Content-Length")))
        .isEqualTo(load(path).text().getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void aPageThatTheBrowserHasIsNotSentAgain() throws Exception {
    String tag = load("/").header("ETag");
    Reply unchanged = load("/jobs", "If-None-Match", tag).is(304);
    assertThat(unchanged.text()).isEmpty();
    assertThat(unchanged.header("Content-Security-Policy")).isNotEmpty();
    load("/jobs", "If-None-Match", "W/\"/assets/0/\"").is(200);
  }

  @Test
  void nothingElseIsServed() throws Exception {
    String folder = folder();
    for (String path :
        List.of(
            "/assets/",
            "/assets/00000000000000000000/app.js", // of another version
            folder,
            folder + "none.js",
            folder + "files.txt",
            folder + "index.html",
            folder + "lib",
            folder + "../app.js",
            folder + "..%2f..%2f..%2fapplication.properties",
            folder + "%2e%2e/%2e%2e/application.properties",
            folder + "app.js%00.css")) {
      Reply refused = load(path);
      assertThat(refused.status()).as(path).isIn(400, 404);
    }
    load("/job").is(404);
    load("/jobsx").is(404);
    for (String path : List.of("/", "/jobs/1")) {
      assertThat(STRANGER.send("POST", url + path, "x").status()).as(path).isIn(401, 404, 405);
    }
  }
}
