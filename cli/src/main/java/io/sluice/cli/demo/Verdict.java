// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.job.JobEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the outcome of the demonstration against the server's records and the workers' output. */
final class Verdict {
  private static final int TRAINING_SLICES = 2;
  private static final int WORKERS = 8;
  private static final Pattern IDENTITY =
      Pattern.compile(
          "identity slice=(\\d+)/(\\d+) worker=(\\d+) hosts=(\\S+) topology=(\\S+) type=(\\S+)"
              + " coordinator=(\\S+)");

  private final ServerClient client;
  private final List<StoryJob> jobs;
  private final Path books;
  private final List<String> previewedGains;
  private final List<StartDates.Kept> starts;
  private final List<String> kept = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  /**
   * Creates the checks of a whole run.
   *
   * @param previewedGains names of the jobs that would gain, by the preview
   * @param starts the planned starts of the jobs
   */
  Verdict(
      ServerClient client,
      List<StoryJob> jobs,
      Path books,
      List<String> previewedGains,
      List<StartDates.Kept> starts) {
    this.starts = starts;
    this.previewedGains = previewedGains;
    this.client = client;
    this.jobs = jobs;
    this.books = books;
  }

  /** Prints the passed and the failed checks; returns whether all passed. */
  boolean print(Terminal terminal) throws IOException {
    long succeeded = jobs.stream().filter(StoryJob::succeeded).count();
    check(succeeded == jobs.size(), "%d of %d jobs succeeded".formatted(succeeded, jobs.size()));
    checkPreemption();
    checkSlices();
    checkIdentities();
    checkBooks();
    checkLadder();
    checkElastic();
    checkStarts();
    for (String promise : kept) {
      terminal.print(terminal.styled(Terminal.Style.GREEN, "  kept    ") + promise);
    }
    for (String promise : broken) {
      terminal.print(terminal.styled(Terminal.Style.RED, "  BROKEN  ") + promise);
    }
    terminal.print(
        broken.isEmpty()
            ? "The story came out as promised."
            : "The story did not come out as promised.");
    return broken.isEmpty();
  }

  private List<JobEvent> events(StoryJob job) {
    return StoryJob.events(client, job);
  }

  private void check(boolean holds, String promise) {
    (holds ? kept : broken).add(promise);
  }

  /** Checks that the training job preempted exactly as many jobs of the sweep as it has slices. */
  private void checkPreemption() {
    List<String> victims = new ArrayList<>();
    for (StoryJob job : jobs) {
      for (JobEvent event : events(job)) {
        JsonNode drain = JsonRecords.field(event.body(), "drain");
        if (event.kind().equals("AttemptDraining")
            && drain.path("cause").asText().equals("PREEMPTED")) {
          victims.add(job.name());
        }
      }
    }
    victims.sort(Comparator.naturalOrder());
    check(
        victims.size() == TRAINING_SLICES && !victims.contains(SharingChapter.TRAINING),
        "whole jobs made room for training: " + String.join(", ", victims));
    boolean back =
        jobs.stream()
            .filter(job -> victims.contains(job.name()))
            .allMatch(job -> job.attempts() > 1 && job.succeeded());
    check(back, "they came back and succeeded");
  }

  /**
   * Checks that the job of the compute class lost its Spot slice, found no rung but the
   * reservation, and ended there once, although the server that had started it was killed.
   */
  private void checkLadder() {
    StoryJob job = jobs.stream().filter(StoryJob::ladder).findFirst().orElseThrow();
    List<String> slices =
        Timeline.held(client, List.of(job)).stream()
            .sorted(Comparator.comparing(Timeline.Held::from))
            .map(Timeline.Held::slice)
            .toList();
    check(
        slices.size() == 2 && slices.get(0).startsWith("spot") && slices.get(1).startsWith("v6e"),
        "%s held, one after the other: %s".formatted(job.name(), String.join(", ", slices)));
    List<String> closed = new ArrayList<>();
    List<String> outcomes = new ArrayList<>();
    for (JobEvent event : events(job)) {
      switch (event.kind()) {
        case "RungClosed" -> closed.add(JsonRecords.field(event.body(), "end").asText());
        case "AttemptEnded" -> outcomes.add(JsonRecords.field(event.body(), "outcome").asText());
        default -> {
          // Says nothing of this.
        }
      }
    }
    check(
        previewedGains.equals(List.of(job.name())),
        "the preview said who would gain by the edit: " + String.join(", ", previewedGains));
    check(
        closed.equals(List.of("OUT_OF_STOCK", "DEADLINE")),
        "its rungs closed: Spot out of stock, FlexStart not in time");
    check(
        outcomes.equals(List.of("LOST", "SUCCEEDED")) && job.attempts() == 2,
        "it ran on while its server was killed, and its end was counted once: "
            + String.join(", ", outcomes).toLowerCase(Locale.ROOT));
  }

