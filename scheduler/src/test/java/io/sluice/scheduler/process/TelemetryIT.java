// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TelemetryIT {
  private static OneServer server;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** The number behind the only line that begins so. */
  private static Optional<Double> number(String metrics, String series) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst();
  }

  private static String ofQueue(String metric, String queue) {
    return "%s{cluster_queue=\"%s\"}".formatted(metric, queue);
  }

  private static Caller.Reply awaitNumber(Caller caller, String series, double expected)
      throws Exception {
    return caller.await(
        "/q/metrics",
        reply -> number(reply.text(), series).filter(found -> found == expected).isPresent());
  }

  @Test
  void metricsAreThoseOfWhatWasSubmittedAdmittedAndEvicted() throws Exception {
    Caller caller = server.caller();
    String first = caller.submit(OneServer.job("first", 2, "sleep 300"));
    String second = caller.submit(OneServer.job("second", 2, "sleep 300"));
    caller.awaitState(first, "RUNNING");
    caller.awaitState(second, "RUNNING");
    String third = caller.submit(OneServer.job("third", 2, "sleep 300"));

    awaitNumber(caller, "sluice_pending_workloads{cluster_queue=\"cpus\",status=\"active\"}", 1);
    String metrics = caller.get("/q/metrics").is(200).text();
    String quota = "{cohort=\"\",cluster_queue=\"cpus\",flavor=\"cpu\",resource=\"cpu\"}";
    assertThat(number(metrics, "sluice_cluster_queue_resource_usage" + quota)).contains(4.0);
    assertThat(number(metrics, "sluice_cluster_queue_nominal_quota" + quota)).contains(4.0);
    assertThat(number(metrics, ofQueue("sluice_admitted_active_workloads", "cpus"))).contains(2.0);
    assertThat(number(metrics, ofQueue("sluice_admitted_active_workloads", "slices")))
        .contains(0.0);
    assertThat(number(metrics, ofQueue("sluice_admitted_workloads_total", "cpus"))).contains(2.0);
    assertThat(number(metrics, ofQueue("sluice_admission_wait_time_seconds_count", "cpus")))
        .contains(2.0);
    assertThat(number(metrics, "sluice_leader")).contains(1.0);
    assertThat(number(metrics, "sluice_leader_epoch")).contains(1.0);
    assertThat(number(metrics, "sluice_round_duration_seconds_count").orElse(0.0)).isPositive();
    assertThat(metrics).contains("jvm_memory_used_bytes");

    caller.post("/v1/jobs/" + first + "/hold", "").is(202);
    caller.awaitState(third, "RUNNING");
    awaitNumber(
        caller, "sluice_evicted_workloads_total{cluster_queue=\"cpus\",reason=\"Deactivated\"}", 1);
    awaitNumber(caller, ofQueue("sluice_admitted_workloads_total", "cpus"), 3);
    for (String id : new String[] {first, second, third}) {
      caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
      caller.awaitState(id, "CANCELLED");
    }
    awaitNumber(caller, ofQueue("sluice_admitted_active_workloads", "cpus"), 0);
  }

  @Test
  void metricsAreForThoseWhoReadAllNamespaces() throws Exception {
    Caller caller = server.caller();
    caller.get("/q/metrics").is(200);
    caller.as(OneServer.token("viewer")).get("/q/metrics").is(403);
    caller.as("").get("/q/metrics").is(401);
    caller.as("not-a-token").get("/q/metrics").is(401);
    caller.as("").get("/q/metrics/").is(401);
  }

  @Test
  void everyMetricOfTheDashboardIsToldByAServerThatHasJobs() throws Exception {
    Caller caller = server.caller();
    String metrics = caller.get("/q/metrics").is(200).text();
    for (String name : Installation.metricsOfDashboard()) {
      String family = name.replaceFirst("_(bucket|total)$", "");
      assertThat(metrics).contains("# HELP " + family + " ");
    }
  }

  @Test
  void probesOfTheDeploymentAreAnsweredWithoutAToken() throws Exception {
    Caller unknown = server.caller().as("");
    assertThat(Installation.probePaths()).hasSize(3);
    for (String path : Installation.probePaths()) {
      Caller.Reply reply = unknown.await(path, answer -> answer.status() == 200);
      assertThat(reply.at("/status")).isEqualTo("UP");
    }
    String ready = unknown.get("/q/health/ready").is(200).text().toLowerCase(Locale.ROOT);
    assertThat(ready).contains("state loaded").contains("database");
  }

  @Test
  void aFollowerIsReadyAndSaysThatItDoesNotLead() throws Exception {
    try (StartedServer follower = server.follower()) {
      Caller caller = follower.caller();
      caller.await("/q/health/ready", reply -> reply.status() == 200);
      String metrics = caller.get("/q/metrics").is(200).text();
      assertThat(number(metrics, "sluice_leader")).contains(0.0);
      assertThat(number(metrics, "sluice_leader_epoch")).contains(1.0);
      assertThat(number(metrics, ofQueue("sluice_admitted_workloads_total", "cpus"))).isEmpty();
      assertThat(
              number(
                  metrics, "sluice_cluster_queue_status{cluster_queue=\"cpus\",status=\"active\"}"))
          .contains(1.0);
    }
  }
}
