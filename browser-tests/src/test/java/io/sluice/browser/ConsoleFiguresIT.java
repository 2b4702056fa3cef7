// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.ServerHome;
import io.sluice.scheduler.process.StartedServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Figures of the console on a fleet of 4,096 slices with 10,000 jobs, which it prints: bytes and
 * time of the first page, the time from a change to the screen, frames of the Timeline, memory of a
 * tab, and what open consoles cost the server. It asserts nothing about speed.
 */
@Tag("long")
@NeedsBrowser
class ConsoleFiguresIT {
  private static final int JOBS = 10_000;
  private static final int BULK = 500;
  private static final int CHANGES = 40;
  private static final int MINUTES = Integer.getInteger("console.minutes", 5);
  private static final int CONSOLES = Integer.getInteger("console.count", 50);

  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: large}
      spec:
        executor: simulated
        slices: [{name: v5e, count: 4096, type: v5e, topology: 4x4}]
        hosts: [{name: cpu, count: 8, capacity: {cpu: 64}}]
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v5e}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: v5e, resources: [{name: google.com/tpu, nominalQuota: 65536}]}]
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 512}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: all}
      """;

  /** What Lighthouse calls first and largest contentful paint, and total blocking time. */
  private static final String PAINTS =
      """
      () => new Promise(done => {
        const seen = {};
        const tasks = [];
        const look = (type, tell) =>
          new PerformanceObserver(list => tell(list.getEntries())).observe({type, buffered: true});
        look("paint", entries => entries.forEach(one => (seen[one.name] = one.startTime)));
        look("largest-contentful-paint", entries => (seen.largest = entries.at(-1).startTime));
        look("longtask", entries => tasks.push(...entries.map(one => one.duration)));
        setTimeout(() => done(
          `first contentful paint ${Math.round(seen["first-contentful-paint"])} ms, `
          + `largest ${Math.round(seen.largest)} ms, `
          + `blocked for ${Math.round(tasks.reduce((sum, one) => sum + one - 50, 0))} ms, `
          + `${performance.getEntriesByType("resource").length + 1} requests`), 500);
      })
      """;

  private static ServerHome home;
  private static StartedServer server;
  private static Caller owner;
  private static String token;
  private static TestBrowser browser;

  @BeforeAll
  static void start() throws Exception {
    home = ServerHome.of(FLEET);
    server = home.start();
    owner = server.caller();
    owner.post("/v1/apply", QUOTA).is(200);
    token = owner.post("/v1/tokens", "{\"name\":\"ada\",\"role\":\"admin\"}").is(201).at("/token");
    for (int from = 0; from < JOBS; from += BULK) {
      StringBuilder jobs = new StringBuilder();
      for (int i = from; i < from + BULK; i++) {
        jobs.append(i == from ? "" : "---\n").append(job("train-" + i, slice(), "PT10H"));
      }
      owner.post("/v1/jobs/bulk", jobs.toString()).is(201);
    }
    var unused =
        owner.await("/v1/fleet?limit=1", reply -> reply.at("/sliceCount/held").equals("4096"));
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.close();
    home.close();
  }

  private static String slice() {
    return "accelerator: {type: v5e, topology: 4x4, slices: 1}";
  }

  private static String job(String name, String request, String runTime) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team, annotations: {sluice.io/simulated-run-time: %s}}
    spec: {queue: main, %s, command: [run]}
    """
        .formatted(name, runTime, request);
  }

  private static Visit visit() {
    Visit visit = browser.visit(1280, ColorScheme.LIGHT);
    visit.signIn(owner.url(), token);
    return visit;
  }

  @Test
  void theFirstPage() throws Exception {
    try (Visit first = visit()) { // of the server, which has not run this code yet
      load(first.page(), "/");
      load(first.page(), "/jobs");
    }
    for (String path : List.of("/", "/jobs")) {
      for (String state : List.of("cold", "warm")) {
        try (Visit visit = visit()) {
          if (state.equals("warm")) {
            load(visit.page(), path);
          }
          CDPSession protocol = visit.page().context().newCDPSession(visit.page());
          protocol.send("Network.enable");
          long[] bytes = {0};
          protocol.on(
              "Network.loadingFinished",
              event -> bytes[0] += event.get("encodedDataLength").getAsLong());
          double millis = load(visit.page(), path);
          System.out.printf(
              "first page %s %s: content after %.0f ms, %.1f kB received, %s%n",
              path, state, millis, bytes[0] / 1000.0, visit.page().evaluate(PAINTS));
        }
      }
    }
  }

  @Test
  void framesOfTheTimeline() throws Exception {
    String script = PictureWorld.read("timeline-frames.js");
    try (Visit visit = visit()) {
      visit.page().navigate(owner.url() + "/usage");
      assertThat(visit.page().locator("main h1")).isVisible();
      for (List<Integer> shape : List.of(List.of(40, 1), List.of(40, 744), List.of(25, 24))) {
        Object frames = visit.page().evaluate(script, shape);
        System.out.printf(
            "timeline, 20,000 bars in %d rows over %d h: %s%n", shape.get(0), shape.get(1), frames);
        assertThat(frames.toString()).contains("drawn frames");
      }
    }
  }

  /** Returns the milliseconds from the begin of the navigation until the content is there. */
  private static double load(Page page, String path) {
    page.navigate(owner.url() + path);
    String content = path.equals("/jobs") ? ".virtual.jobs .row a" : "main svg, main canvas";
    page.waitForSelector(content);
    Object marked =
        page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => done(performance.now())))");
    return ((Number) marked).doubleValue();
  }

  @Test
  void fromAChangeToTheScreen() throws Exception {
    try (Visit visit = visit()) {
      Page page = visit.page();
      page.navigate(owner.url() + "/jobs?name=seen");
      assertThat(page.getByText("No job meets the filters.")).isVisible();
      String id = owner.post("/v1/jobs", job("seen", "requests: {cpu: 1}", "PT10H")).at("/id");
      page.navigate(owner.url() + "/jobs/" + id);
      assertThat(page.locator("main h1")).containsText("running");
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < CHANGES; i++) {
        boolean hold = i % 2 == 0;
        page.waitForTimeout(700);
        Object seen =
            page.evaluate(
                """
                ([id, verb, wanted]) => new Promise(async done => {
                  const shown = () => document.querySelector("main h1").textContent.includes("held");
                  const answer = await fetch(`/v1/jobs/${id}/${verb}`, {method: "POST"});
                  await answer.text();
                  const accepted = performance.now();
                  const check = () => shown() === wanted
                    ? done(performance.now() - accepted)
                    : requestAnimationFrame(check);
                  check();
                })
                """,
                List.of(id, hold ? "hold" : "release", hold));
        millis.add(((Number) seen).doubleValue());
      }
      Collections.sort(millis);
      System.out.printf(
          "from an acknowledged change to the screen: median %.0f ms, 95th percentile %.0f ms,"
              + " most %.0f ms of %d%n",
          millis.get(CHANGES / 2),
          millis.get(CHANGES * 95 / 100),
          millis.get(CHANGES - 1),
          CHANGES);
      owner.post("/v1/jobs/" + id + "/cancel", "").is(202);
    }
  }

  @Test
  void memoryOfATab() throws Exception {
    ExecutorService load = Executors.newSingleThreadExecutor();
    try (Visit visit = visit()) {
      Page page = visit.page();
      page.navigate(owner.url() + "/jobs");
      assertThat(page.locator(".virtual.jobs .row a").first()).isVisible();
      Future<Integer> submitted = load.submit(() -> submitFor(MINUTES * 60));
      CDPSession protocol = page.context().newCDPSession(page);
      for (int minute = 0; minute <= MINUTES; minute++) {
        if (minute > 0) {
          page.waitForTimeout(60_000);
        }
        protocol.send("HeapProfiler.collectGarbage");
        JsonObject heap = protocol.send("Runtime.getHeapUsage");
        System.out.printf(
            "heap of a tab with the list of jobs after %d min: %.1f MB%n",
            minute, heap.get("usedSize").getAsDouble() / 1e6);
      }
      System.out.printf("jobs submitted meanwhile: %d%n", submitted.get());
    } finally {
      load.shutdownNow();
    }
  }

  /** Submits ten short jobs a second; returns their number. */
  private static int submitFor(int seconds) throws Exception {
    int count = 0;
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (System.nanoTime() < end) {
      owner.post("/v1/jobs", job("short-" + count, "requests: {cpu: 1}", "PT1S")).is(201);
      count++;
      Thread.sleep(100);
    }
    return count;
  }

  @Test
  void whatOpenConsolesCostTheServer() throws Exception {
    double without = secondsOfServer(60);
    List<Visit> visits = new ArrayList<>();
    for (int i = 0; i < CONSOLES; i++) {
      Visit visit = visit();
      visit.page().navigate(owner.url() + (i % 2 == 0 ? "/jobs" : "/"));
      visits.add(visit);
    }
    double with = secondsOfServer(60);
    System.out.printf(
        "processor time of the server in 60 s with ten short jobs a second: %.1f s without"
            + " consoles, %.1f s with %d (%+.0f %%)%n",
        without, with, CONSOLES, 100 * (with - without) / without);
    visits.forEach(Visit::close);
    assertThat(with).isPositive();
  }

  private static double secondsOfServer(int seconds) throws Exception {
    double before = server.processorTime().toMillis() / 1000.0;
    int unused = submitFor(seconds);
    return server.processorTime().toMillis() / 1000.0 - before;
  }
}
