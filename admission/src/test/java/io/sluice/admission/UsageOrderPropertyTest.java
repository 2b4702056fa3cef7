// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.admission.LivedRounds.RoundCheck;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.testing.Seeds;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** LocalQueues by usage, in every world: the order is what a naive count over all events gives. */
class UsageOrderPropertyTest {
  private static final double EXACT_ENOUGH = 1e-6;
  private static final AdmissionFairSharing RULES =
      new AdmissionFairSharing(
          Duration.ofSeconds(15),
          Duration.ofSeconds(2),
          new TreeMap<>(Map.of(ResourceName.TPU, new BigDecimal("0.1"))));
  private static final EnginePolicy BY_USAGE = EnginePolicy.DEFAULT.withAdmissionFairSharing(RULES);
  private static final EnginePolicy BY_USAGE_AND_SHARE =
      BY_USAGE.withFairSharing(FairSharing.DEFAULT);

  private static void live(SplittableRandom random, EnginePolicy policy, RoundCheck check) {
    LivedRounds.live(RandomWorld.byUsage(random), policy, check);
  }

  @Test
  void theOrderIsWhatANaiveCountGives() {
    List<Integer> lengths = new ArrayList<>();
    Seeds.check(
        30,
        random -> {
          NaiveUsage usage = new NaiveUsage();
          live(
              random,
              BY_USAGE,
              (before, inputs, now, events, after) -> {
                usage.read(before, now, events);
                after.queues().forEach(queue -> lengths.add(checkOrder(after, queue, usage, now)));
              });
        });
    assertThat(lengths).anyMatch(length -> length > 5);
  }

  /** Returns how many jobs of more than one LocalQueue were compared. */
  private static int checkOrder(
      AdmissionState state, QueueState queue, NaiveUsage usage, Instant now) {
    List<JobEntry> pending = queue.pending().inOrder();
    for (int place = 1; place < pending.size(); place++) {
      JobEntry one = pending.get(place - 1);
      JobEntry other = pending.get(place);
      boolean sameDoor = one.workload().queue().equals(other.workload().queue());
      double ofOne = queue.servesByUsage() ? usage.share(state, one, now) : 0;
      double ofOther = queue.servesByUsage() ? usage.share(state, other, now) : 0;
      if (sameDoor || ofOne == ofOther) {
        assertThat(one).isLessThan(other);
      } else if (ofOne != Double.POSITIVE_INFINITY && ofOther != Double.POSITIVE_INFINITY) {
        assertThat(ofOne).isLessThan(ofOther + EXACT_ENOUGH);
      } else {
        assertThat(ofOne).isLessThan(ofOther);
      }
    }
    List<JobEntry> tried = pending.stream().filter(Predicate.not(state::withheld)).toList();
    for (JobEntry job : pending) {
      long before = tried.stream().filter(other -> isBefore(pending, other, job)).count();
      assertThat(queue.pending().countBefore(job)).as("before %s", job).isEqualTo((int) before);
    }
    assertThat(queue.pending().first()).isEqualTo(tried.isEmpty() ? null : tried.get(0));
    AdmissionState anew = AdmissionState.restore(state.snapshot(), state.policy());
    // A round that decides nothing leaves no trace of its time.
    anew.advance(now);
    checkSame(pending, Objects.requireNonNull(anew.queue(queue.name())));
    return queue.servesByUsage()
            && tried.stream().map(job -> job.workload().queue()).distinct().count() > 1
        ? pending.size()
        : 0;
  }

  private static boolean isBefore(List<JobEntry> order, JobEntry one, JobEntry other) {
    return order.indexOf(one) < order.indexOf(other);
  }

  /** In a state in which nothing is parked the first is the head, unless a claim is before it. */
  private static void checkSame(List<JobEntry> order, QueueState anew) {
    assertThat(anew.pending().inOrder().stream().map(JobEntry::id).toList())
        .isEqualTo(order.stream().map(JobEntry::id).toList());
    if (anew.claimants().isEmpty()) {
      assertThat(anew.head(Prospect.EVERYTHING)).isEqualTo(anew.pending().first());
    }
  }

  /** Sums over everything that was ever admitted, in closed form. */
  private static final class NaiveUsage {
    /** What one attempt used of a resource, in units by weight, from when to when. */
    private record Use(QueueKey queue, double units, Instant from, double penalized) {}

    /** One that has ended. */
    private record Past(Use use, Instant until) {}

    private final Map<JobId, QueueKey> doors = new TreeMap<>();
    private final Map<AttemptKey, Use> running = new TreeMap<>();
    private final List<Past> ended = new ArrayList<>();
    private final Map<QueueKey, Instant> changed = new TreeMap<>();

