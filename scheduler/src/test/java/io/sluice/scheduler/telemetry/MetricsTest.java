// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final Instant BEGIN = VirtualClock.BEGIN;
  private static final QueuePreemption WITHIN =
      new QueuePreemption(
          PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, null);
  private static final long CORE = ResourceName.CPU.unitsPerOne();

  private final AdmissionState state = new AdmissionState();
  private final ScrapeRegistry registry = new ScrapeRegistry();
  private final DecisionCounts counts;
  private Instant now = BEGIN;
  private long sequence;
  private long epoch = 7;
  private boolean leads = true;

  @SuppressWarnings("deprecation") // The registry that Quarkus makes is this one.
  MetricsTest() {
    MeterRegistry meters =
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
    counts = new DecisionCounts(new QueueLabels(3), meters);
    registry.collectFirst(
        new ViewCollector(
            () -> new CommittedView.Answer<>(QueueStanding.all(state), sequence),
            () -> epoch,
            counts));
    new ServerMeters(() -> leads, counts).bindTo(meters);
    set(new ResourceFlavor(ObjectMeta.named("cpus"), Labels.NONE, List.of(), List.of()));
  }

  private void set(QuotaObject object) {
    state.apply(new Event.ObjectSet(object, 1), now);
  }

  private void queue(String name, long cores) {
    set(
        ClusterQueueBuilder.named(name)
            .nominal("cpus", ResourceName.CPU, cores * CORE)
            .preemption(WITHIN)
            .build());
    set(new LocalQueue(ObjectMeta.named("team", name), name, StopPolicy.NONE));
  }

  private void submit(long number, String queue, long cores, int priority) {
    state.apply(
        new Event.JobEnqueued(
            WorkloadBuilder.named("job-" + number, number)
                .queue("team", queue)
                .priority(priority, false)
                .createdAt(now)
                .requests(1, ResourceName.CPU, cores * CORE)
                .build()),
        now);
  }

  /** A round, which becomes durable. */
  private List<Event> round() {
    List<Event> events = new AdmissionEngine(state).decide(List.of(), now, 1_000).events();
    commit(events);
    return events;
  }

  private void commit(List<Event> events) {
    sequence++;
    counts.committed(
        new Journal.Batch(sequence, now, List.of(), events, state.collectChanges()), state);
  }

  private void happened(Event... events) {
    List.of(events).forEach(event -> state.apply(event, now));
    commit(List.of(events));
  }

  private @Nullable Double number(Metric metric, String... values) {
    return registry.getSampleValue(metric.id(), metric.labels().toArray(String[]::new), values);
  }

  private @Nullable Double wait(String suffix, String queue) {
    return registry.getSampleValue(
        Metric.ADMISSION_WAIT.id() + suffix, new String[] {"cluster_queue"}, new String[] {queue});
  }

  @Test
  void gaugesSayHowQueuesStand() {
    queue("vision", 3);
    submit(1, "vision", 2, 0);
    submit(2, "vision", 2, 0);
    submit(3, "vision", 2, 0);
    assertThat(number(Metric.PENDING, "vision", "active")).isEqualTo(3);
    round();

    assertThat(number(Metric.PENDING, "vision", "active")).isEqualTo(2);
    assertThat(number(Metric.ADMITTED_ACTIVE, "vision")).isEqualTo(1);
    assertThat(number(Metric.USAGE, "", "vision", "cpus", "cpu")).isEqualTo(2);
    assertThat(number(Metric.NOMINAL, "", "vision", "cpus", "cpu")).isEqualTo(3);
    assertThat(number(Metric.BORROWING_LIMIT, "", "vision", "cpus", "cpu")).isNull();
    assertThat(number(Metric.QUEUE_STATUS, "vision", "active")).isEqualTo(1);
    assertThat(number(Metric.SEQUENCE)).isEqualTo(1);
    assertThat(number(Metric.EPOCH)).isEqualTo(7);
  }

  @Test
  void aQueueThatIsStoppedDoesNotSayHowManyWait() {
    set(
        ClusterQueueBuilder.named("vision")
            .nominal("cpus", ResourceName.CPU, CORE)
            .policies(policies -> policies.withStopPolicy(StopPolicy.HOLD))
            .build());

    assertThat(number(Metric.QUEUE_STATUS, "vision", "active")).isEqualTo(0);
    assertThat(number(Metric.QUEUE_STATUS, "vision", "pending")).isEqualTo(1);
    assertThat(number(Metric.PENDING, "vision", "active")).isNull();
  }

  @Test
  void aPreemptionIsCountedForBothQueuesAndTheWaitOfEachAdmission() {
    queue("vision", 2);
    submit(1, "vision", 2, 0);
    round();
    now = BEGIN.plusSeconds(10);
    submit(2, "vision", 2, 100);
    List<Event> events = round();
    Event.AttemptDraining draining =
        events.stream()
            .filter(Event.AttemptDraining.class::isInstance)
            .map(Event.AttemptDraining.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(number(Metric.EVICTED, "vision", "Preempted")).isEqualTo(1);
    assertThat(number(Metric.PREEMPTED, "vision", "InClusterQueue")).isEqualTo(1);
    assertThat(number(Metric.ADMITTED, "vision")).isEqualTo(1);
    assertThat(wait("_count", "vision")).isEqualTo(1);
    assertThat(wait("_sum", "vision")).isEqualTo(0);

    // The one that came back waits from when it was requeued, not from when it was created.
    happened(new Event.IndexRequeued(draining.attempt().indexKey(), now));
    now = now.plusSeconds(20);
    counts.committed(again(draining), state);
    assertThat(number(Metric.ADMITTED, "vision")).isEqualTo(2);
    assertThat(wait("_sum", "vision")).isEqualTo(20);
  }

  private Journal.Batch again(Event.AttemptDraining of) {
    AttemptKey next = new AttemptKey(of.attempt().job(), of.attempt().index(), 2);
    return new Journal.Batch(
        ++sequence,
        now,
        List.of(),
        List.of(
            new Event.Admitted(
                next, 1, new Assignment("vision", List.of(), List.of(), null), List.of())),
        state.collectChanges());
  }

  @Test
  void queuesBeyondTheMostAreSummedUpUntilOthersAreRemoved() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      queue(name, 2);
    }
    submit(4, "d", 1, 0);
    submit(5, "e", 1, 0);
    round();

    // Whoever is counted or asked for first has a label; d and e were admitted before any scrape.
    assertThat(labels(Metric.ADMITTED_ACTIVE)).containsExactly("_others", "a", "d", "e");
    assertThat(number(Metric.ADMITTED, "d")).isEqualTo(1);
    assertThat(number(Metric.NOMINAL, "", "_others", "cpus", "cpu")).isEqualTo(4);

    remove("a");
    assertThat(labels(Metric.ADMITTED_ACTIVE)).containsExactly("_others", "b", "d", "e");
  }

  private List<String> labels(Metric metric) {
    return Collections.list(registry.metricFamilySamples()).stream()
        .filter(family -> family.name.equals(metric.id()))
        .flatMap(family -> family.samples.stream())
        .map(sample -> sample.labelValues.get(0))
        .sorted()
        .toList();
  }

  private void remove(String queue) {
    state.apply(new Event.ObjectRemoved(new ObjectKey(ObjectKind.LOCAL_QUEUE, "team", queue)), now);
    state.apply(new Event.ObjectRemoved(new ObjectKey(ObjectKind.CLUSTER_QUEUE, "", queue)), now);
  }

  /** The answer of a server, in the format that Prometheus asks for. */
  private String scrape() throws IOException {
    StringWriter text = new StringWriter();
    TextFormat.writeOpenMetrics100(text, registry.metricFamilySamples());
    return text.toString();
  }

  @Test
  void theScrapeThatFindsAQueueRemovedHasNoSeriesOfIt() throws IOException {
    queue("vision", 2);
    Event.Admitted admitted =
        new Event.Admitted(
            new AttemptKey(WorkloadBuilder.id(1), 0, 1),
            1,
            new Assignment("vision", List.of(), List.of(), null),
            List.of());
    submit(1, "vision", 2, 0);
    commit(List.of(admitted));
    assertThat(scrape())
        .contains("sluice_admitted_workloads_total{cluster_queue=\"vision\"} 1.0")
        .contains("sluice_admission_wait_time_seconds_count{cluster_queue=\"vision\"} 1.0");
    state.apply(new Event.JobFinished(WorkloadBuilder.id(1), JobState.CANCELLED, ""), now);

    remove("vision");
    assertThat(scrape()).doesNotContain("vision");

    // A queue of that name later is another one.
    queue("vision", 2);
    submit(1, "vision", 2, 0);
    commit(List.of(admitted));
    assertThat(number(Metric.ADMITTED, "vision")).isEqualTo(1);
  }

  @Test
  void eachFamilyIsThereOnceFromTheFirstScrapeOnAndNothingElse() throws IOException {
    assertThat(families()).containsExactlyElementsOf(allFamilies());
    queue("vision", 2);
    submit(1, "vision", 2, 0);
    round();
    counts.stepped(Duration.ofMillis(30), 2);
    assertThat(families()).containsExactlyElementsOf(allFamilies());
    for (Metric metric : Metric.values()) {
      assertThat(scrape())
          .contains(
              "# HELP %s %s\n"
                  .formatted(metric.id().replaceFirst("_total$", ""), metric.meaning()));
    }
  }

  private List<String> families() throws IOException {
    return scrape()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.substring("# TYPE ".length()))
        .sorted()
        .toList();
  }

  private static List<String> allFamilies() {
    return Arrays.stream(Metric.values())
        .map(
            metric ->
                switch (metric.type()) {
                  case COUNTER -> metric.id().replaceFirst("_total$", "") + " counter";
                  case TIMER -> metric.id() + " histogram";
                  default -> metric.id() + " gauge";
                })
        .sorted()
        .toList();
  }

  @Test
  void anEpochThatNeverWasHasNoSeries() {
    epoch = -1;
    assertThat(number(Metric.EPOCH)).isNull();
  }

  @Test
  void boundsOfHistogramsAreThoseOfThePastSinceDashboardsAskForThem() throws IOException {
    queue("vision", 2);
    submit(1, "vision", 2, 0);
    round();
    assertThat(bounds(Metric.ADMISSION_WAIT))
        .containsExactly(
            "1.0",
            "5.0",
            "15.0",
            "60.0",
            "300.0",
            "900.0",
            "3600.0",
            "14400.0",
            "86400.0",
            "1000000.0",
            "+Inf");
    assertThat(bounds(Metric.ROUND))
        .containsExactly(
            "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5",
            "10.0", "+Inf");
  }

  private List<String> bounds(Metric metric) throws IOException {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(metric.id() + "_bucket"))
        .map(line -> line.replaceFirst(".*le=\"([^\"]*)\".*", "$1"))
        .toList();
  }

  @Test
  void aFollowerHasNothingInFlight() {
    counts.stepped(Duration.ofMillis(30), 2);
    assertThat(number(Metric.IN_FLIGHT)).isEqualTo(2);
    assertThat(number(Metric.LEADER)).isEqualTo(1);
    leads = false;
    assertThat(number(Metric.IN_FLIGHT)).isEqualTo(0);
    assertThat(number(Metric.LEADER)).isEqualTo(0);
    assertThat(registry.getSampleValue(Metric.ROUND.id() + "_count")).isEqualTo(1);
    assertThat(
            registry.getSampleValue(
                Metric.ROUND.id() + "_bucket", new String[] {"le"}, new String[] {"0.025"}))
        .isEqualTo(0);
    assertThat(
            registry.getSampleValue(
                Metric.ROUND.id() + "_bucket", new String[] {"le"}, new String[] {"0.05"}))
        .isEqualTo(1);
  }

  @Test
  void namesAreThoseOfPrometheusAndNoneComesTwice() {
    List<String> names =
        Arrays.stream(Metric.values()).map(Metric::id).collect(Collectors.toList());
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("sluice_[a-z_]+"));
    assertThat(Metric.values())
        .allMatch(
            metric -> (metric.type() == Meter.Type.COUNTER) == metric.id().endsWith("_total"));
  }

  @Test
  void whatIsRememberedOfRequeuesIsBounded() {
    Requeues requeues = new Requeues(2);
    List<IndexKey> indices =
        IntStream.range(0, 3)
            .mapToObj(index -> new IndexKey(WorkloadBuilder.id(1), index))
            .toList();
    indices.forEach(index -> requeues.add(index, BEGIN));

    assertThat(requeues.take(indices.get(0))).isNull();
    assertThat(requeues.take(indices.get(2))).isEqualTo(BEGIN);
    assertThat(requeues.take(indices.get(2))).isNull();
  }

  @Test
  void whoEndsForGoodIsNotEvicted() {
    assertThat(DecisionCounts.evictionReason(DrainCause.CANCELLED)).isNull();
    assertThat(DecisionCounts.evictionReason(DrainCause.START_DEADLINE))
        .isEqualTo("PodsReadyTimeout");
  }
}
