// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.scheduler.process.Caller;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fleet, audit, decisions, tokens and sessions as administrators use them in the console. */
@NeedsBrowser
class FleetAndAccessBrowserIT {
  private static final int WIDE = 1280;
  private static final String CAPACITY = "/v1/fleet/capacity/reservation";

  private static ConsoleServer server;
  private static Caller owner;
  private static TestBrowser browser;
  private static String administrator;
  private static String viewer;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    owner = server.owner();
    administrator = server.administratorsToken("ada");
    viewer = server.token("vera", "viewer");
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

  private static Visit open(String token, String query) {
    Visit visit = browser.visit(WIDE, ColorScheme.LIGHT);
    visit.signIn(owner.url(), token);
    visit.open(owner.url() + "/administration?" + query);
    return visit;
  }

  private static Locator field(Visit visit, String label) {
    return visit.question().getByLabel(label);
  }

  private static Locator row(Page page, String name) {
    return page.getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^\\s*" + name)));
  }

  private static String condition(String list, String name) throws Exception {
    for (JsonNode one : owner.get("/v1/" + list + "?limit=500").is(200).json().at("/items")) {
      if (one.at("/name").asText().equals(name)) {
        return one.at("/condition").asText();
      }
    }
    return "none";
  }

  private static void awaitCondition(String list, String name, String wanted) throws Exception {
    var unused =
        owner.await(
            "/v1/" + list + "?limit=500",
            reply -> {
              for (JsonNode one : reply.json().at("/items")) {
                if (one.at("/name").asText().equals(name)) {
                  return one.at("/condition").asText().equals(wanted);
                }
              }
              return false;
            });
  }

