// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.StartedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pipelines, runs and schedules as users work with them in the console. */
@NeedsBrowser
class PipelinesBrowserIT {
  private static final int WIDE = 1280;

  /** Jobs of other accounts see it too. */
  private static Path directory;

  private static ConsoleServer server;
  private static Caller owner;
  private static TestBrowser browser;
  private static String submitter;
  private static String viewer;

  @BeforeAll
  static void start() throws Exception {
    directory = StartedServer.directory();
    server = ConsoleServer.start();
    owner = server.owner();
    submitter = server.token("sam", "submitter");
    viewer = server.token("vera", "viewer");
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.cancelAll();
    server.close();
    StartedServer.delete(directory);
  }

  private static Visit open(String token, String path) {
    Visit visit = browser.visit(WIDE, ColorScheme.LIGHT);
    visit.signIn(owner.url(), token);
    visit.open(owner.url() + path);
    return visit;
  }

  /** Saves a pipeline in namespace {@code team}. */
  private static void save(String name, String spec) throws Exception {
    String manifest =
        """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: %s, namespace: team}
        spec:
        %s
        """;
    owner.post("/v1/apply", manifest.formatted(name, spec.indent(2))).is(200);
  }

  private static String step(String name, String more, String command) {
    String spec = "{queue: main, requests: {cpu: 100m}, gracePeriod: 1s, command: [sh, -c, '%s']}";
    return "- {name: %s, %sjob: {spec: %s}}\n".formatted(name, more, spec.formatted(command));
  }

  /** A pipeline of one step that runs until it is cancelled. */
  private static String endless(String more) {
    return more + "steps:\n" + step("wait", "", "sleep 600");
  }

  private static String begin(String pipeline) throws Exception {
    return owner.post("/v1/pipelines/team/" + pipeline + "/runs", "{}").is(201).at("/id");
  }

  private static Caller.Reply awaitRun(String id, String state) throws Exception {
    return owner.await("/v1/runs/" + id, reply -> reply.at("/state").equals(state));
  }

  private static List<String> runs(String pipeline) throws Exception {
    return owner
        .get("/v1/runs?namespace=team&limit=500&pipeline=" + pipeline)
        .is(200)
        .each("/items", "id");
  }

  /** Returns the id of the run that the page shows. */
  private static String shownRun(Page page) {
    assertThat(page).hasURL(Pattern.compile(".*/runs/[0-9a-f-]{36}.*"));
    return page.url().replaceAll(".*/runs/([0-9a-f-]{36}).*", "$1");
  }

  private static Locator row(Page page, String step) {
    return page.getByLabel("Steps of the run", new Page.GetByLabelOptions().setExact(true))
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^\\s*" + step)));
  }