  /** Checks that the elastic job shrank and grew in one attempt, each time from a checkpoint. */
  private void checkElastic() {
    StoryJob job = jobs.stream().filter(StoryJob::elastic).findFirst().orElseThrow();
    List<String> resizes = new ArrayList<>();
    int checkpoints = 0;
    int failures = 0;
    for (JobEvent event : events(job)) {
      switch (event.kind()) {
        case "AttemptResized" -> {
          JsonNode assignment = JsonRecords.field(event.body(), "assignment");
          resizes.add(
              JsonRecords.field(event.body(), "resize").path("cause").asText()
                  + " to "
                  + assignment.path("slices").size());
        }
        case "CheckpointReported" -> checkpoints++;
        case "AttemptDraining" -> failures++;
        default -> {
          // Says nothing of this.
        }
      }
    }
    check(
        resizes.equals(List.of("RECLAIMED to 1", "GROWN to 2")) && checkpoints > 1,
        "%s went on from a checkpoint: %s"
            .formatted(job.name(), String.join(", ", resizes).toLowerCase(Locale.ROOT)));
    check(
        failures == 0 && job.attempts() == 1 && job.succeeded(),
        "%s did so in %d attempt, with %d failures"
            .formatted(job.name(), job.attempts(), failures));
  }

  /** Checks that no job started after a start that was within its queue's own quota. */
  private void checkStarts() {
    long inTime = starts.stream().filter(one -> !one.late()).count();
    boolean firmKept = starts.stream().noneMatch(one -> one.firm() && one.late());
    check(
        firmKept && !starts.isEmpty(),
        "%d of %d planned starts were kept, and each that was firm"
            .formatted(inTime, starts.size()));
  }

  /** Checks that no two jobs held a slice at the same time. */
  private void checkSlices() {
    List<Timeline.Held> held = new ArrayList<>(Timeline.held(client, jobs));
    held.sort(Comparator.comparing(Timeline.Held::slice).thenComparing(Timeline.Held::from));
    boolean apart = true;
    for (int at = 1; at < held.size(); at++) {
      Timeline.Held before = held.get(at - 1);
      Timeline.Held after = held.get(at);
      apart &= !before.slice().equals(after.slice()) || !after.from().isBefore(before.to());
    }
    check(apart, "no slice served two jobs at once, in %d allocations".formatted(held.size()));
  }

  /** Checks that in each worker's file no attempt writes after a later one has begun. */
  private void checkBooks() throws IOException {
    int workers = 0;
    boolean inOrder = true;
    for (StoryJob job : jobs) {
      try (DirectoryStream<Path> ofJob = Files.newDirectoryStream(books, job.id() + "-*")) {
        for (Path book : ofJob) {
          List<Integer> attempts = Files.readAllLines(book).stream().map(Integer::valueOf).toList();
          inOrder &= attempts.equals(attempts.stream().sorted().toList());
          workers++;
        }
      }
    }
    check(inOrder && workers > 0, "none of %d workers ran twice at once".formatted(workers));
  }

  /** Checks that the training job has eight workers with distinct ranks in one world. */
  private void checkIdentities() throws IOException {
    StoryJob training = jobs.stream().filter(StoryJob::training).findFirst().orElseThrow();
    String log;
    try (var stream = client.stream("/v1/jobs/" + training.id() + "/logs")) {
      log = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    Set<String> places = new TreeSet<>();
    Set<String> shared = new TreeSet<>();
    Set<String> hostsOfSlices = new TreeSet<>();
    Matcher identity = IDENTITY.matcher(log);
    while (identity.find()) {
      places.add(identity.group(1) + "/" + identity.group(3));
      hostsOfSlices.add(identity.group(1) + " " + identity.group(4));
      shared.add(
          "%s slices, %s, %s, coordinator %s"
              .formatted(
                  identity.group(2), identity.group(5), identity.group(6), identity.group(7)));
    }
    check(
        places.size() == WORKERS && shared.size() == 1 && hostsOfSlices.size() == TRAINING_SLICES,
        "the training job's workers had %d distinct identities in one whole: %s"
            .formatted(places.size(), String.join("; ", shared)));
  }
}