  private static String jobOnASlice() throws Exception {
    String job =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: on-a-slice, namespace: team}
        spec:
          queue: chips
          accelerator: {type: v6e, topology: 4x4, slices: 1}
          gracePeriod: 1s
          command: [sleep, "600"]
        """;
    String id = owner.submit(job);
    server.awaitState(id, "RUNNING");
    return id;
  }

  @Test
  void aSliceIsReclaimedAtOnceAndReturned() throws Exception {
    String id = jobOnASlice();
    boolean isFirst = owner.get("/v1/slices").is(200).json().at("/items/0").has("heldBy");
    String slice = isFirst ? "v6e-0" : "v6e-1";
    try (Visit visit = open(administrator, "view=fleet&text=v6e")) {
      Page page = visit.page();
      assertThat(page.getByText("2 slices of 2")).isVisible();
      assertThat(row(page, slice).getByRole(AriaRole.LINK)).hasAttribute("href", "/jobs/" + id);
      visit.button("Reclaim " + slice).click();
      visit.answer("Close");
      assertThat(condition("slices", slice)).isEqualTo("READY");
      visit.button("Reclaim " + slice).click();
      field(visit, "Notice").fill("");
      visit.answer("Reclaim it");
      assertThat(visit.notices()).containsText("Reclaim requested");
      assertThat(row(page, slice)).containsText("absent");
      assertThat(condition("slices", slice)).isEqualTo("ABSENT");
      // Its job goes on with the other one.
      String other = slice.equals("v6e-0") ? "v6e-1" : "v6e-0";
      var unused =
          owner.await(
              "/v1/jobs/" + id + "/attempts",
              reply -> reply.at("/items/0/assignment/slices/0").equals(other));
      assertThat(row(page, other).getByRole(AriaRole.LINK)).hasAttribute("href", "/jobs/" + id);

      visit.button("Return " + slice).click();
      visit.answer("Return it");
      assertThat(row(page, slice)).containsText("ready");
      assertThat(condition("slices", slice)).isEqualTo("READY");
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  @Test
  void aSliceIsDrainedWithNoticeAndReturnedBeforeItLeaves() throws Exception {
    try (Visit visit = open(administrator, "view=fleet")) {
      Page page = visit.page();
      visit.button("Reclaim v6e-1").click();
      field(visit, "Notice").fill("soon");
      visit.answer("Reclaim it");
      assertThat(visit.notices()).containsText("soon");
      assertThat(condition("slices", "v6e-1")).isEqualTo("READY");
      visit.button("Reclaim v6e-1").click();
      field(visit, "Notice").fill("1h");
      visit.answer("Reclaim it");
      assertThat(row(page, "v6e-1")).containsText("leaving");
      assertThat(condition("slices", "v6e-1")).isEqualTo("LEAVING");
      page.getByLabel("Condition").selectOption("LEAVING");
      assertThat(page.getByText("1 slice of 2")).isVisible();
      visit.button("Return v6e-1").click();
      visit.answer("Return it");
      assertThat(page.getByText("None meets the filters.")).isVisible();
      assertThat(condition("slices", "v6e-1")).isEqualTo("READY");
    }
  }

  @Test
  void aHostFailsAndReturns() throws Exception {
    try (Visit visit = open(administrator, "view=fleet&list=hosts&text=v6e-0")) {
      Page page = visit.page();
      visit.button("Make v6e-0-2 fail").click();
      visit.answer("Make it fail");
      assertThat(row(page, "v6e-0-2")).containsText("failed");
      assertThat(condition("hosts", "v6e-0-2")).isEqualTo("FAILED");
      awaitCondition("slices", "v6e-0", "ABSENT");
      visit.button("Return v6e-0-2").click();
      visit.answer("Return it");
      assertThat(row(page, "v6e-0-2")).containsText("ready");
      assertThat(condition("hosts", "v6e-0-2")).isEqualTo("READY");
      awaitCondition("slices", "v6e-0", "READY");
    }
  }

  @Test
  void capacityIsOutOfStockAndBackAndGrantedLater() throws Exception {
    try (Visit visit = open(administrator, "view=fleet")) {
      visit.button("Out of stock").click();
      assertThat(visit.button("Back in stock")).isVisible();
      assertThat(owner.get(CAPACITY).at("/outOfStock")).isEqualTo("true");
      visit.button("Back in stock").click();
      assertThat(visit.button("Out of stock")).isVisible();
      assertThat(owner.get(CAPACITY).at("/outOfStock")).isEqualTo("false");

      visit.button("Granted after").click();
      field(visit, "A duration").fill("later");
      visit.answer("Change");
      assertThat(visit.notices()).containsText("grantAfter must be a duration");
      visit.button("Granted after").click();
      field(visit, "A duration").fill("90s");
      visit.answer("Change");
      assertThat(visit.page().getByRole(AriaRole.CELL).getByText("1m30s")).isVisible();
      assertThat(owner.get(CAPACITY).at("/grantAfter")).isEqualTo("1m30s");
    }
  }

  @Test
  void capacityThatSomebodyElseHasChangedIsNotOverwritten() throws Exception {
    try (Visit visit = open(administrator, "view=fleet")) {
      assertThat(visit.button("Granted after")).isVisible();
      visit
          .page()
          .route(
              Pattern.compile(".*" + CAPACITY + ".*"),
              route -> {
                if (route.request().method().equals("PUT")) {
                  grantAfter("7s");
                }
                route.resume();
              });
      visit.button("Granted after").click();
      field(visit, "A duration").fill("90s");
      visit.answer("Change");
      assertThat(visit.notices()).containsText("Nothing was overwritten");
      assertThat(owner.get(CAPACITY).at("/grantAfter")).isEqualTo("7s");
      assertThat(visit.page().getByText("7s", new Page.GetByTextOptions().setExact(true)))
          .isVisible();
    }
  }

  private static void grantAfter(String time) {
    try {
      owner.put(CAPACITY + "?grantAfter=" + time, "").is(200);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static String priority(int value) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: WorkloadPriorityClass
    metadata: {name: audited}
    value: %d
    """
        .formatted(value);
  }

  @Test
  void theAuditSaysWhoChangedWhichLines() throws Exception {
    owner.post("/v1/apply", priority(41)).is(200);
    owner.as(administrator).put("/v1/workloadpriorityclasses/audited", priority(42)).is(200);
    try (Visit visit = open(administrator, "view=audit")) {
      Page page = visit.page();
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("audited");
      assertThat(page).hasURL(Pattern.compile(".*[?&]name=audited.*"));
      Locator entries = page.locator("tbody tr");
      assertThat(entries).hasCount(2);
      assertThat(entries.first()).containsText("ada");
      assertThat(entries.last()).containsText("local");
      entries.first().getByText("Changed lines").click();
      Locator lines = entries.first().locator(".difference");
      assertThat(lines.locator(".removed")).containsText("41");
      assertThat(lines.locator(".added")).containsText("42");
      entries.last().locator("summary").click();
      assertThat(entries.last().locator(".difference .removed")).hasCount(0);

      owner.delete("/v1/workloadpriorityclasses/audited").is(204);
      visit.button("Read again").click();
      assertThat(entries).hasCount(3);
      assertThat(entries.first()).containsText("delete");
      page.reload();
      assertThat(entries).hasCount(3); // the filter is in the address
    }
  }

  @Test
  void storedBatchesAreDecidedAgain() throws Exception {
    String id = server.submit("decided", 1, "true");
    server.awaitState(id, "SUCCEEDED");
    try (Visit visit = open(administrator, "view=decisions")) {
      Page page = visit.page();
      page.getByLabel("From batch").fill("1");
      page.getByLabel("Batches", new Page.GetByLabelOptions().setExact(true)).fill("2");
      visit.button("Decide again").click();
      Locator result = page.locator("main [aria-live] .panel");
      assertThat(result.locator(".state.good")).hasText("same");
      assertThat(result).containsText("Batches 1 to 2 were decided again, from snapshot 0 on.");
      assertThat(owner.get("/v1/journal/1/recheck?batches=2").is(200).at("/same"))
          .isEqualTo("true");
      visit.button("Go on with batch 3").click();
      assertThat(result).containsText("Batches 3 to");
      page.getByLabel("From batch").fill("999999");
      visit.button("Decide again").click();
      assertThat(page.locator("main .failure")).containsText("999");
    }
  }

  @Test
  void aTokenIsShownOnceRotatedAndRevoked() throws Exception {
    try (Visit visit = open(administrator, "view=access")) {
      Page page = visit.page();
      page.getByText("Create a token").click();
      page.getByLabel("Name of the caller").fill("robin");
      page.getByLabel("Role").selectOption("viewer");
      page.getByLabel("Namespaces, or *").fill("team");
      visit.button("Create").click();
      Locator secret = page.locator(".secret code");
      String first = secret.textContent();
      assertThat(first).startsWith("sluice_");
      assertThat(owner.as(first).get("/v1/whoami").is(200).at("/name")).isEqualTo("robin");
      assertThat(owner.as(first).get("/v1/whoami").at("/roles/0/role")).isEqualTo("viewer");
      visit.button("I have it").click();
      assertThat(page.getByText(first)).hasCount(0);

      Locator row = row(page, "robin");
      assertThat(row).containsText("valid");
      action(row, "Rotate").click();
      field(visit, "The present one").fill("0s");
      visit.answer("Replace it");
      assertThat(secret).not().hasText(first);
      String second = secret.textContent();
      owner.as(first).get("/v1/whoami").is(401);
      owner.as(second).get("/v1/whoami").is(200);
      page.reload();
      assertThat(row).isVisible();
      assertThat(page.getByText(second)).hasCount(0);

      action(row, "Revoke").click();
      visit.answer("Revoke it");
      assertThat(visit.notices()).containsText("Revoked");
      owner.as(second).get("/v1/whoami").is(401);
      assertThat(row).hasCount(0);
    }
  }

  private static Locator action(Locator row, String name) {
    return row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name));
  }

  @Test
  void aTokenOfANameInUseIsRefused() throws Exception {
    try (Visit visit = open(administrator, "view=access")) {
      Page page = visit.page();
      page.getByText("Create a token").click();
      page.getByLabel("Name of the caller").fill("vera");
      page.getByLabel("Namespaces, or *").fill("team");
      visit.button("Create").click();
      assertThat(page.locator("main .failure")).containsText("vera");
      assertThat(page.locator(".secret")).hasCount(0);
      owner.as(viewer).get("/v1/whoami").is(200);
    }
  }

  @Test
  void aSessionIsEndedByAnAdministrator() throws Exception {
    String token = server.token("guest", "viewer");
    try (Visit visit = open(administrator, "view=quota");
        Visit guest = open(token, "view=access")) {
      visit.open(owner.url() + "/administration?view=access");
      Locator session =
          visit
              .page()
              .getByLabel("Sessions", new Page.GetByLabelOptions().setExact(true))
              .getByRole(AriaRole.ROW)
              .filter(new Locator.FilterOptions().setHasText("guest"));
      action(session, "Revoke").click();
      visit.answer("Revoke it");
      assertThat(session).hasCount(0);
      guest.page().reload();
      assertThat(guest.heading()).hasText("Sign in to Sluice");
      owner.as(token).get("/v1/whoami").is(200); // the token itself is left
    }
  }

  @Test
  void aViewerMayNotChangeTheFleet() throws Exception {
    String before = owner.get(CAPACITY).text() + owner.get("/v1/slices").text();
    try (Visit visit = open(viewer, "view=fleet")) {
      for (String name : List.of("Reclaim v6e-0", "Out of stock", "Granted after")) {
        Locator button = visit.button(name);
        assertThat(button).hasAttribute("aria-disabled", "true");
        String reason = button.getAttribute("title");
        assertThat(reason).startsWith("needs the role admin");
        button.click(new Locator.ClickOptions().setForce(true));
        assertThat(visit.notices()).containsText(reason);
        assertThat(visit.question()).hasCount(0);
      }
    }
    assertThat(owner.get(CAPACITY).text() + owner.get("/v1/slices").text()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "audit|Reading it needs the role auditor or admin.",
        "decisions|Reading it needs the role auditor or admin.",
        "access|Listing and creating tokens needs the role admin. You see your own sessions."
      })
  void aViewerIsToldWhyItSeesLess(String view, String reason) {
    try (Visit visit = open(viewer, "view=" + view)) {
      assertThat(visit.page().locator(".empty").first()).containsText(reason);
      assertThat(visit.page().locator("main form")).hasCount(0);
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }
}
