// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.store.journal.HistoryReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Copies logs to a caller, to their end or until their attempt ends. */
final class LogStream {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final Duration POLL = Duration.ofMillis(200);

  private final LogRequest request;
  private final JobReader jobs;
  private final HistoryReader history;
  private final AttemptLogs logs;
  private final Map<String, Place> places = new TreeMap<>();

  /** The reading position in the log of a pod. */
  private static final class Place {
    long offset;
    boolean begun;
    boolean ended;
    boolean midLine;
  }

  LogStream(LogRequest request, JobReader jobs, HistoryReader history, AttemptLogs logs) {
    this.request = request;
    this.jobs = jobs;
    this.history = history;
    this.logs = logs;
  }

  /**
   * Refuses a request that cannot be answered, before the answer begins.
   *
   * @throws ProblemException if there is no such log and the caller does not wait for it
   */
  void check() {
    AttemptKey key = attempt();
    if (key == null && request.attempt() != null) {
      throw ProblemException.notFound(
          "there is no attempt %d of index %d".formatted(request.attempt(), request.index()));
    }
    if (key == null) {
      if (!request.follow()) {
        throw ProblemException.notFound(
            "nothing of index %d was started yet".formatted(request.index()));
      }
      return;
    }
    List<String> pods = logs.pods(key);
    if (pods.isEmpty() && !request.follow()) {
      throw ProblemException.notFound("there are no logs of attempt " + key.attempt());
    }
    if (request.pod() != null && !pods.isEmpty() && !pods.contains(request.pod())) {
      throw ProblemException.notFound(
          "there is no pod " + request.pod() + ": one of " + String.join(", ", pods));
    }
  }

  private @Nullable AttemptKey attempt() {
    HistoryReader.AttemptHistory found =
        history.attempt(request.job(), request.index(), request.attempt());
    return found == null ? null : found.key();
  }

  /**
   * Copies the log.
   *
   * @param gone whether the reader has closed the connection; then the copying ends
   */
  void copyTo(OutputStream out, BooleanSupplier gone) throws IOException {
    AttemptKey key = attempt();
    while (key == null && !gone.getAsBoolean() && jobIsLive()) {
      pause(out);
      key = attempt();
    }
    if (key == null) {
      return;
    }
    boolean more = true;
    while (more && !gone.getAsBoolean()) {
      boolean ended = attemptEnded(key);
      boolean copied = copyOnce(key, out);
      out.flush();
      boolean everyPodEnded =
          !places.isEmpty() && places.values().stream().allMatch(place -> place.ended);
      more = copied || (request.follow() && !ended && !everyPodEnded);
      if (more && !copied) {
        pause(out);
      }
    }
  }

  private boolean jobIsLive() {
    StoredJob job = jobs.find(request.job());
    return job != null && !job.state().terminal();
  }

  private boolean attemptEnded(AttemptKey key) {
    HistoryReader.AttemptHistory found = history.attempt(key.job(), key.index(), key.attempt());
    return found == null || found.ending().outcome() != null;
  }

  /**
   * Copies the new content of each pod's log.
   *
   * @return whether there was any
   */
  private boolean copyOnce(AttemptKey key, OutputStream out) throws IOException {
    List<String> pods = request.pod() == null ? logs.pods(key) : List.of(request.pod());
    boolean copied = false;
    for (String pod : pods) {
      Place place = places.computeIfAbsent(pod, absent -> new Place());
      AttemptLogs.Chunk chunk = read(key, pod, place);
      if (chunk.bytes().length > 0) {
        write(pod, place, chunk.bytes(), pods.size() > 1, out);
        copied = true;
      }
    }
    return copied;
  }

  private AttemptLogs.Chunk read(AttemptKey key, String pod, Place place) {
    Integer tail = request.tail();
    if (!place.begun && tail != null && tail == 0) {
      // Reading the last byte returns the offset of the end.
      place.offset = logs.read(key, pod, -1, CHUNK_BYTES).nextOffset();
      place.begun = true;
    }
    long from = place.begun || tail == null ? place.offset : -(long) tail;
    AttemptLogs.Chunk chunk = logs.read(key, pod, from, CHUNK_BYTES);
    place.offset = chunk.nextOffset();
    place.begun = true;
    place.ended = chunk.ended();
    return chunk;
  }

  private static void write(String pod, Place place, byte[] bytes, boolean named, OutputStream out)
      throws IOException {
    if (!named) {
      out.write(bytes);
      return;
    }
    byte[] name = ("[" + pod + "] ").getBytes(StandardCharsets.UTF_8);
    int begin = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        writeLine(place, name, bytes, begin, at + 1, out);
        place.midLine = false;
        begin = at + 1;
      }
    }
    if (begin < bytes.length) {
      writeLine(place, name, bytes, begin, bytes.length, out);
      place.midLine = true;
    }
  }

  private static void writeLine(
      Place place, byte[] name, byte[] bytes, int from, int to, OutputStream out)
      throws IOException {
    if (!place.midLine) {
      out.write(name);
    }
    out.write(bytes, from, to - from);
  }

  /** Waits before the next poll. */
  private static void pause(OutputStream out) throws IOException {
    try {
      out.flush();
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("the server ends", interrupted);
    }
  }
}