  private static Locator node(Page page, String name) {
    return page.getByLabel("Graph of the steps")
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(name));
  }

  @Test
  void aRunIsStartedWithParametersAndItsStepsAreFollowed() throws Exception {
    try (Visit visit = open(submitter, "/pipelines")) {
      Page page = visit.page();
      visit.named(AriaRole.LINK, "nightly").click();
      visit.named(AriaRole.LINK, "Start a run").click();
      Locator steps = page.getByLabel("steps", new Page.GetByLabelOptions().setExact(false));
      assertThat(steps).hasValue("2"); // its default
      steps.fill("[1, 2");
      visit.button("Start a run").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("is no JSON value");
      assertThat(steps).hasAttribute("aria-invalid", "true");
      assertThat(runs("nightly")).isEmpty();

      steps.fill("5");
      visit.button("Start a run").click();
      String id = shownRun(page);
      assertThat(owner.get("/v1/runs/" + id).is(200).at("/parameters/steps")).isEqualTo("5");
      assertThat(page.locator(".facts")).containsText("steps=5");
      assertThat(visit.heading()).containsText("succeeded"); // told by events
      assertThat(awaitRun(id, "SUCCEEDED").at("/createdBy")).isEqualTo("sam");
      assertThat(node(page, "ingest: succeeded")).isVisible();
      assertThat(node(page, "train: succeeded; 4 succeeded")).isVisible();

      node(page, "train: succeeded").click();
      assertThat(page).hasURL(Pattern.compile(".*[?&]step=train.*"));
      assertThat(row(page, "train")).hasAttribute("aria-current", "true");
      Locator parts = page.getByLabel("Parts of train").getByRole(AriaRole.LINK);
      assertThat(parts).hasCount(4);
      parts.first().click();
      assertThat(visit.heading()).containsText("succeeded");
      assertThat(page).hasURL(Pattern.compile(".*/jobs/.*"));
      page.goBack();
      assertThat(row(page, "train")).hasAttribute("aria-current", "true");
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  @Test
  void aRunThatFailedIsResumedAndAStepRunsAgain() throws Exception {
    Path marker = directory.resolve("data");
    save(
        "flaky",
        "steps:\n"
            + step("fetch", "", "true")
            + step("check", "dependsOn: [fetch], ", "test -e " + marker)
            + step("publish", "dependsOn: [check], ", "true"));
    String id = begin("flaky");
    awaitRun(id, "FAILED");
    try (Visit visit = open(submitter, "/runs/" + id)) {
      Page page = visit.page();
      assertThat(visit.heading()).containsText("failed");
      assertThat(row(page, "check")).containsText("failed");
      assertThat(row(page, "publish")).containsText("skipped");
      assertThat(visit.button("Cancel")).hasAttribute("title", "the run has ended");
      Files.createFile(marker);
      visit.button("Resume").click();
      assertThat(visit.heading()).containsText("succeeded");
      awaitRun(id, "SUCCEEDED");
      assertThat(tries(id, "fetch")).isEqualTo(1); // what succeeded is kept
      assertThat(tries(id, "check")).isEqualTo(2);
      assertThat(row(page, "publish")).containsText("succeeded");
      assertThat(visit.button("Resume"))
          .hasAttribute("title", "only a run that failed or was cancelled is resumed");

      visit.button("Run check again").click();
      visit.answer("Close");
      assertThat(tries(id, "check")).isEqualTo(2);
      visit.button("Run check again").click();
      assertThat(visit.question()).containsText("All steps that depend on it run again too.");
      visit.answer("Run it again");
      assertThat(visit.notices()).containsText("The step runs again");
      var unused = owner.await("/v1/runs/" + id, reply -> tries(reply, "publish") == 2);
      awaitRun(id, "SUCCEEDED");
      assertThat(tries(id, "check")).isEqualTo(3);
      assertThat(tries(id, "fetch")).isEqualTo(1);
      assertThat(visit.heading()).containsText("succeeded");
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  private static int tries(String id, String step) throws Exception {
    return tries(owner.get("/v1/runs/" + id).is(200), step);
  }

  private static int tries(Caller.Reply run, String step) {
    for (var one : run.json().at("/steps")) {
      if (one.at("/name").asText().equals(step)) {
        return one.at("/parts").size();
      }
    }
    throw new AssertionError("no step " + step);
  }

  @Test
  void aRunInProgressTellsItsOutlookAndIsCancelled() throws Exception {
    save("due", endless("deadline: 1s\n"));
    String id = begin("due");
    var unused = owner.await("/v1/runs/" + id, reply -> reply.at("/lateness").equals("LATE"));
    try (Visit visit = open(submitter, "/pipelines/team/due")) {
      Page page = visit.page();
      Locator outlook = page.getByLabel("Runs in progress and their deadlines");
      assertThat(outlook).containsText("its deadline is");
      assertThat(outlook.locator(".state")).hasText("late");
      outlook.getByRole(AriaRole.LINK).click();
      assertThat(page).hasURL(owner.url() + "/runs/" + id);
      assertThat(visit.heading()).containsText("late");
      assertThat(page.locator(".facts")).containsText("Deadline");
      assertThat(
              page.getByLabel(
                  "Changes of the outlook", new Page.GetByLabelOptions().setExact(true)))
          .containsText("late");
      assertThat(node(page, "wait: running")).isVisible();

      assertThat(visit.button("Run wait again")).hasAttribute("title", "the run has not ended");
      visit.button("Cancel").click();
      visit.answer("Close");
      assertThat(owner.get("/v1/runs/" + id).at("/state")).isEqualTo("RUNNING");
      visit.button("Cancel").click();
      visit.answer("Cancel the run");
      assertThat(visit.heading()).containsText("cancelled");
      awaitRun(id, "CANCELLED");
    }
  }

  @Test
  void aScheduleTellsItsNextFiresAndIsPausedAndResumed() throws Exception {
    save(
        "timed",
        "schedules: [{name: early, cron: '0 2 * * *', timeZone: Europe/Berlin}]\n" + endless(""));
    String path = "/v1/schedules/team/timed/early";
    try (Visit visit = open(submitter, "/pipelines/team/timed?view=schedules")) {
      Page page = visit.page();
      Locator schedule = page.getByLabel("Schedule early");
      assertThat(schedule).containsText("0 2 * * *");
      assertThat(schedule).containsText("Europe/Berlin");
      assertThat(schedule.locator("time").first())
          .hasAttribute("datetime", owner.get(path).is(200).at("/dueAt"));
      schedule.getByText("The next 5 starts").click();
      assertThat(schedule.locator("ol li")).hasCount(5);
      List<String> next =
          schedule.locator("ol time").all().stream()
              .map(time -> time.getAttribute("datetime"))
              .toList();
      Caller.Reply upcoming = owner.get(path + "?upcoming=5").is(200);
      for (int i = 0; i < 5; i++) {
        assertThat(next.get(i)).isEqualTo(upcoming.at("/upcoming/" + i));
      }

      visit.button("Pause").click();
      assertThat(schedule.locator(".state.waiting")).hasText("paused");
      assertThat(owner.get(path).at("/paused")).isEqualTo("true");
      assertThat(schedule.getByText("Next start")).hasCount(0);
      visit.open(owner.url() + "/pipelines?text=timed");
      assertThat(page.locator("tbody tr")).containsText("paused");
      visit.open(owner.url() + "/pipelines/team/timed?view=schedules");
      visit.button("Resume").click();
      assertThat(schedule.locator(".state.good")).hasText("on");
      assertThat(owner.get(path).at("/paused")).isEqualTo("false");
    }
  }

  @Test
  void runsForPastTimesAreStartedAndCancelled() throws Exception {
    save("past", "schedules: [{name: daily, cron: '0 12 * * *', timeZone: UTC}]\n" + endless(""));
    try (Visit visit = open(submitter, "/pipelines/team/past?view=schedules")) {
      Page page = visit.page();
      assertThat(page.getByText("There is no backfill.")).isVisible();
      page.getByText("Start runs for past times").click();
      page.getByLabel("From", new Page.GetByLabelOptions().setExact(true)).fill("2026-03-05T00:00");
      page.getByLabel("To, not included").fill("2026-03-01T00:00");
      visit.button("Begin the backfill").click();
      assertThat(page.locator("main .failure")).containsText("from");
      assertThat(owner.get("/v1/backfills?pipeline=past").is(200).json().at("/items")).isEmpty();

      page.getByLabel("To, not included").fill("2026-03-09T00:00");
      page.getByLabel("At a time").fill("2");
      visit.button("Begin the backfill").click();
      assertThat(visit.notices()).containsText("A backfill of 4 times has begun");
      Caller.Reply begun = owner.get("/v1/backfills?pipeline=past").is(200);
      assertThat(begun.json().at("/items")).hasSize(1);
      assertThat(begun.at("/items/0/maxParallel")).isEqualTo("2");
      Locator row = page.locator("tbody tr");
      assertThat(row).containsText("2 of 4");
      assertThat(row).containsText("running");
      assertThat(runs("past")).hasSize(2);

      row.getByRole(AriaRole.BUTTON).click();
      visit.answer("Cancel the backfill");
      assertThat(row).containsText("cancelled");
      String id = begun.at("/items/0/id");
      assertThat(owner.get("/v1/backfills/" + id).at("/state")).isEqualTo("CANCELLED");
      for (String run : runs("past")) {
        awaitRun(run, "CANCELLED");
      }
      assertThat(runs("past")).hasSize(2);
    }
  }

  @Test
  void addressesRestoreWhatWasShown() throws Exception {
    save("wide", "steps:\n" + step("parts", "forEach: {range: {to: 3}}, ", "true"));
    String id = begin("wide");
    awaitRun(id, "SUCCEEDED");
    try (Visit visit = open(viewer, "/pipelines")) {
      Page page = visit.page();
      page.getByLabel("Name contains").fill("wid");
      assertThat(page.locator("tbody tr")).hasCount(1);
      assertThat(page).hasURL(Pattern.compile(".*[?&]text=wid.*"));
      page.getByLabel("Namespace").selectOption("team");
      page.reload();
      assertThat(page.locator("tbody tr")).hasCount(1);
      assertThat(page.getByLabel("Namespace")).hasValue("team");
      page.locator("tbody tr .run-dot").click();
      assertThat(page).hasURL(owner.url() + "/runs/" + id);
      page.goBack();
      assertThat(page.getByLabel("Name contains")).hasValue("wid");

      visit.open(owner.url() + "/runs/" + id + "?step=parts&zoom=75");
      assertThat(page.getByLabel("Size")).hasValue("75");
      assertThat(row(page, "parts")).hasAttribute("aria-current", "true");
      visit.open(owner.url() + "/pipelines/team/wide");
      Locator cell = page.getByRole(AriaRole.TABLE).getByLabel("wide-1, parts: succeeded");
      cell.focus();
      page.keyboard().press("ArrowUp");
      assertThat(page.getByRole(AriaRole.TABLE).getByLabel("wide-1: succeeded")).isFocused();
      cell.click();
      assertThat(page).hasURL(owner.url() + "/runs/" + id + "?step=parts");
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  @Test
  void aPipelineIsDeletedAndItsRunsStayReadable() throws Exception {
    save("old", "steps:\n" + step("only", "", "true"));
    String id = begin("old");
    awaitRun(id, "SUCCEEDED");
    try (Visit visit = open(submitter, "/pipelines/team/old?view=manifest")) {
      assertThat(visit.page().getByLabel("Manifest of the pipeline")).containsText("\"only\"");
      visit.button("Delete").click();
      assertThat(visit.question()).containsText("1 run would stay readable");
      visit.answer("Close");
      owner.get("/v1/pipelines/team/old").is(200);
      visit.button("Delete").click();
      visit.answer("Delete the pipeline");
      assertThat(visit.notices()).containsText("Deleted");
      assertThat(visit.heading()).hasText("Pipelines");
      owner.get("/v1/pipelines/team/old").is(404);
      visit.open(owner.url() + "/runs/" + id);
      assertThat(visit.heading()).containsText("succeeded");
    }
  }

  @Test
  void aViewerSeesWhatItMayNotStartOrChange() throws Exception {
    save("closed", "schedules: [{name: s, cron: '0 2 * * *'}]\n" + endless(""));
    String id = begin("closed");
    awaitRun(id, "RUNNING");
    String submits = "needs the role submitter or admin in team";
    String operates = "needs the role submitter or operator or admin in team";
    try (Visit visit = open(viewer, "/pipelines/team/closed?view=start")) {
      Page page = visit.page();
      assertThat(visit.button("Start a run")).isDisabled();
      assertThat(page.locator("main form")).containsText(submits);
      refuses(visit, "Delete", submits);
      visit.open(owner.url() + "/pipelines/team/closed?view=schedules");
      refuses(visit, "Pause", operates);
      page.getByText("Start runs for past times").click();
      assertThat(visit.button("Begin the backfill")).isDisabled();
      visit.open(owner.url() + "/runs/" + id);
      refuses(visit, "Resume", submits);
      refuses(visit, "Cancel", operates);
      refuses(visit, "Run wait again", submits);
    }
    assertThat(runs("closed")).containsExactly(id);
    assertThat(owner.get("/v1/runs/" + id).at("/state")).isEqualTo("RUNNING");
    assertThat(owner.get("/v1/schedules/team/closed/s").at("/paused")).isEqualTo("false");
    owner.post("/v1/runs/" + id + "/cancel", "").is(200);
  }

  private static void refuses(Visit visit, String name, String reason) {
    Locator button = visit.button(name);
    assertThat(button).hasAttribute("aria-disabled", "true");
    button.click(new Locator.ClickOptions().setForce(true));
    assertThat(visit.notices()).containsText(reason);
    assertThat(visit.question()).hasCount(0);
  }
}
