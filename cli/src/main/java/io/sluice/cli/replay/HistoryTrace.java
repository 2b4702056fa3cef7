// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.restmodel.job.AttemptAssignment.AssignedPodSet;
import io.sluice.restmodel.job.AttemptView;
import io.sluice.simulator.replay.TraceReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The ended jobs of a server as a trace that can be replayed: a line for each index that ran. */
final class HistoryTrace {
  private static final int PAGE = 500;
  private static final String ENDED = "&state=SUCCEEDED&state=FAILED&state=CANCELLED";

  /** Of resources in thousandths. */
  private static final String CPU = "cpu";

  private static final long THOUSANDTHS = 1_000;

  /** What a job's line needs; the answer's other fields are not asked for. */
  record PastJob(String id, PastSpec spec, PastStatus status) {}

  /** The limits of a job. */
  record PastSpec(@Nullable String timeLimit) {}

  /** When and to whom a job was submitted. */
  record PastStatus(Instant createdAt, String clusterQueue) {}

  /** A page of jobs. */
  record PastJobs(List<PastJob> items, @Nullable String nextCursor) {}

  /** A page of attempts. */
  record PastAttempts(List<AttemptView> items, @Nullable String nextCursor) {}

  /** A line of the trace without its id. */
  private record Line(
      Instant submitted,
      String job,
      int index,
      long seconds,
      long devices,
      String team,
      String estimate) {}

  /** What the attempts of an index used. */
  private static final class Use {
    private Duration ran = Duration.ZERO;
    private long devices;

    void add(AttemptView attempt, long amount) {
      Instant started = attempt.startedAt();
      Instant ended = attempt.endedAt();
      if (started != null && ended != null && amount > 0) {
        ran = ran.plus(Duration.between(started, ended));
        devices = Math.max(devices, amount);
      }
    }
  }

  private final ServerClient client;
  private final String resource;
  private final IntConsumer progress;
  private final List<Line> lines = new ArrayList<>();
  private int jobs;

  /**
   * Creates an empty trace.
   *
   * @param resource the resource whose whole units are the devices of the trace
   * @param progress is told the number of jobs that were read
   */
  HistoryTrace(ServerClient client, String resource, IntConsumer progress) {
    this.client = client;
    this.resource = resource;
    this.progress = progress;
  }

  /**
   * Reads the ended jobs that pass a filter.
   *
   * @param filter parameters of the list of jobs
   * @throws ClientException if there are more than a trace may have
   */
  void read(Map<String, @Nullable String> filter) {
    Map<String, @Nullable String> query = new LinkedHashMap<>(filter);
    query.put("limit", Integer.toString(PAGE));
    query.put("fields", "items.id,items.spec,items.status,nextCursor");
    String base = ServerClient.query("/v1/jobs", query) + ENDED;
    String cursor = null;
    do {
      String path = cursor == null ? base : base + "&cursor=" + ServerClient.encode(cursor);
      PastJobs page = client.get(path, PastJobs.class);
      for (PastJob job : page.items()) {
        add(job);
        progress.accept(++jobs);
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    lines.sort(
        Comparator.comparing(Line::submitted)
            .thenComparing(Line::job)
            .thenComparingInt(Line::index));
  }

  private void add(PastJob job) {
    String limit = job.spec().timeLimit();
    String estimate = limit == null ? "" : Long.toString(seconds(DurationNotation.parse(limit)));
    uses(job.id())
        .forEach(
            (index, use) -> {
              if (use.devices > 0) {
                lines.add(
                    new Line(
                        job.status().createdAt(),
                        job.id(),
                        index,
                        seconds(use.ran),
                        use.devices,
                        job.status().clusterQueue(),
                        estimate));
              }
            });
    if (lines.size() > TraceReader.JOBS_MAX) {
      throw new ClientException(
          "there are more than %d jobs; take a shorter time with --since and --until"
              .formatted(TraceReader.JOBS_MAX));
    }
  }

  private Map<Integer, Use> uses(String job) {
    Map<Integer, Use> uses = new TreeMap<>();
    String base = "/v1/jobs/" + ServerClient.encode(job) + "/attempts?limit=" + PAGE;
    String cursor = null;
    do {
      String path = cursor == null ? base : base + "&cursor=" + ServerClient.encode(cursor);
      PastAttempts page = client.get(path, PastAttempts.class);
      for (AttemptView attempt : page.items()) {
        uses.computeIfAbsent(attempt.index(), absent -> new Use()).add(attempt, devices(attempt));
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return uses;
  }

  /** Returns the whole units of the resource that an attempt holds. */
  private long devices(AttemptView attempt) {
    long amount = 0;
    for (AssignedPodSet podSet : attempt.assignment().podSets()) {
      amount += podSet.usage().getOrDefault(resource, 0L);
    }
    return resource.equals(CPU) ? ceilDiv(amount, THOUSANDTHS) : amount;
  }

  /** Returns a duration in whole seconds, rounded up, at least one. */
  private static long seconds(Duration duration) {
    return Math.max(1, ceilDiv(duration.toMillis(), THOUSANDTHS));
  }

  private static long ceilDiv(long amount, long unit) {
    return -Math.floorDiv(-amount, unit);
  }

  /** Returns the number of jobs that were read. */
  int jobs() {
    return jobs;
  }

  /** Returns the number of lines, one for each index that used the resource. */
  int size() {
    return lines.size();
  }

  /** Returns the most devices that one line has; 0 without lines. */
  long devicesMax() {
    return lines.stream().mapToLong(Line::devices).max().orElse(0);
  }

  /** Writes the trace, in the order of submission. */
  void writeTo(Appendable text) throws IOException {
    text.append("id,submit_s,duration_s,devices,team,estimate_s\n");
    int id = 0;
    for (Line line : lines) {
      text.append(Integer.toString(++id))
          .append(',')
          .append(Long.toString(line.submitted().getEpochSecond()))
          .append(',')
          .append(Long.toString(line.seconds()))
          .append(',')
          .append(Long.toString(line.devices()))
          .append(',')
          .append(line.team())
          .append(',')
          .append(line.estimate())
          .append('\n');
    }
  }
}
