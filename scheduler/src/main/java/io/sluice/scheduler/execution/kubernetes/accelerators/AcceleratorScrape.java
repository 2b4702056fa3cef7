// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.AcceleratorUse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Scrapes the chip metrics of nodes and pods in one cluster, a few at a time. It connects to them
 * directly, because the API server's proxy requires a right that allows anything on a node. An
 * endpoint that does not answer is skipped for some rounds, without other effects.
 */
public final class AcceleratorScrape implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(AcceleratorScrape.class);
  private static final int AT_A_TIME = 8;
  private static final int BODY_MAX = 1 << 20;
  private static final int PLACES_MAX = 20_000;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
  private static final Duration ROUND_WITHIN = Duration.ofSeconds(50);

  /** The most rounds in a row for which an endpoint is skipped. */
  private static final int LEFT_OUT_MAX = 16;

  private final Duration answerWithin;
  private final HttpClient client;
  private final ExecutorService threads;
  private final Map<URI, Silence> silent = new TreeMap<>();
  private volatile Map<JobId, AcceleratorUse> known = Map.of();

  /** Failures of an endpoint in a row, and the rounds for which it is still skipped. */
  private record Silence(int failures, int rounds) {
    Silence longer() {
      return new Silence(
          failures + 1, Math.min(LEFT_OUT_MAX, 1 << Math.min(failures, LEFT_OUT_MAX)));
    }
  }

  /** The answer of one endpoint; null: nothing readable. */
  private record Said(URI place, @Nullable Map<PodName, AcceleratorUse> uses) {}

  /** Creates a scrape that has not asked any endpoint. */
  public AcceleratorScrape(String cluster) {
    this(cluster, ANSWER_WITHIN);
  }

  /**
   * Creates a scrape.
   *
   * @param answerWithin how long it waits for one endpoint
   */
  AcceleratorScrape(String cluster, Duration answerWithin) {
    this.answerWithin = answerWithin;
    this.client = HttpClient.newBuilder().connectTimeout(answerWithin).build();
    this.threads =
        Executors.newFixedThreadPool(
            AT_A_TIME,
            task -> {
              Thread thread = new Thread(task, "accelerators-" + cluster);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Returns the use by job, as of the last round. */
  public Map<JobId, AcceleratorUse> known() {
    return known;
  }

  /** Scrapes all endpoints once, except those that are skipped. */
  public void round(Collection<Place> places) {
    Map<URI, @Nullable PodName> asked = new TreeMap<>();
    for (Place place : places) {
      if (asked.size() >= PLACES_MAX) {
        break;
      }
      if (place.node() != null) {
        asked.put(place.node(), null);
      }
      if (place.own() != null) {
        asked.put(place.own(), place.pod());
      }
    }
    silent.keySet().retainAll(asked.keySet());
    Map<PodName, AcceleratorUse> pods = new TreeMap<>();
    for (Said said : ask(asked)) {
      if (said.uses() == null) {
        silent.put(said.place(), silent.getOrDefault(said.place(), new Silence(0, 0)).longer());
      } else {
        silent.remove(said.place());
        // Prefer the node's metrics: they name the pod and are at least as good as the pod's own.
        boolean byNode = asked.get(said.place()) == null;
        said.uses().forEach(byNode ? pods::put : pods::putIfAbsent);
      }
    }
    Map<JobId, List<AcceleratorUse>> jobs = new TreeMap<>();
    for (Place place : places) {
      AcceleratorUse use = pods.get(place.pod());
      if (use != null) {
        jobs.computeIfAbsent(place.job(), key -> new ArrayList<>()).add(use);
      }
    }
    Map<JobId, AcceleratorUse> now = new TreeMap<>();
    jobs.forEach(
        (job, uses) -> {
          AcceleratorUse all = AcceleratorUse.of(uses);
          if (all != null) {
            now.put(job, all);
          }
        });
    known = now;
  }

  private List<Said> ask(Map<URI, @Nullable PodName> places) {
    List<Callable<Said>> tasks = new ArrayList<>();
    for (Map.Entry<URI, @Nullable PodName> entry : places.entrySet()) {
      Silence silence = silent.get(entry.getKey());
      if (silence != null && silence.rounds() > 0) {
        silent.put(entry.getKey(), new Silence(silence.failures(), silence.rounds() - 1));
      } else {
        tasks.add(() -> ask(entry.getKey(), entry.getValue()));
      }
    }
    List<Said> all = new ArrayList<>();
    try {
      for (Future<Said> one :
          threads.invokeAll(tasks, ROUND_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          all.add(one.get());
        } catch (CancellationException late) {
          LOG.debug("the round was over", late);
        } catch (ExecutionException failure) {
          LOG.error("reading metrics of accelerators failed", failure);
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    return all;
  }

  private Said ask(URI place, @Nullable PodName own) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(place).timeout(answerWithin).build();
    try {
      var answer = client.send(request, BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        if (answer.statusCode() != 200) {
          return new Said(place, null);
        }
        String text = new String(body.readNBytes(BODY_MAX), StandardCharsets.UTF_8);
        return new Said(place, ChipMetrics.parse(text, own).use(Instant.now()));
      }
    } catch (IOException noAnswer) {
      LOG.debugf("no chip metrics from %s: %s", place, noAnswer.getMessage());
      return new Said(place, null);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
