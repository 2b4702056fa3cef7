// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console as users see it, on a server on which jobs run. */
@NeedsBrowser
class ConsoleBrowserIT {
  private static final int WIDE = 1280;
  private static final int PHONE = 390;

  private static ConsoleServer server;
  private static TestBrowser browser;
  private static String submitter;
  private static String viewer;
  private static String administrator;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    url = server.url();
    submitter = server.token("sam", "submitter");
    viewer = server.token("vera", "viewer");
    administrator = server.administratorsToken("ada");
    browser = TestBrowser.start();
  }

  @AfterAll
  static void end() throws Exception {
    browser.close();
    server.close();
  }

  @AfterEach
  void nothingRuns() throws Exception {
    server.cancelAll();
  }

  private static Visit visit(String token) {
    Visit visit = browser.visit(WIDE, ColorScheme.LIGHT);
    visit.signIn(url, token);
    return visit;
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator dialogButton(Page page, String name) {
    return page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator heading(Page page) {
    return page.locator("main h1");
  }

  private static Locator rows(Page page) {
    return page.locator(".virtual.jobs .row:not([aria-rowindex='1'])");
  }

  private static List<String> violations(Page page) {
    List<String> found = new ArrayList<>();
    for (Rule rule : new AxeBuilder(page).analyze().getViolations()) {
      found.add(rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes());
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/queues",
        "/queues?queue=cpus",
        "/jobs?by=queue",
        "/timeline",
        "/pipelines",
        "/pipelines/team/nightly",
        "/usage",
        "/administration",
        "/administration?view=classes",
        "/administration?view=fleet",
        "/administration?view=audit",
        "/administration?view=decisions",
        "/administration?view=access"
      })
  void eachPageMeetsTheRulesOfAccessibility(String path) throws Exception {
    String running = server.submit("running", 4, "sleep 600");
    String waiting = server.submit("waiting", 1, "true");
    server.awaitState(running, "RUNNING");
    server.awaitState(waiting, "PENDING");
    isAccessible(path, administrator, WIDE, ColorScheme.LIGHT);
    isAccessible(path, viewer, PHONE, ColorScheme.DARK);
  }

  private static void isAccessible(String path, String token, int width, ColorScheme scheme) {
    try (Visit visit = browser.visit(width, scheme)) {
      visit.signIn(url, token);
      Page page = visit.page();
      page.navigate(url + path);
      settles(page);
      assertThat(heading(page)).hasCount(1);
      assertThat(page.locator(".failure")).hasCount(0);
      assertThat(visit.complaints(url)).as("complaints of " + path).isEmpty();
      assertThat(violations(page)).as(path + " " + scheme).isEmpty();
      Object tooWide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      assertThat((Integer) tooWide).as(path + ", pixels too wide").isLessThanOrEqualTo(0);
    }
  }

  private static void settles(Page page) {
    assertThat(heading(page)).isVisible();
    assertThat(page.locator(".loading")).hasCount(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"summary", "logs", "events", "manifest"})
  void eachViewOfAJobMeetsTheRulesOfAccessibility(String view) throws Exception {
    String running = server.submit("running", 4, "echo begun; sleep 600");
    String waiting = server.submit("waiting", 1, "true");
    server.awaitState(running, "RUNNING");
    server.awaitState(waiting, "PENDING");
    isAccessible("/jobs/" + running + "?view=" + view, submitter, PHONE, ColorScheme.DARK);
    isAccessible("/jobs/" + waiting + "?view=" + view, submitter, WIDE, ColorScheme.LIGHT);
  }

  @Test
  void jobsAppearAndChangeWithoutAReload() throws Exception {
    try (Visit visit = visit(submitter)) {
      Page page = visit.page();
      page.navigate(url + "/jobs?name=live");
      assertThat(page.getByText("No job meets the filters.")).isVisible();
      String id = server.submit("live", 1, "sleep 600");
      assertThat(rows(page)).hasCount(1);
      assertThat(rows(page).first()).containsText("running");
      server.owner().post("/v1/jobs/" + id + "/cancel", "").is(202);
      assertThat(rows(page).first()).containsText("cancelled");
      assertThat(visit.complaints(url)).isEmpty();
    }
  }

  @Test
  void filtersAreInTheAddressAndRestoredFromIt() throws Exception {
    server.submit("one", 1, "sleep 600");
    server.submit("two", 1, "sleep 600");
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.navigate(url + "/jobs?state=PENDING&state=RUNNING");
      assertThat(rows(page)).hasCount(2);
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("one");
      assertThat(rows(page)).hasCount(1);
      assertThat(page).hasURL(Pattern.compile(".*[?&]name=one.*"));
      page.reload();
      assertThat(rows(page)).hasCount(1);
      assertThat(page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)))
          .hasValue("one");
      rows(page).getByRole(AriaRole.LINK).click();
      assertThat(heading(page)).containsText("one");
      page.goBack();
      assertThat(rows(page)).hasCount(1);

      page.getByLabel("Group by").selectOption("queue");
      assertThat(page.locator(".groups")).containsText("team/main");
      button(page, "Save this view").click();
      page.getByRole(AriaRole.DIALOG).getByLabel("Name").fill("mine");
      assertThat(violations(page)).isEmpty();
      dialogButton(page, "Save").click();
      page.navigate(url + "/jobs");
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("mine")).click();
      assertThat(rows(page)).hasCount(1);
    }
  }

  @Test
  void manyJobsAreHeldAndCancelledTogether() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(server.submit("bulk", 1, "sleep 600"));
    }
    try (Visit visit = visit(submitter)) {
      Page page = visit.page();
      page.navigate(url + "/jobs?name=bulk&state=PENDING&state=RUNNING");
      assertThat(rows(page)).hasCount(5);
      button(page, "Select the first 5").click();
      page.getByLabel("Select bulk").first().uncheck();
      button(page, "Cancel").click();
      dialogButton(page, "Close").click(); // nothing happens
      button(page, "Cancel").click();
      dialogButton(page, "Cancel them").click();
      assertThat(page.locator(".notices")).containsText("4 requests accepted");
      assertThat(page.locator(".virtual .gone")).hasCount(4); // they keep their place
      assertThat(rows(page)).hasCount(5);
    }
    server.awaitState(ids.get(0), "CANCELLED");
    assertThat(server.owner().get("/v1/jobs?name=bulk&state=cancelled").each("/items", "id"))
        .hasSize(4);
  }

  @Test
  void aWaitingJobSaysWhyAndWhatWouldChangeIt() throws Exception {
    String running = server.submit("holder", 4, "sleep 600");
    server.awaitState(running, "RUNNING");
    String waiting = server.submit("waiter", 2, "sleep 600");
    try (Visit visit = visit(administrator)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/" + waiting);
      Locator why = page.getByLabel("Why it is not running");
      assertThat(why).containsText("needs 2 of cpu in flavor cpu");
      assertThat(why).containsText("quota in use");
      why.getByRole(
              AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Try out").setExact(false))
          .first()
          .click();
      assertThat(why.locator("[role=status]").last()).containsText("It would start at once");
      why.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("holder")).click();
      assertThat(heading(page)).containsText("holder");
      assertThat(heading(page)).containsText("running");
      page.goBack();
      server.owner().post("/v1/jobs/" + running + "/cancel", "").is(202);
      assertThat(heading(page)).containsText("waiter");
      assertThat(heading(page)).containsText("running"); // told by events
      assertThat(page.getByLabel("Attempts over time")).containsText("attempt 1");
    }
  }

  @Test
  void aJobIsHeldReleasedPrioritizedSubmittedAgainAndCancelled() throws Exception {
    String id = server.submit("acted", 1, "sleep 600");
    server.awaitState(id, "RUNNING");
    try (Visit visit = visit(submitter)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/" + id);
      button(page, "Hold").click();
      assertThat(heading(page)).containsText("held");
      assertThat(heading(page)).containsText("pending"); // one that still ends gets no first class
      button(page, "Priority").click();
      dialogButton(page, "Change").click();
      assertThat(page.getByText("100 (high)")).isVisible();
      button(page, "Release").click();
      assertThat(heading(page)).not().containsText("held");
      button(page, "Cancel").click();
      dialogButton(page, "Cancel the job").click();
      assertThat(heading(page)).containsText("cancelled");
      assertThat(button(page, "Hold")).hasAttribute("aria-disabled", "true");
      button(page, "Submit again").click();
      dialogButton(page, "Submit").click();
      assertThat(page).not().hasURL(url + "/jobs/" + id);
      assertThat(heading(page)).containsText("acted");
      assertThat(visit.complaints(url)).isEmpty();
    }
  }

  @Test
  void outputIsFollowedAndSearchedAndNeverBecomesMarkup() throws Exception {
    String hostile =
        "echo \"<img src=x onerror=document.title=1>\";"
            + " printf \"safe\\342\\200\\256gnp.exe \\033[31mred\\n\";"
            + " head -c 1000000 /dev/zero | tr \"\\0\" x; echo; printf \"\\377\\376 no text\\n\";"
            + " echo ready; sleep 600";
    String id = server.submit("hostile", 1, hostile);
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/" + id + "?view=logs");
      Locator output = page.locator(".virtual.log");
      assertThat(output).containsText("<img src=x onerror=document.title=1>");
      assertThat(output).containsText("safe\\u202egnp.exe \\u001b[31mred");
      assertThat(output).containsText("more characters)");
      assertThat(output).containsText("ready");
      page.getByLabel("Find").fill("READY");
      assertThat(output.locator(".row")).hasCount(2); // and the head
      assertThat(page).hasURL(Pattern.compile(".*find=READY.*"));
      assertThat(page.locator("main img")).hasCount(0);
      assertThat(page).hasTitle(Pattern.compile(".*Sluice.*"));
      assertThat(visit.complaints(url)).isEmpty();
    }
  }

  @Test
  void aViewerSeesWhatItMayNotDoAndWhy() throws Exception {
    String id = server.submit("of-others", 1, "sleep 600");
    server.awaitState(id, "RUNNING");
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/" + id);
      Locator cancel = button(page, "Cancel");
      assertThat(cancel).hasAttribute("aria-disabled", "true");
      cancel.click(new Locator.ClickOptions().setForce(true));
      assertThat(page.locator(".notices"))
          .containsText("needs the role submitter or operator or admin in team");
      assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
      assertThat(heading(page)).containsText("running");
    }
  }

  @Test
  void aStrangerSignsInByTokenAndOut() throws Exception {
    try (Visit visit = browser.visit(WIDE, ColorScheme.LIGHT)) {
      Page page = visit.page();
      page.navigate(url + "/jobs?state=RUNNING");
      assertThat(page.locator("main"))
          .matchesAriaSnapshot(
              """
              - region "Sign in to Sluice":
                - heading "Sign in to Sluice" [level=1]
                - text: Token
                - textbox "Token"
                - button "Sign in with a token"
                - paragraph
              """);
      assertThat(violations(page)).isEmpty();
      page.getByLabel("Token").fill("wrong");
      button(page, "Sign in with a token").click();
      assertThat(page.locator(".failure")).containsText("the token is not known here");
      page.getByLabel("Token").fill(submitter);
      button(page, "Sign in with a token").click();
      assertThat(heading(page)).hasText("Jobs");
      assertThat(page).hasURL(url + "/jobs?state=RUNNING");
      assertThat(page.locator(".who")).containsText("sam");
      button(page, "Sign out").click();
      assertThat(heading(page)).hasText("Sign in to Sluice");
      assertThat(visit.cookies(url)).isEmpty();
    }
  }

  @Test
  void theCodeOfACommandSignsInOnceAndLeavesTheAddress() throws Exception {
    String code = server.owner().post("/session/code", "").is(201).at("/code");
    try (Visit visit = browser.visit(WIDE, ColorScheme.LIGHT);
        Visit other = browser.visit(WIDE, ColorScheme.LIGHT)) {
      Page page = visit.page();
      page.navigate(url + "/jobs#code=" + code);
      assertThat(heading(page)).hasText("Jobs");
      assertThat(page.locator(".who")).containsText("local");
      assertThat(page).hasURL(url + "/jobs");
      other.page().navigate(url + "/jobs#code=" + code);
      assertThat(heading(other.page())).hasText("Sign in to Sluice");
      assertThat(other.page().locator(".notices")).containsText("run ./sluice open again");
    }
  }

  @Test
  void aSessionThatEndsInMidActionAsksForAnotherSignIn() throws Exception {
    String id = server.submit("mid-action", 1, "sleep 600");
    server.awaitState(id, "RUNNING");
    String token = server.token("short", "submitter");
    try (Visit visit = visit(token)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/" + id);
      assertThat(heading(page)).containsText("running");
      List<Route> underWay = new ArrayList<>();
      page.route("**/hold", underWay::add);
      button(page, "Hold").click();
      page.waitForCondition(() -> !underWay.isEmpty());
      server.owner().delete("/v1/tokens/short").is(204);
      underWay.get(0).resume();
      assertThat(heading(page)).hasText("Sign in to Sluice");
      page.unrouteAll();
      page.getByLabel("Token").fill(submitter);
      button(page, "Sign in with a token").click();
      assertThat(heading(page)).containsText("mid-action"); // the same page again
      button(page, "Hold").click();
      assertThat(heading(page)).containsText("held");
    }
  }

  @Test
  void twelveTabsAreLiveOverOneStream() throws Exception {
    try (Visit visit = visit(submitter)) {
      List<Page> tabs = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Page tab = visit.tab();
        tab.navigate(url + "/jobs?name=tabbed");
        assertThat(tab.getByText("No job meets the filters.")).isVisible();
        tabs.add(tab);
      }
      server.submit("tabbed", 1, "sleep 600");
      for (Page tab : tabs) {
        tab.bringToFront(); // a hidden tab reads when it is shown
        assertThat(rows(tab)).hasCount(1);
      }
      assertThat(visit.complaints(url)).isEmpty();
    }
  }

  @Test
  void aClockThatDiffersIsTold() throws Exception {
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.clock().setSystemTime(System.currentTimeMillis() + 3_600_000);
      page.navigate(url + "/jobs");
      assertThat(page.locator(".banner")).containsText("differs from the server's by 1h");
      page.clock().setSystemTime(System.currentTimeMillis());
    }
  }

  @Test
  void pagesAreUsedByKeyboardAlone() throws Exception {
    String id = server.submit("by-keyboard", 1, "sleep 600");
    server.awaitState(id, "RUNNING");
    try (Visit visit = visit(submitter)) {
      Page page = visit.page();
      page.navigate(url + "/jobs?name=by-keyboard");
      assertThat(rows(page)).hasCount(1);
      page.keyboard().press("Tab");
      assertThat(page.locator(".skip")).isFocused();
      rows(page).getByRole(AriaRole.LINK).focus();
      page.keyboard().press("Enter");
      assertThat(heading(page)).containsText("by-keyboard");
      button(page, "Cancel").focus();
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      page.keyboard().press("Escape");
      assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
      assertThat(heading(page)).containsText("running");
    }
  }

  @Test
  void aLinkElsewhereOpensTheJobOfASignedInUser() throws Exception {
    String id = server.submit("linked", 1, "sleep 600");
    try (Visit visit = visit(viewer);
        OtherSite other = OtherSite.start()) {
      other.show("<a href='%s/jobs/%s'>Look</a>".formatted(url, id));
      Page page = visit.page();
      page.navigate(other.url("localhost"));
      page.click("a");
      assertThat(heading(page)).containsText("linked");
    }
  }

  /** Preact 10.28.0 lost those that came: an entry of a live list would have been missing. */
  @Test
  void entriesOfAListThatMovesAreAllDrawn() {
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.navigate(url + "/jobs");
      Object drawn =
          page.evaluate(
              """
                  async page => {
                    const headers = {Accept: "text/html"};
                    const answer = await fetch(page, {method: "HEAD", headers});
                    const folder = answer.headers.get("Sluice-Console");
                    const { h, render } = await import(folder + "lib/preact/dist/preact.module.js");
                    const list = document.createElement("p");
                    return ["1234", "3456", "5678", "8123"].map(keys => {
                      render([...keys].map(key => h("b", {key}, key)), list);
                      return list.textContent;
                    }).join(" ");
                  }
                  """,
              url + "/jobs");
      assertThat(drawn).isEqualTo("1234 3456 5678 8123");
    }
  }

  @Test
  void anAddressWithoutAPageAndAJobThatIsNotThereAreTold() throws Exception {
    try (Visit visit = visit(viewer)) {
      Page page = visit.page();
      page.navigate(url + "/jobs/00000000-0000-0000-0000-000000000000");
      assertThat(page.locator(".failure")).containsText("Not found");
      page.navigate(url + "/jobs/%3Cscript%3E");
      assertThat(page.locator(".failure").first()).isVisible();
      page.navigate(url + "/administration/unknown");
      assertThat(heading(page)).hasText("No such page");
    }
  }
}