    void read(StateSnapshot before, Instant now, List<Event> events) {
      before.jobs().forEach(job -> doors.put(job.workload().id(), job.workload().queue()));
      for (Event event : events) {
        if (event instanceof Event.JobEnqueued enqueued) {
          doors.put(enqueued.workload().id(), enqueued.workload().queue());
        } else if (event instanceof Event.Admitted admitted) {
          QueueKey door = Objects.requireNonNull(doors.get(admitted.attempt().job()));
          double units = units(admitted.assignment());
          running.put(admitted.attempt(), new Use(door, units, now, units));
          changed.put(door, now);
        } else if (event instanceof Event.AttemptResized resized) {
          // It goes on with another amount, and is not penalized for a second entry.
          Use use = Objects.requireNonNull(running.get(resized.attempt()));
          ended.add(new Past(use, now));
          running.put(resized.attempt(), new Use(use.queue(), units(resized.assignment()), now, 0));
          changed.put(use.queue(), now);
        } else if (event instanceof Event.AttemptEnded end) {
          Use use = Objects.requireNonNull(running.remove(end.attempt()));
          ended.add(new Past(use, now));
          changed.put(use.queue(), now);
        }
      }
    }

    private static double units(Assignment assignment) {
      double units = 0;
      for (PodSetAssignment podSet : assignment.podSets()) {
        for (Map.Entry<ResourceName, Long> used : podSet.usage().amounts().entrySet()) {
          units +=
              used.getValue()
                  * RULES.weight(used.getKey()).doubleValue()
                  / used.getKey().unitsPerOne();
        }
      }
      return units;
    }

    double share(AdmissionState state, JobEntry job, Instant now) {
      QueueKey door = job.workload().queue();
      Instant last = changed.getOrDefault(door, Instant.MIN);
      Instant sample = Instant.ofEpochSecond(now.getEpochSecond() / 2 * 2);
      Instant at = last.isAfter(sample) ? last : sample;
      double used = 0;
      for (Use use : running.values()) {
        used += use.queue().equals(door) ? use.units() * counted(use.from(), at) : 0;
        used += use.queue().equals(door) ? penalty(use, at) : 0;
      }
      for (Past past : ended) {
        if (past.use().queue().equals(door)) {
          used += past.use().units() * (counted(past.use().from(), at) - counted(past.until(), at));
          used += penalty(past.use(), at);
        }
      }
      assertThat(state.localQueueUsage().share(door).used().doubleValue())
          .isCloseTo(used, within(EXACT_ENOUGH));
      double weight = weight(state, door);
      return weight == 0 ? Double.POSITIVE_INFINITY : used / weight;
    }

    /** What one unit counts that has been in use since a time. */
    private static double counted(Instant since, Instant at) {
      return 1 - Math.pow(0.5, Duration.between(since, at).toNanos() / 15e9);
    }

    private static double penalty(Use use, Instant at) {
      double part = 1 - Math.pow(0.5, 2.0 / 15);
      return use.penalized() * part * (1 - counted(use.from(), at));
    }

    private static double weight(AdmissionState state, QueueKey door) {
      for (QuotaObject object : state.objects().all()) {
        if (object instanceof LocalQueue queue && queue.queueKey().equals(door)) {
          return queue.fairWeight().value().doubleValue();
        }
      }
      return 1;
    }
  }

  @Test
  void promisesHold() {
    Seeds.check(38, random -> live(random, BY_USAGE, (before, inputs, now, events, after) -> {}));
    Seeds.check(
        13, random -> live(random, BY_USAGE_AND_SHARE, (before, inputs, now, events, after) -> {}));
  }

  @Test
  void aRestoredStateRemembersTheSame() {
    Seeds.check(
        15,
        random ->
            live(
                random,
                BY_USAGE,
                (before, inputs, now, events, after) ->
                    assertThat(AdmissionState.restore(after.snapshot(), BY_USAGE).snapshot())
                        .isEqualTo(after.snapshot())));
  }

  /** Samples are taken in some of the rounds only: what was parked must not matter in any. */
  @Test
  void aRestoredStateDecidesTheSame() {
    Seeds.check(20, random -> live(random, BY_USAGE, LivedRounds::checkDecidesTheSame));
    Seeds.check(10, random -> live(random, BY_USAGE_AND_SHARE, LivedRounds::checkDecidesTheSame));
  }

  @Test
  void aRoundLeavesNothingThatCouldBeDecided() {
    Seeds.check(20, random -> live(random, BY_USAGE, LivedRounds::checkNothingIsLeft));
  }
}
