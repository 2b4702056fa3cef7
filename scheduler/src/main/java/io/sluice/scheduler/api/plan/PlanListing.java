// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.plan;

import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaForecast;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Calendar;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.plan.PlanEntry;
import io.sluice.restmodel.plan.PlanEntry.PlanAmount;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.explanation.ExplanationAnswers;
import io.sluice.scheduler.estimate.ExpectedStart;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.TimeRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lists attempts that have not ended, planned and expected starts, bookings and outages, by start,
 * job and index.
 */
final class PlanListing {
  private static final String RUNNING = "running";
  private static final String PROMISED = "promised";
  private static final String EXPECTED = "expected";
  private static final String BOOKED = "booked";
  private static final String ABSENT = "absent";

  private static final Comparator<Found> ORDER =
      Comparator.comparing(Found::from)
          .thenComparing(Found::jobId)
          .thenComparingInt(Found::index)
          .thenComparingInt(Found::number);

  /**
   * Which entries are listed.
   *
   * @param readable namespaces of which the caller may read; jobs elsewhere are listed without what
   *     tells which job it is
   * @param namespace of the job; null: any
   * @param queue LocalQueue of the job; null: any
   * @param clusterQueue null: any
   * @param until latest start
   */
  record Filter(
      NamespaceScope readable,
      @Nullable String namespace,
      @Nullable String queue,
      @Nullable String clusterQueue,
      Instant until) {
    private boolean takes(JobEntry job) {
      Workload workload = job.workload();
      return (namespace == null || namespace.equals(workload.queue().namespace()))
          && (queue == null
              || (queue.equals(workload.queue().name())
                  && readable.contains(workload.queue().namespace())))
          && (clusterQueue == null || clusterQueue.equals(job.queue().name()));
    }

    /** Bookings and outages are of no namespace, and outages concern every queue. */
    private boolean takes(DatedObject dated) {
      boolean other =
          dated instanceof Booking booking
              && clusterQueue != null
              && !clusterQueue.equals(booking.clusterQueue());
      return namespace == null && queue == null && !other;
    }
  }

  /**
   * An entry that was found: an attempt, a planned start, an expected one, or a booking or an
   * outage.
   *
   * @param from its start; the end of time without one
   */
  private record Found(
      Instant from,
      @Nullable JobEntry job,
      @Nullable Attempt attempt,
      @Nullable Promise promise,
      @Nullable ExpectedStart expected,
      Calendar.@Nullable Entry dated) {
    /** The id of its job; of a booking or an outage, its kind and name. */
    String jobId() {
      return job == null
          ? Objects.requireNonNull(dated).object().key().toString().replace(' ', '/')
          : job.id().toString();
    }

    int index() {
      return attempt == null ? -1 : attempt.key().index();
    }

    int number() {
      return attempt == null ? 0 : attempt.key().attempt();
    }

    Pages.PlanPlace place() {
      return new Pages.PlanPlace(from, jobId(), index(), number());
    }

    boolean follows(Pages.PlanPlace place) {
      int order = from.compareTo(place.from());
      order = order == 0 ? jobId().compareTo(place.job()) : order;
      order = order == 0 ? Integer.compare(index(), place.index()) : order;
      return (order == 0 ? Integer.compare(number(), place.number()) : order) > 0;
    }
  }

  private final AdmissionState state;
  private final Map<JobId, ExpectedStart> expected;

  /** What a waiting job would use, by its queue's node and its shape. */
  private final Map<Long, Optional<Usage>> wanted = new HashMap<>();

  /**
   * Creates a listing.
   *
   * @param expected expected starts of waiting jobs; jobs that have started since are left out
   */
  PlanListing(AdmissionState state, Map<JobId, ExpectedStart> expected) {
    this.state = state;
    this.expected = expected;
  }

