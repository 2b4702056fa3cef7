// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests of the console's Overview while changes do not cease, without a browser: each of its
 * lists every five seconds, which is the longest that the page waits then, and the changes of the
 * fleet map. It also follows the stream of all events, which the caller opens. Answers are
 * compressed, as those for a browser are.
 */
final class OpenConsole {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final String FLEET_MAP = "/v1/fleet/map";
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"([^\"]+)\"");
  private static final List<String> LISTS =
      List.of(
          "/v1/fleet?limit=1&fields=hosts,hostsFailed,sliceCount,clusters,refused",
          "/v1/clusterqueues?limit=500&fields=items.metadata.name,items.spec,items.status,nextCursor",
          "/v1/jobs?state=PENDING&held=false&order=oldest"
              + "&limit=8&fields=items.id,items.metadata.name,items.metadata.namespace,"
              + "items.status.clusterQueue,items.status.createdAt,items.status.blocker,"
              + "items.status.reason,items.status.plannedStart,items.status.expectedStart",
          "/v1/jobs/counts?by=clusterQueue&state=PENDING&held=false",
          "/v1/jobs?state=FAILED&limit=500&fields=items.id,items.metadata.name,"
              + "items.metadata.namespace,items.status.reason,items.status.finishedAt,nextCursor");

  /** Reads the text of an answer. */
  interface Reads {
    String get(String path) throws IOException, InterruptedException;
  }

  private final Reads server;
  private String revision = "";

  OpenConsole(Reads server) {
    this.server = server;
  }

  /** Reads from now on, until the executor ends; consoles do not read at the same moment. */
  void open(ScheduledExecutorService executor) {
    long first = ThreadLocalRandom.current().nextLong(EVERY.toMillis());
    for (String list : LISTS) {
      schedule(executor, first, () -> server.get(list));
    }
    schedule(executor, first, this::readFleet);
  }

  /** A read of one list. */
  private interface Read {
    String run() throws IOException, InterruptedException;
  }

  private static void schedule(ScheduledExecutorService executor, long first, Read read) {
    Runnable logged =
        () -> {
          try {
            read.run();
          } catch (IOException failure) {
            System.err.println("a console failed: " + failure);
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        };
    var unused =
        executor.scheduleWithFixedDelay(logged, first, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private String readFleet() throws IOException, InterruptedException {
    String answer =
        server.get(revision.isEmpty() ? FLEET_MAP : FLEET_MAP + "?revision=" + revision);
    Matcher found = REVISION.matcher(answer);
    if (found.find()) {
      revision = found.group(1);
    }
    return answer;
  }
}
