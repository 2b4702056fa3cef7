// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Demonstrates quota administration by teams: an administrator of a team divides its quota, tries
 * in several ways to take more, and sees the own jobs only.
 */
final class TeamsStory {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int LISTED_MAX = 500;

  private final DemoServer server;
  private final Terminal terminal;
  private final Promises promises = new Promises();

  TeamsStory(DemoServer server, Terminal terminal) {
    this.server = server;
    this.terminal = terminal;
  }

  /**
   * Runs the demonstration.
   *
   * @return whether all checks passed
   */
  boolean tell() throws IOException, InterruptedException {
    ServerClient owner = server.client();
    heading(
        "The platform gives 32 chips each to the teams vision and language. Ann administers vision,"
            + " Bob language.");
    removeDivision(owner);
    apply(owner, resource("teams.yaml"));
    ServerClient ann = as("ann");
    ServerClient bob = as("bob");
    awaitMembership(ann, "vision");
    awaitMembership(bob, "language");
    showQuota(owner);

    heading("Ann divides what vision has: 16 chips for training, 16 for evaluations.");
    apply(ann, resource("teams-division.yaml"));
    showQuota(owner);
    promises.check(
        chips(owner, "vision-train").equals("16") && chips(owner, "vision-eval").equals("16"),
        "an administrator of a team divides its quota in one request");

    heading("Ann tries to take more:");
    overreach(ann);

    heading("Each sees the quota of all, and the jobs of the own team:");
    sights(ann, bob);
    return verdict();
  }

  /** A repeated demonstration begins with the quota undivided. */
  private static void removeDivision(ServerClient owner) {
    for (String path : List.of("/v1/localqueues/vision/eval", "/v1/clusterqueues/vision-eval")) {
      try {
        owner.delete(path);
      } catch (RefusedException refused) {
        if (!refused.absent()) {
          throw refused;
        }
      }
    }
  }

  private void overreach(ServerClient ann) throws IOException {
    refused(
        ann, "more nominal quota", text -> text.replace("nominalQuota: 16", "nominalQuota: 20"));
    refused(
        ann,
        "borrowing without a limit",
        text -> text.replace("nominalQuota: 16, borrowingLimit: 0", "nominalQuota: 16"));
    refused(
        ann,
        "quota that is kept from others",
        text -> text.replace("borrowingLimit: 0", "borrowingLimit: 0, lendingLimit: 0"));
    refused(
        ann,
        "the right to evict jobs of other teams",
        text ->
            text.replace(
                "  namespaceSelector: {}",
                "  namespaceSelector: {}\n  preemption: {reclaimWithinCohort: Any}"));
    refused(
        ann,
        "a place beside the team",
        text -> text.replace("cohortName: vision", "cohortName: lab"));
    refused(
        ann,
        "a queue of another team",
        text ->
            text.replace("clusterQueue: vision-eval", "clusterQueue: language-train")
                .replace("name: eval", "name: other"));
    promises.check(
        chips(server.client(), "vision-train").equals("16"), "a refused edit changes nothing");
  }

  private void sights(ServerClient ann, ServerClient bob) {
    submit(ann, "vision");
    submit(bob, "language");
    Set<String> seenByAnn = namespaces(ann);
    Set<String> seenByBob = namespaces(bob);
    terminal.print("  Ann sees jobs of " + seenByAnn + " and " + queues(ann) + " ClusterQueues");
    terminal.print("  Bob sees jobs of " + seenByBob + " and " + queues(bob) + " ClusterQueues");
    promises.check(
        seenByAnn.equals(Set.of("vision")) && seenByBob.equals(Set.of("language")),
        "each administrator sees the jobs of the own team");
    promises.check(queues(ann) == queues(bob), "each sees the quota of all teams");
  }

  private static void submit(ServerClient member, String namespace) {
    String job =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: train, namespace: %s}
        spec:
          queue: main
          accelerator: {type: v6e, topology: 4x4, slices: 1}
          command: ["true"]
        """
            .formatted(namespace);
    member.postIdempotent("/v1/jobs", job.getBytes(StandardCharsets.UTF_8), "demo-" + namespace);
  }

  private static Set<String> namespaces(ServerClient caller) {
    Set<String> namespaces = new TreeSet<>();
    for (JsonNode job : caller.list("/v1/jobs?limit=500", LISTED_MAX, JsonNode.class)) {
      namespaces.add(job.at("/metadata/namespace").asText());
    }
    return namespaces;
  }

  private static int queues(ServerClient caller) {
    return caller.get("/v1/clusterqueues").path("items").size();
  }

  /** Tries a variant of the division, which must be refused. */
  private void refused(ServerClient ann, String what, UnaryOperator<String> variant)
      throws IOException {
    String text = new String(resource("teams-division.yaml"), StandardCharsets.UTF_8);
    String changed = variant.apply(text);
    if (changed.equals(text)) {
      throw new IllegalStateException("the variant changes nothing: " + what);
    }
    try {
      apply(ann, changed.getBytes(StandardCharsets.UTF_8));
      promises.check(false, "refused: " + what);
    } catch (RefusedException refused) {
      terminal.print("  " + what + ":");
      terminal.print("    " + refused.problem().path("detail").asText());
      promises.check(refused.status() == FORBIDDEN, "refused: " + what);
    }
  }

  /** A client with a token of that name, which gives no right by itself. */
  private ServerClient as(String name) {
    String body = "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(name);
    ServerClient owner = server.client();
    JsonNode issued;
    try {
      issued = owner.post("/v1/tokens", body.getBytes(StandardCharsets.UTF_8));
    } catch (RefusedException refused) {
      if (refused.status() != CONFLICT) {
        throw refused;
      }
      issued = owner.post("/v1/tokens/" + name + "/rotate");
    }
    return new ServerClient(new ServerAddress(owner.server(), issued.path("token").asText()));
  }

  /** Waits until the server has read the Team from its journal. */
  private static void awaitMembership(ServerClient member, String namespace)
      throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        member.get("/v1/jobs?namespace=" + namespace);
        return;
      } catch (RefusedException refused) {
        if (refused.status() != FORBIDDEN || Instant.now().isAfter(deadline)) {
          throw refused;
        }
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  private void showQuota(ServerClient owner) {
    for (JsonNode queue : owner.get("/v1/clusterqueues").path("items")) {
      String name = queue.at("/metadata/name").asText();
      terminal.print("  %-16s %s chips".formatted(name, chips(owner, name)));
    }
  }

  private static String chips(ServerClient owner, String queue) {
    return owner
        .get("/v1/clusterqueues/" + queue)
        .at("/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota")
        .asText();
  }

  private static void apply(ServerClient caller, byte[] manifests) {
    caller.postIdempotent("/v1/apply", manifests, null);
  }

  private static byte[] resource(String name) throws IOException {
    return DemoServer.resource(name);
  }

  private void heading(String text) {
    terminal.print("");
    terminal.print(terminal.styled(Terminal.Style.BOLD, text));
    terminal.print("");
  }

  private boolean verdict() {
    return promises.print(
        terminal, "The teams came out as promised.", "They did not come out as promised.");
  }
}