  /**
   * Returns a page.
   *
   * @param after the last entry of the previous page; null: starts with the first
   */
  Page<PlanEntry> page(Filter filter, Pages.@Nullable PlanPlace after, int limit) {
    List<Found> found = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      Instant started = attempt.startedAt();
      add(
          new Found(
              started == null ? attempt.admittedAt() : started,
              attempt.job(),
              attempt,
              null,
              null,
              null),
          filter,
          after,
          found);
    }
    for (Promise promise : state.plan().promises()) {
      Instant at = promise.start().at();
      Instant from = at == null ? TimeRange.END_OF_TIME : at;
      add(new Found(from, promise.job(), null, promise, null, null), filter, after, found);
    }
    for (Calendar.Entry dated : state.plan().calendar().entries()) {
      if (dated.to() > Ticks.of(state.now())) {
        Instant from = dated.object().period().from();
        add(new Found(from, null, null, null, null, dated), filter, after, found);
      }
    }
    expected.forEach(
        (id, start) -> {
          JobEntry job = state.findJob(id);
          if (job != null && isUndated(job) && job.queue().pending().contains(job)) {
            add(new Found(start.median(), job, null, null, start, null), filter, after, found);
          }
        });
    found.sort(ORDER);
    return Pages.of(
        found.subList(0, Math.min(found.size(), limit + 1)),
        limit,
        listed -> entry(listed, filter.readable()),
        last -> Pages.writePlan(last.place()));
  }

  private static boolean isUndated(JobEntry job) {
    PlannedStart planned = job.planned();
    return planned == null || planned.at() == null;
  }

  /** A planned start without a time is listed whatever the horizon. */
  private static void add(
      Found one, Filter filter, Pages.@Nullable PlanPlace after, List<Found> to) {
    boolean near = !one.from().isAfter(filter.until()) || one.from().equals(TimeRange.END_OF_TIME);
    Calendar.Entry dated = one.dated();
    JobEntry job = one.job();
    boolean takes =
        (dated != null && filter.takes(dated.object())) || (job != null && filter.takes(job));
    if (near && takes && (after == null || one.follows(after))) {
      to.add(one);
    }
  }

  private PlanEntry entry(Found found, NamespaceScope readable) {
    Attempt attempt = found.attempt();
    Promise promise = found.promise();
    Calendar.Entry dated = found.dated();
    if (dated != null) {
      return entry(dated);
    }
    JobEntry job = Objects.requireNonNull(found.job());
    ExpectedStart start = found.expected();
    Workload workload = job.workload();
    @Nullable Usage usage;
    List<String> slices;
    Instant end;
    if (attempt != null) {
      usage = attempt.held();
      slices = attempt.heldSlices();
      end = attempt.latestEnd(state.policy().ends());
    } else if (promise != null) {
      usage = promise.usage();
      slices = promise.start().wanted().slices();
      end = promise.to() == Ticks.NEVER ? null : Ticks.instant(promise.to());
    } else {
      usage = wanted(job);
      slices = List.of();
      end = Ticks.instant(Ticks.plus(Ticks.of(found.from()), state.plan().stay(job)));
    }
    boolean known = readable.contains(workload.queue().namespace());
    return new PlanEntry(
        attempt != null ? RUNNING : promise != null ? PROMISED : EXPECTED,
        known ? workload.id().toString() : null,
        known ? workload.queue().namespace() : null,
        known ? workload.name() : null,
        known && attempt != null ? attempt.key().index() : null,
        known && attempt != null ? attempt.key().attempt() : null,
        attempt == null ? null : attempt.state().name(),
        known ? workload.queue().name() : null,
        job.queue().name(),
        workload.priority().value(),
        found.from().equals(TimeRange.END_OF_TIME) ? null : found.from(),
        end,
        promise == null ? null : promise.start().firm(),
        ExplanationAnswers.expectedStart(start, Instant.now()),
        usage == null ? List.of() : amounts(usage),
        slices);
  }

  private PlanEntry entry(Calendar.Entry dated) {
    DatedObject object = dated.object();
    Usage booked = dated.booked();
    return new PlanEntry(
        booked == null ? ABSENT : BOOKED,
        null,
        null,
        object.meta().name(),
        null,
        null,
        null,
        null,
        object instanceof Booking booking ? booking.clusterQueue() : null,
        null,
        object.period().from(),
        object.period().until(),
        null,
        null,
        amounts(booked == null ? Usage.of(0, withinTotal(dated.absent())) : booked),
        dated.slices());
  }

  /** The absent amounts, of each at most what there is. */
  private SortedMap<Integer, Long> withinTotal(SortedMap<Integer, Long> absent) {
    QuotaForecast quota = new QuotaForecast(state.ledger().tree());
    TreeMap<Integer, Long> within = new TreeMap<>();
    absent.forEach((number, amount) -> within.put(number, Math.min(amount, quota.total(number))));
    return within;
  }

  /** Returns what a job uses on the flavors that its queue prefers; null if none can serve it. */
  private @Nullable Usage wanted(JobEntry job) {
    long key = ((long) job.queue().node() << Integer.SIZE) | job.shapeNumber();
    return wanted
        .computeIfAbsent(
            key,
            absent ->
                new FlavorAssigner(state, PreemptionOracle.NOBODY)
                    .inEmptyFleet(job).stream()
                        .map(FlavorAssignment::need)
                        .filter(Objects::nonNull)
                        .map(RoomNeed::usage)
                        .findFirst())
        .orElse(null);
  }

  private List<PlanAmount> amounts(Usage usage) {
    List<PlanAmount> amounts = new ArrayList<>();
    FlavorResources names = state.ledger().tree().flavorResources();
    for (int at = 0; at < usage.size(); at++) {
      FlavorResources.Pair pair = names.pair(usage.flavorResource(at));
      amounts.add(
          new PlanAmount(
              pair.flavor(),
              pair.resource().value(),
              Quantities.format(usage.amount(at), pair.resource())));
    }
    return amounts;
  }
}
