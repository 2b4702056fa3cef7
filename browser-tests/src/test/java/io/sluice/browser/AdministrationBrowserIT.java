// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.scheduler.process.Caller;
import io.sluice.scheduler.process.OneServer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects of quota and classes as administrators edit them in the console. */
@NeedsBrowser
class AdministrationBrowserIT {
  private static final int WIDE = 1280;

  private static ConsoleServer server;
  private static Caller owner;
  private static TestBrowser browser;
  private static String administrator;
  private static String viewer;

  /** The server refuses dates that are years ahead. */
  private static Instant soon;

  @BeforeAll
  static void start() throws Exception {
    server = ConsoleServer.start();
    owner = server.owner();
    administrator = server.administratorsToken("ada");
    viewer = server.token("vera", "viewer");
    soon = Instant.now().truncatedTo(ChronoUnit.DAYS).plus(30, ChronoUnit.DAYS);
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
    visit.signIn(owner.url(), token);
    return visit;
  }

  private static Visit open(String token, String query) {
    Visit visit = visit(token);
    visit.open(owner.url() + "/administration?" + query);
    return visit;
  }

  private static String queue(String name, int cpu) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: %s}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: %d}]}]
    """
        .formatted(name, cpu);
  }

  private static String path(String name) {
    return "/v1/clusterqueues/" + name;
  }

  private static String nominal(String name) throws Exception {
    return owner
        .get(path(name))
        .is(200)
        .at("/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota");
  }

  private static Locator editor(Page page) {
    return page.locator(".editor");
  }

  private static Locator field(Page page, String name) {
    return editor(page)
        .getByRole(AriaRole.TEXTBOX, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator text(Page page) {
    return page.getByLabel("Manifest, JSON or YAML");
  }

  private static Locator preview(Page page) {
    return editor(page).getByLabel("Preview", new Locator.GetByLabelOptions().setExact(true));
  }

  private static Locator side(Page page, String name) {
    return preview(page).getByLabel(name, new Locator.GetByLabelOptions().setExact(true));
  }

  @Test
  void aClusterQueueIsCreatedByTheFormOnceItsValuesAreRight() throws Exception {
    try (Visit visit = open(administrator, "view=quota")) {
      Page page = visit.page();
      visit.named(AriaRole.LINK, "New ClusterQueue").click();
      field(page, "Name").fill("render");
      field(page, "Flavor of google.com/tpu").fill("v6e");
      Locator amount = field(page, "Nominal of google.com/tpu in v6e");
      amount.fill("many");
      visit.button("Preview").click();
      assertThat(amount).hasAttribute("aria-invalid", "true");
      assertThat(editor(page).locator("td:has(input[aria-invalid]) .fault"))
          .hasText("must be a quantity such as 4, 500m or 16Gi");
      visit.button("Create").click();
      assertThat(editor(page).locator(".failure")).containsText("Invalid manifest");
      owner.get(path("render")).is(404);

      amount.fill("16");
      assertThat(editor(page).locator(".fault, .failure")).hasCount(0);
      visit.button("Preview").click();
      assertThat(preview(page)).containsText("ClusterQueue render would be created");
      owner.get(path("render")).is(404);
      visit.button("Create").click();
      assertThat(visit.notices()).containsText("Created");
      assertThat(page).hasURL(Pattern.compile(".*[?&]name=render.*"));
      assertThat(nominal("render")).isEqualTo("16");
      assertThat(visit.named(AriaRole.LINK, "render")).hasAttribute("aria-current", "true");
      assertThat(visit.button("Apply")).hasAttribute("title", "nothing is changed");
    }
  }

  @Test
  void anEditByTheFormSaysWhoGainsAndWaitsAndIsEvicted() throws Exception {
    owner.post("/v1/apply", queue("effects", 2)).is(200);
    owner.post("/v1/apply", localQueue("effects")).is(200);
    String holder = owner.submit(jobIn("effects", "holder"));
    server.awaitState(holder, "RUNNING");
    String waiter = owner.submit(jobIn("effects", "waiter"));
    server.awaitState(waiter, "PENDING");
    try (Visit visit = open(administrator, "view=quota&name=effects")) {
      Page page = visit.page();
      Locator amount = field(page, "Nominal of cpu in cpu");
      amount.fill("4");
      visit.button("Preview").click();
      assertThat(side(page, "Gain")).containsText("Gain: 1");
      assertThat(side(page, "Gain").getByRole(AriaRole.LINK))
          .hasAttribute("href", "/jobs/" + waiter);
      assertThat(side(page, "Are evicted")).containsText("No attempt is evicted.");

      amount.fill("1");
      assertThat(preview(page)).hasCount(0); // of another edit
      visit.button("Preview").click();
      assertThat(side(page, "Are over their limit")).containsText("over by 1");
      visit.button("Give up the edit").click();
      assertThat(amount).hasValue("2");

      page.getByLabel("Stop policy").selectOption("HoldAndDrain");
      visit.button("Preview").click();
      assertThat(side(page, "Are evicted").getByRole(AriaRole.LINK))
          .hasAttribute("href", "/jobs/" + holder);
      page.getByLabel("Stop policy").selectOption("None");
      assertThat(owner.get(path("effects")).at("/metadata/generation")).isEqualTo("1");

      amount.fill("4");
      editor(page).getByText("Changed lines").click();
      assertThat(editor(page).locator(".difference .added")).containsText("\"4\"");
      visit.button("Apply").click();
      assertThat(visit.notices()).containsText("Written");
      assertThat(nominal("effects")).isEqualTo("4");
      server.awaitState(waiter, "RUNNING");
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  private static String localQueue(String name) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %s, namespace: team}
    spec: {clusterQueue: %s}
    """
        .formatted(name, name);
  }

  private static String jobIn(String queue, String name) {
    return OneServer.job(name, 2, "sleep 600").replace("queue: main", "queue: " + queue);
  }

  @Test
  void anEditAsTextIsYamlOrJson() throws Exception {
    owner.post("/v1/apply", queue("texts", 1)).is(200);
    try (Visit visit = open(administrator, "view=quota&name=texts")) {
      Page page = visit.page();
      visit.named(AriaRole.LINK, "Text").click();
      text(page).fill(queue("texts", 2) + "  cohort: typo\n");
      visit.button("Apply").click();
      assertThat(editor(page).locator(".failure")).containsText("cohort");
      assertThat(nominal("texts")).isEqualTo("1");

      text(page).fill(queue("texts", 3));
      visit.named(AriaRole.LINK, "Form").click();
      assertThat(editor(page)).containsText("The form needs JSON");
      visit.button("Preview").click();
      assertThat(preview(page)).containsText("ClusterQueue texts would be configured");
      visit.button("Apply").click();
      assertThat(visit.notices()).containsText("Written");
      assertThat(nominal("texts")).isEqualTo("3");
      assertThat(field(page, "Nominal of cpu in cpu")).hasValue("3");
      page.reload();
      assertThat(field(page, "Nominal of cpu in cpu")).hasValue("3");
    }
  }

  @Test
  void anEditThatBeganBeforeThatOfSomebodyElseOverwritesNothing() throws Exception {
    owner.post("/v1/apply", queue("shared", 1)).is(200);
    try (Visit visit = open(administrator, "view=quota&name=shared")) {
      Page page = visit.page();
      field(page, "Nominal of cpu in cpu").fill("2");
      owner.put(path("shared"), queue("shared", 5)).is(200);
      Locator told = editor(page).getByRole(AriaRole.ALERT);
      assertThat(told).containsText("Somebody has changed this object since you began");
      assertThat(told.locator(".added")).containsText("\"5\"");
      Locator apply = visit.button("Apply");
      assertThat(apply).hasAttribute("aria-disabled", "true");
      apply.click(new Locator.ClickOptions().setForce(true));
      assertThat(visit.notices()).containsText("the object has changed meanwhile");
      assertThat(nominal("shared")).isEqualTo("5");
      assertThat(field(page, "Nominal of cpu in cpu")).hasValue("2"); // the edit is kept

      visit.button("My edit replaces it").click();
      assertThat(told).hasCount(0);
      apply.click();
      assertThat(visit.notices()).containsText("Written");
      assertThat(nominal("shared")).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @CsvSource({"Apply,PUT", "Delete,DELETE"})
  void aWriteThatComesJustAfterThatOfSomebodyElseIsRefused(String button, String method)
      throws Exception {
    String name = "raced-" + method.toLowerCase(Locale.ROOT);
    owner.post("/v1/apply", queue(name, 1)).is(200);
    try (Visit visit = open(administrator, "view=quota&name=" + name)) {
      Page page = visit.page();
      field(page, "Nominal of cpu in cpu").fill("2");
      page.route(
          Pattern.compile(".*" + path(name) + "$"),
          route -> {
            if (route.request().method().equals(method)) {
              change(name, 5);
            }
            route.resume();
          });
      visit.button(button).click();
      if (method.equals("DELETE")) {
        visit.answer("Delete it");
      }
      assertThat(editor(page).locator(".failure").getByText("Somebody has changed this object"))
          .isVisible();
      assertThat(nominal(name)).isEqualTo("5");
      assertThat(field(page, "Nominal of cpu in cpu")).hasValue("2");
    }
  }

  private static void change(String name, int cpu) {
    try {
      owner.put(path(name), queue(name, cpu)).is(200);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void aClusterQueueIsDeletedByTheOneWhoIsSure() throws Exception {
    owner.post("/v1/apply", queue("short-lived", 1)).is(200);
    try (Visit visit = open(administrator, "view=quota&name=short-lived")) {
      Page page = visit.page();
      visit.button("Delete").click();
      assertThat(visit.question()).containsText("ClusterQueue short-lived would be deleted");
      visit.answer("Close");
      owner.get(path("short-lived")).is(200);
      visit.button("Delete").click();
      visit.answer("Delete it");
      assertThat(visit.notices()).containsText("Deleted");
      assertThat(editor(page)).hasCount(0);
      owner.get(path("short-lived")).is(404);
      assertThat(visit.named(AriaRole.LINK, "short-lived")).hasCount(0);
    }
  }

  @Test
  void aQueueInUseIsNotDeleted() throws Exception {
    try (Visit visit = open(administrator, "view=quota&name=cpus")) {
      visit.button("Delete").click();
      assertThat(editor(visit.page()).locator(".failure")).containsText("cpus");
      assertThat(visit.question()).hasCount(0);
      owner.get(path("cpus")).is(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quota|cohorts|lab|Cohort|kueue.x-k8s.io/v1beta2|spec: {}|a root",
        "classes|workloadpriorityclasses|low|WorkloadPriorityClass|kueue.x-k8s.io/v1beta2|value: 7"
            + "|value 7",
        "classes|computeclasses|cheap|ComputeClass|cloud.google.com/v1"
            + "|spec: {priorities: [{spot: true}]}|1 priorities",
        "classes|localqueues|team/side|LocalQueue|kueue.x-k8s.io/v1beta2"
            + "|spec: {clusterQueue: cpus}|to cpus",
        "classes|resourceflavors|big|ResourceFlavor|kueue.x-k8s.io/v1beta2"
            + "|spec: {nodeLabels: {size: big}}|size=big",
        "classes|topologies|racks|Topology|kueue.x-k8s.io/v1beta2"
            + "|spec: {levels: [{nodeLabel: rack}]}|rack",
        "classes|bookings|demo|Booking|sluice.io/v1|spec: {clusterQueue: cpus,"
            + " from: FROM, until: UNTIL, quota: [{flavor: cpu, amounts: {cpu: 1}}]}"
            + "|cpus, FROM to UNTIL",
        "classes|outages|repair|Outage|sluice.io/v1|spec: {from: FROM, until: UNTIL,"
            + " quota: [{flavor: cpu}]}|FROM to UNTIL",
      })
  void objectsOfEachKindAreCreatedListedAndDeleted(
      String view,
      String kinds,
      String key,
      String kind,
      String version,
      String content,
      String row)
      throws Exception {
    String object = "/v1/" + kinds + "/" + key;
    try (Visit visit = open(administrator, "view=" + view)) {
      Page page = visit.page();
      page.getByLabel("Kind").selectOption(kinds);
      visit.named(AriaRole.LINK, "New " + kind).click();
      page.navigate(page.url() + "&form=text");
      text(page).fill(manifest(version, kind, key, content));
      visit.button("Create").click();
      assertThat(visit.notices()).containsText("Created");
      assertThat(owner.get(object).is(200).at("/kind")).isEqualTo(kind);
      assertThat(page.locator("tr.chosen")).containsText(key);
      assertThat(page.locator("tr.chosen")).containsText(dated(row));
      visit.button("Delete").click();
      visit.answer("Delete it");
      assertThat(visit.notices()).containsText("Deleted");
      owner.get(object).is(404);
      assertThat(visit.complaints(owner.url())).isEmpty();
    }
  }

  private static String manifest(String version, String kind, String key, String content) {
    String namespace = key.contains("/") ? ", namespace: team" : "";
    String name = key.substring(key.indexOf('/') + 1);
    return "apiVersion: %s\nkind: %s\nmetadata: {name: %s%s}\n%s\n"
        .formatted(version, kind, name, namespace, dated(content));
  }

  private static String dated(String text) {
    return text.replace("FROM", soon.toString())
        .replace("UNTIL", soon.plus(1, ChronoUnit.HOURS).toString());
  }

  @Test
  void aPriorityIsChanged() throws Exception {
    String urgent =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: urgent}
        value: 500
        """;
    owner.post("/v1/apply", urgent).is(200);
    String query = "view=classes&kind=workloadpriorityclasses&name=urgent";
    try (Visit visit = open(administrator, query)) {
      Page page = visit.page();
      String manifest = text(page).inputValue();
      text(page).fill(manifest.replace("500", "\"high\""));
      visit.button("Apply").click();
      assertThat(editor(page).locator(".failure")).containsText("value");
      text(page).fill(manifest.replace("500", "700"));
      visit.button("Apply").click();
      assertThat(visit.notices()).containsText("Written");
      assertThat(owner.get("/v1/workloadpriorityclasses/urgent").is(200).at("/value"))
          .isEqualTo("700");
      assertThat(page.locator("tr.chosen")).containsText("value 700");
    }
  }

  @Test
  void aViewerSeesObjectsAndWhyItMayNotChangeThem() throws Exception {
    try (Visit visit = open(viewer, "view=quota&name=cpus")) {
      Page page = visit.page();
      assertThat(field(page, "Nominal of cpu in cpu")).hasValue("4");
      String reason = "needs the role admin or team-administrator";
      assertThat(editor(page)).containsText("You see it, and may not change it: " + reason);
      for (String name : List.of("Preview", "Apply", "Delete")) {
        field(page, "Nominal of cpu in cpu").fill("5");
        Locator button = visit.button(name);
        assertThat(button).hasAttribute("aria-disabled", "true");
        assertThat(button).hasAttribute("title", reason);
        button.click(new Locator.ClickOptions().setForce(true));
        assertThat(visit.notices()).containsText(reason);
      }
      assertThat(visit.question()).hasCount(0);
      assertThat(nominal("cpus")).isEqualTo("4");
      owner.as(viewer).put(path("cpus"), queue("cpus", 5)).is(403);
    }
  }
}
