// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.store.journal.HistoryReader;
import java.io.ByteArrayOutputStream;
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

  /** How often the pods of an attempt are listed, as new ones may come. */
  private static final Duration PODS_AGE_MAX = Duration.ofSeconds(2);

  /** How long an attempt that has ended may have output on its way. */
  private static final Duration REST_MAX = Duration.ofSeconds(5);

  /** A longer line of one of several pods is broken. */
  private static final int LINE_BYTES_MAX = 64 << 10;

  private final LogRequest request;
  private final JobReader jobs;
  private final HistoryReader history;
  private final AttemptLogs logs;
  private final Map<String, Place> places = new TreeMap<>();

  /** A pod whose log is read. */
  private static final class Place implements AutoCloseable {
    private final byte[] name;
    private final AttemptLogs.Reader reader;

    /** The begun line of a pod whose lines are named. */
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private boolean ended;

    Place(String pod, AttemptLogs.Reader reader) {
      this.name = ("[" + pod + "] ").getBytes(StandardCharsets.UTF_8);
      this.reader = reader;
    }

    /** Writes the lines that are whole, each behind the name of the pod. */
    void writeLines(byte[] bytes, OutputStream out) throws IOException {
      int begin = 0;
      for (int at = 0; at < bytes.length; at++) {
        if (bytes[at] == '\n') {
          line.write(bytes, begin, at - begin);
          writeLine(out);
          begin = at + 1;
        }
      }
      line.write(bytes, begin, bytes.length - begin);
      if (line.size() > LINE_BYTES_MAX) {
        writeLine(out);
      }
    }

    private void writeLine(OutputStream out) throws IOException {
      out.write(name);
      line.writeTo(out);
      out.write('\n');
      line.reset();
    }

    /** Writes a last line that is not whole. */
    void writeRest(OutputStream out) throws IOException {
      if (line.size() > 0) {
        writeLine(out);
      }
    }

    @Override
    public void close() {
      reader.close();
    }
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
    try {
      copyAll(key, out, gone);
      for (Place place : places.values()) {
        place.writeRest(out);
      }
      out.flush();
    } finally {
      places.values().forEach(Place::close);
    }
  }

  private void copyAll(AttemptKey key, OutputStream out, BooleanSupplier gone) throws IOException {
    long listedAt = System.nanoTime() - PODS_AGE_MAX.toNanos();
    long copiedAt = System.nanoTime();
    while (!gone.getAsBoolean()) {
      boolean ended = attemptEnded(key);
      long now = System.nanoTime();
      if (ended || places.isEmpty() || now - listedAt >= PODS_AGE_MAX.toNanos()) {
        openNew(key);
        listedAt = now;
      }
      if (copyOnce(out)) {
        out.flush();
        copiedAt = System.nanoTime();
        continue;
      }
      boolean over = places.values().stream().allMatch(place -> place.ended);
      boolean quiet = System.nanoTime() - copiedAt >= REST_MAX.toNanos();
      if (!request.follow()
          || (over && !places.isEmpty())
          || (ended && (places.isEmpty() || quiet))) {
        return;
      }
      pause(out);
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

  private void openNew(AttemptKey key) {
    for (String pod : logs.pods(key)) {
      if (!places.containsKey(pod) && (request.pod() == null || request.pod().equals(pod))) {
        places.put(pod, new Place(pod, logs.open(key, pod, request.tail(), request.follow())));
      }
    }
  }

  /**
   * Copies the new content of each pod's log.
   *
   * @return whether there was any
   */
  private boolean copyOnce(OutputStream out) throws IOException {
    boolean named = places.size() > 1;
    boolean copied = false;
    for (Place place : places.values()) {
      if (place.ended) {
        continue;
      }
      AttemptLogs.Piece piece = place.reader.read(CHUNK_BYTES);
      place.ended = piece.ended();
      copied |= piece.bytes().length > 0;
      if (named) {
        place.writeLines(piece.bytes(), out);
      } else {
        out.write(piece.bytes());
      }
    }
    return copied;
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
