// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.queuemodel.quota.team.Ceilings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A random quota tree with a team and its neighbour, and random edits of it. */
final class TeamWorld {
  static final String ROOT = "red";

  /** The cohort of the team and its neighbour. */
  static final String TOP = "org";

  static final String NEIGHBOUR = "neighbour";

  /** What the neighbour and the cohort of both have: plenty beside the amounts of the team. */
  private static final long PLENTY = 1_000;

  private static final ResourceName CHIPS = new ResourceName("google.com/tpu");
  private static final List<String> FLAVORS = List.of("v5e", "v6e");
  private static final List<String> QUEUES = List.of("a", "b", "c", "d");
  private static final List<String> COHORTS = List.of("x", "y", "z");

  private final Random random;
  private final Map<ObjectKey, QuotaObject> objects = new TreeMap<>();
  private final Team team;

  TeamWorld(long seed) {
    random = new Random(seed);
    put(cohort("org", null, PLENTY));
    put(queue(NEIGHBOUR, "org", PLENTY, QueuePolicies.DEFAULT));
    put(new Cohort(meta(ROOT), "org", groups(true)));
    team =
        new Team(
            meta("red-team"),
            List.of("red"),
            ROOT,
            null,
            List.of(),
            new Ceilings(
                pick(
                    List.of(
                        PreemptionPolicy.NEVER,
                        PreemptionPolicy.LOWER_PRIORITY,
                        PreemptionPolicy.ANY)),
                pick(List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY)),
                Duration.ofMinutes(random.nextInt(3)),
                random.nextInt(6),
                null,
                List.of(),
                List.of()));
  }

  Team team() {
    return team;
  }

  Collection<QuotaObject> objects() {
    return List.copyOf(objects.values());
  }

  QuotaNodes nodes() {
    return new QuotaNodes(objects.values());
  }

  void apply(List<Change> edit) {
    for (Change change : edit) {
      objects.remove(change.key());
      if (change.after() != null) {
        put(change.after());
      }
    }
  }

  /** The objects that are there after an edit. */
  Collection<QuotaObject> after(List<Change> edit) {
    Map<ObjectKey, QuotaObject> after = new TreeMap<>(objects);
    edit.forEach(change -> after.remove(change.key()));
    edit.stream()
        .map(Change::after)
        .filter(object -> object != null)
        .forEach(object -> after.put(object.key(), object));
    return after.values();
  }

  private void put(QuotaObject object) {
    objects.put(object.key(), object);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static ObjectMeta meta(String name) {
    return ObjectMeta.named(name);
  }

  private static Cohort cohort(String name, @Nullable String parent, long nominal) {
    return new Cohort(meta(name), parent, List.of(plain(nominal)));
  }

  private static ClusterQueue queue(
      String name, String cohort, long nominal, QueuePolicies policies) {
    return new ClusterQueue(meta(name), cohort, List.of(plain(nominal)), policies);
  }

  private static ResourceGroup plain(long nominal) {
    List<FlavorQuotas> flavors =
        FLAVORS.stream()
            .map(name -> new FlavorQuotas(name, List.of(ResourceQuota.nominal(CHIPS, nominal))))
            .toList();
    return new ResourceGroup(List.of(CHIPS), flavors);
  }

  private List<ResourceGroup> groups(boolean ofCohort) {
    List<FlavorQuotas> flavors = new ArrayList<>();
    for (String name : FLAVORS) {
      if (random.nextInt(4) > 0) {
        long nominal = random.nextInt(9);
        Long most = random.nextBoolean() ? null : Long.valueOf(random.nextInt(5));
        Long lends = random.nextInt(3) > 0 ? null : Long.valueOf(random.nextInt(9));
        if (lends != null && !ofCohort) {
          lends = Math.min(lends, nominal);
        }
        flavors.add(
            new FlavorQuotas(name, List.of(new ResourceQuota(CHIPS, nominal, most, lends))));
      }
    }
    return flavors.isEmpty() ? List.of() : List.of(new ResourceGroup(List.of(CHIPS), flavors));
  }

  private QueuePolicies policies() {
    PreemptionPolicy reclaim =
        pick(
            List.of(
                PreemptionPolicy.NEVER,
                PreemptionPolicy.NEVER,
                PreemptionPolicy.LOWER_PRIORITY,
                PreemptionPolicy.ANY));
    boolean borrows = reclaim != PreemptionPolicy.NEVER && random.nextInt(3) == 0;
    QueuePreemption preemption =
        new QueuePreemption(
            PreemptionPolicy.LOWER_PRIORITY,
            reclaim,
            borrows ? PreemptionPolicy.LOWER_PRIORITY : PreemptionPolicy.NEVER,
            null,
            Duration.ofMinutes(random.nextInt(4) == 0 ? random.nextInt(4) : 0));
    return QueuePolicies.DEFAULT
        .withPreemption(preemption)
        .withFairWeight(new FairWeight(BigDecimal.valueOf(random.nextInt(4))))
        .withStopPolicy(pick(List.of(StopPolicy.values())))
        .withQueueing(
            random.nextInt(3) > 0 ? Queueing.KUEUE : Queueing.planned(1 + random.nextInt(3)));
  }

  /** An edit of nodes below the root, or of the root, by an administrator of the installation. */
  List<Change> administratorsEdit() {
    return random.nextInt(4) == 0
        ? List.of(write(new Cohort(meta(ROOT), "org", groups(true))))
        : compound(false);
  }

  /** An edit that an administrator of the team tries, inside its part or beyond. */
  List<Change> teamsEdit() {
    return compound(true);
  }

  private List<Change> compound(boolean beyond) {
    Map<ObjectKey, Change> edit = new TreeMap<>();
    for (int more = 1 + random.nextInt(3); more > 0; more--) {
      Change one = beyond && random.nextInt(12) == 0 ? beyond() : inside();
      if (one != null) {
        edit.put(one.key(), one);
      }
    }
    return List.copyOf(edit.values());
  }

  private @Nullable Change inside() {
    String queue = pick(QUEUES);
    ObjectKey key = ObjectKey.of(ObjectKind.CLUSTER_QUEUE, queue);
    return switch (random.nextInt(10)) {
      case 0 -> delete(key);
      case 1 -> delete(ObjectKey.of(ObjectKind.COHORT, pick(COHORTS)));
      case 2, 3 -> {
        String name = pick(COHORTS);
        yield write(new Cohort(meta(name), parent(name), groups(true)));
      }
      case 4, 5, 6 -> divided(key);
      default -> write(new ClusterQueue(meta(queue), parent(""), groups(false), policies()));
    };
  }

  /** The same queue with less or little more in one flavor, which is mostly permitted. */
  private @Nullable Change divided(ObjectKey key) {
    if (!(objects.get(key) instanceof ClusterQueue queue)) {
      return null;
    }
    List<ResourceGroup> groups =
        queue.resourceGroups().stream()
            .map(
                group ->
                    new ResourceGroup(
                        group.coveredResources(),
                        group.flavors().stream().map(this::divided).toList()))
            .toList();
    return write(new ClusterQueue(queue.meta(), queue.cohort(), groups, queue.policies()));
  }

  private FlavorQuotas divided(FlavorQuotas flavor) {
    ResourceQuota quota = flavor.resources().get(0);
    long nominal = Math.max(0, quota.nominal() + random.nextInt(5) - 3);
    Long lends = quota.lendingLimit();
    return new FlavorQuotas(
        flavor.flavor(),
        List.of(
            new ResourceQuota(
                CHIPS,
                nominal,
                quota.borrowingLimit(),
                lends == null ? null : Long.valueOf(Math.min(lends, nominal)))));
  }

  /** Mostly the root or a cohort below it; another one for a cohort of that name. */
  private String parent(String but) {
    String parent = random.nextInt(3) == 0 ? pick(COHORTS) : ROOT;
    return parent.equals(but) ? ROOT : parent;
  }

  private @Nullable Change beyond() {
    return switch (random.nextInt(8)) {
      case 0 -> write(new Cohort(meta(ROOT), "org", groups(true)));
      case 1 -> write(queue(NEIGHBOUR, ROOT, PLENTY, QueuePolicies.DEFAULT));
      case 2 -> write(queue(pick(QUEUES), "org", random.nextInt(9), policies()));
      case 3 -> write(queue("elsewhere", "elsewhere", random.nextInt(9), policies()));
      case 4 -> write(cohort(pick(COHORTS), "org", random.nextInt(9)));
      case 5 -> write(cohort("org", pick(COHORTS), PLENTY));
      case 6 -> write(local("red", NEIGHBOUR));
      default -> write(local("blue", "a"));
    };
  }

  private static LocalQueue local(String namespace, String clusterQueue) {
    return new LocalQueue(ObjectMeta.named(namespace, "main"), clusterQueue, StopPolicy.NONE);
  }

  private Change write(QuotaObject object) {
    return Change.written(objects.get(object.key()), object);
  }

  private @Nullable Change delete(ObjectKey key) {
    QuotaObject before = objects.get(key);
    return before == null ? null : Change.deleted(before);
  }
}
