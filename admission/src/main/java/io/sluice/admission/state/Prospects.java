// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.admission.state.usage.Takeable;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Computes upper bounds of the room that heads can get in the current state.
 *
 * <p>A head fits only if, for each resource, some flavor has as much free as the largest pod set
 * requests. Otherwise it must preempt, which requires candidates: preemptible attempts of lower
 * priority, attempts of its own queue as the policy permits or, if the queue may reclaim, any
 * attempts in borrowing queues. The bounds are generous, because they must not exclude an
 * admissible head. If there are fillers, any head may take them back.
 *
 * <p>By preemption, a head gets at most the usage that its priority lets it evict: of its own queue
 * and of preemptible attempts, beside what is free or, if other queues borrow and it may reclaim,
 * beside what is left of its own nominal quota or of that of a cohort above it. If it may reclaim
 * with fair sharing, or while it borrows, it may get everything.
 */
public final class Prospects {
  private static final int NOBODY = Integer.MAX_VALUE;

  /** Maximum number of planned starts that lower the bound of a queue. */
  private static final int WINDOWS_MAX = 16;

  private final AdmissionState state;
  private final Shapes shapes;
  private final QuotaLedger ledger;
  private final QuotaTree tree;
  private final TreeMap<Integer, Integer> borrowersOfRoot = new TreeMap<>();
  private final int lowestPreemptible;
  private @Nullable TreeMap<Integer, List<Attempt>> preemptibleOfRoot;
  private @Nullable Unprotected unprotected;

  /**
   * What a head may take whatever the policy of its queue, by the root of a tree whose heads may
   * want it.
   *
   * @param fillers attempts that have some
   */
  private record Unprotected(
      TreeMap<Integer, List<ClaimState>> claims, TreeMap<Integer, List<Attempt>> fillers) {
    boolean anyIn(int root) {
      return claims.containsKey(root) || fillers.containsKey(root);
    }

    boolean isEmpty() {
      return claims.isEmpty() && fillers.isEmpty();
    }
  }

  Prospects(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.shapes = shapes;
    this.ledger = state.ledger();
    this.tree = ledger.tree();
    this.lowestPreemptible = state.lowestPreemptible();
  }

  /** Sought only when it is asked for: bounds of jobs that do not preempt do without. */
  private Unprotected unprotected() {
    Unprotected known = unprotected;
    if (known == null) {
      known = new Unprotected(new TreeMap<>(), new TreeMap<>());
      for (ClaimState claim : state.claims()) {
        List<String> slices = claim.claim().wanted().slices();
        for (int root : rootsOf(claim.job().queue(), slices)) {
          known.claims().computeIfAbsent(root, absent -> new ArrayList<>()).add(claim);
        }
      }
      for (Attempt attempt : state.elastic()) {
        if (attempt.hasFillers()) {
          for (int root : rootsOf(attempt.job().queue(), attempt.assignment().slices())) {
            known.fillers().computeIfAbsent(root, absent -> new ArrayList<>()).add(attempt);
          }
        }
      }
      unprotected = known;
    }
    return known;
  }

  /** Returns the trees whose heads may want the quota of a queue, or slices. */
  private Set<Integer> rootsOf(QueueState queue, List<String> slices) {
    Set<Integer> roots = slices.isEmpty() ? new TreeSet<>() : state.tries().rootsOf(slices);
    roots.add(tree.root(queue.node()));
    return roots;
  }

  /**
   * Returns whether a head of a tree may be admissible. False only if the root has less free than
   * the smallest request, no queue keeps quota for itself, no queue may preempt, and there are no
   * fillers.
   */
  boolean anybodyIn(int root) {
    if (tree.keepsOrEvictsBelow(root) || lowestPreemptible != NOBODY || unprotected().anyIn(root)) {
      return true;
    }
    long[] least = shapes.leastDemand();
    for (Map.Entry<ResourceName, Integer> resource : shapes.resources().entrySet()) {
      if (least[resource.getValue()] > mostFree(root, resource.getKey())) {
        return false;
      }
    }
    return true;
  }

  private long mostFree(int root, ResourceName resource) {
    long most = 0;
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (tree.flavorResources().pair(number).resource().equals(resource)) {
        most = Math.max(most, ledger.available(root, number));
      }
    }
    return most;
  }

  /** Returns the prospect of a queue's heads. */
  public Prospect of(QueueState queue) {
    return of(queue, false);
  }

  /**
   * Returns the prospect of a queue's heads.
   *
   * @param bound whether what is held for a job of the queue binds them, because they are behind it
   */
  public Prospect of(QueueState queue, boolean bound) {
    int node = queue.node();
    FreeQuota now = ledger.free();
    HeldRoom held = state.plan().heldRoomAlone();
    long[] free =
        most(
            queue,
            number ->
                held == null ? now.available(node, number) : held.most(node, number, now, bound));
    Prospect prospect = new Prospect(free, evictions(queue));
    return held == null && !state.plan().anyDated()
        ? prospect.whileDraining(drained(queue))
        : beside(prospect, queue);
  }

  /** Returns what is free once all draining attempts are gone, where nothing else decides. */
  private long[] drained(QueueState queue) {
    long[] room = new long[shapes.resources().size()];
    boolean decides =
        !state.policy().cycle().countsDraining() && queue.groupOf(ResourceName.PODS) == null;
    for (Map.Entry<ResourceName, Integer> resource : shapes.resources().entrySet()) {
      ResourceGroup group = queue.groupOf(resource.getKey());
      boolean alone = decides && group != null && group.flavors().size() == 1;
      String flavor = alone && group != null ? group.flavors().get(0).flavor() : "";
      room[resource.getValue()] =
          alone && !state.topologies().flavors().contains(flavor)
              ? ledger
                  .promised()
                  .available(queue.node(), tree.flavorResources().find(flavor, resource.getKey()))
              : -1;
    }
    return room;
  }

  /**
   * Returns a bound for jobs of a queue that do not preempt.
   *
   * @param amount by number of (flavor, resource)
   */
  public Prospect within(QueueState queue, IntToLongFunction amount) {
    return new Prospect(most(queue, amount), List.of());
  }

  /** Returns the largest amount of any flavor that a queue offers, by number of resource. */
  private long[] most(QueueState queue, IntToLongFunction amount) {
    long[] most = new long[shapes.resources().size()];
    shapes
        .resources()
        .forEach(
            (resource, at) -> {
              ResourceGroup group = queue.groupOf(resource);
              List<FlavorQuotas> flavors = group == null ? List.of() : group.flavors();
              for (FlavorQuotas flavor : flavors) {
                int number = tree.flavorResources().find(flavor.flavor(), resource);
                most[at] = Math.max(most[at], amount.applyAsLong(number));
              }
            });
    return most;
  }

  /** Lowers a bound by the planned starts that bind the jobs of a queue. */
  private Prospect beside(Prospect prospect, QueueState queue) {
    Plan plan = state.plan();
    if (!plan.anyDated() || queue.strict()) {
      return prospect;
    }
    long now = Ticks.of(state.now());
    TreeSet<Long> starts = new TreeSet<>();
    int upTo = NOBODY;
    for (Promise promise : plan.inTree(tree.root(queue.node()))) {
      boolean same = promise.job().queue().equals(queue);
      if (!same && !promise.start().firm()) {
        // Jobs within the queue's own quota need not mind it.
        return prospect;
      }
      if (promise.dated() && promise.from() > now) {
        starts.add(promise.from());
      }
      upTo = same ? Math.min(upTo, promise.job().priority()) : upTo;
    }
    List<Prospect.Window> windows = new ArrayList<>();
    for (long start : starts) {
      if (windows.size() < WINDOWS_MAX) {
        long[] before = windows.isEmpty() ? null : windows.get(windows.size() - 1).most();
        windows.add(new Prospect.Window(start - now, most(queue, start, before)));
      }
    }
    return prospect.beside(windows, upTo);
  }

  /** Returns, by number of resource, the largest amount of any flavor that fits until a time. */
  private long[] most(QueueState queue, long time, long @Nullable [] before) {
    long[] most = most(queue, number -> state.plan().forecast().mostAt(queue.node(), number, time));
    for (int at = 0; before != null && at < most.length; at++) {
      most[at] = Math.min(most[at], before[at]);
    }
    return most;
  }

  /**
   * Returns the lowest priority from which a head of a queue may preempt or take back fillers,
   * whatever the queue's policy.
   */
  public int evictsFrom(int node) {
    Unprotected all = unprotected();
    boolean any = !all.isEmpty() && all.anyIn(tree.root(node));
    return any ? Integer.MIN_VALUE : above(lowestPreemptible);
  }

  /** Returns the bounds of heads that evict. */
  private List<Prospect.Eviction> evictions(QueueState queue) {
    int node = queue.node();
    QueuePreemption policy = queue.spec().policies().preemption();
    boolean reclaims =
        policy.reclaimWithinCohort() != PreemptionPolicy.NEVER && borrowers(queue) > 0;
    Takeable takeable = takeable(queue);
    if (reclaims) {
      takeable.add(Integer.MIN_VALUE);
    }
    boolean anything =
        reclaims
            && (state.policy().fairSharing() != null
                || policy.borrowWithinCohort() != PreemptionPolicy.NEVER);
    List<Prospect.Eviction> evictions = new ArrayList<>();
    for (Takeable.From from : takeable.bounds()) {
      long[] most =
          most(
              queue,
              number -> {
                long possible = tree.potentiallyAvailable(node, number);
                return anything
                    ? possible
                    : Math.min(possible, beside(node, number, reclaims, from.amounts()[number]));
              });
      // Jobs do not ask for quota of pods, and use it all the same.
      boolean all = reclaims || queue.groupOf(ResourceName.PODS) != null;
      boolean[] gains = gains(queue, from.amounts(), all);
      evictions.add(new Prospect.Eviction(from.priority(), most, gains));
    }
    return evictions;
  }

  /** Returns, by number of resource, whether eviction frees any for a queue. */
  private boolean[] gains(QueueState queue, long[] taken, boolean all) {
    boolean[] gains = new boolean[shapes.resources().size()];
    long[] most = most(queue, number -> taken[number]);
    shapes
        .resources()
        .forEach(
            (resource, at) ->
                // Slices may be taken from other trees, too.
                gains[at] = all || most[at] > 0 || resource.equals(ResourceName.TPU));
    return gains;
  }

  /** Returns the most that a head gets that evicts others with an amount. */
  private long beside(int node, int number, boolean reclaims, long taken) {
    long left = Math.max(0, ledger.promised().available(node, number));
    if (reclaims) {
      left = Math.max(left, ledger.promised().coveredBelowRoot(node, number));
    }
    return QuotaTree.saturatedSum(left, taken);
  }

  /** Returns what heads of a queue may take, other than by reclaiming from queues that borrow. */
  private Takeable takeable(QueueState queue) {
    Takeable takeable = new Takeable(tree.flavorResources().size());
    int root = tree.root(queue.node());
    for (Attempt filler : unprotected().fillers().getOrDefault(root, List.of())) {
      add(takeable, Integer.MIN_VALUE, filler.usage(), root);
    }
    if (lowestPreemptible != NOBODY) {
      takeable.add(above(lowestPreemptible)); // also slices that another tree uses
      for (Attempt attempt : preemptible(root)) {
        takeable.add(above(priority(attempt.job())), attempt.usage());
      }
    }
    PreemptionPolicy within = queue.spec().policies().preemption().withinClusterQueue();
    if (anyMayEvict(queue, within)) {
      for (Attempt attempt : queue.live()) {
        if (!attempt.draining()) {
          takeable.add(from(within, priority(attempt.job())), attempt.usage());
        }
      }
    }
    for (ClaimState claim : unprotected().claims().getOrDefault(root, List.of())) {
      if (claim.job().workload().priority().preemptible()) {
        add(takeable, above(priority(claim.job())), claim.usage(), root);
      }
      if (claim.job().queue().equals(queue) && within != PreemptionPolicy.NEVER) {
        takeable.add(from(within, priority(claim.job())), claim.usage());
      }
    }
    return takeable;
  }

  /** Adds usage of this tree; that of another tree counts for its slices only. */
  private void add(Takeable takeable, int priority, Usage usage, int root) {
    if (tree.root(usage.node()) == root) {
      takeable.add(priority, usage);
    } else {
      takeable.add(priority);
    }
  }

  /**
   * Returns whether the priority of any head permits to evict an attempt of the same queue.
   * Otherwise its attempts, which may be thousands, are not looked at.
   */
  private static boolean anyMayEvict(QueueState queue, PreemptionPolicy within) {
    if (within == PreemptionPolicy.NEVER) {
      return false;
    }
    JobEntry first = queue.pending().first();
    return queue.servesByUsage()
        || (first != null && first.priority() >= from(within, queue.lowestLivePriority()));
  }

  /** Returns the lowest priority of a head of the same queue that may evict a job. */
  private static int from(PreemptionPolicy within, int priority) {
    return switch (within) {
      case NEVER -> NOBODY;
      case LOWER_PRIORITY -> above(priority);
      case LOWER_OR_NEWER_EQUAL_PRIORITY -> priority;
      case ANY -> Integer.MIN_VALUE;
    };
  }

  private static int priority(JobEntry job) {
    return job.workload().priority().value();
  }

  private List<Attempt> preemptible(int root) {
    TreeMap<Integer, List<Attempt>> byRoot = preemptibleOfRoot;
    if (byRoot == null) {
      byRoot = new TreeMap<>();
      for (Attempt attempt : state.preemptibleBelow(NOBODY)) {
        int its = tree.root(attempt.job().queue().node());
        byRoot.computeIfAbsent(its, absent -> new ArrayList<>()).add(attempt);
      }
      preemptibleOfRoot = byRoot;
    }
    return byRoot.getOrDefault(root, List.of());
  }

  private static int above(int priority) {
    return priority == NOBODY ? NOBODY : priority + 1;
  }

  /** Returns the number of other queues in the tree that borrow. */
  private int borrowers(QueueState queue) {
    if (!tree.hasParent(queue.node())) {
      return 0;
    }
    int all = borrowersOfRoot.computeIfAbsent(tree.root(queue.node()), this::countBorrowers);
    return borrows(queue.node()) ? all - 1 : all;
  }

  private int countBorrowers(int node) {
    if (tree.isQueue(node)) {
      return borrows(node) ? 1 : 0;
    }
    int count = 0;
    for (int child : tree.children(node)) {
      count += countBorrowers(child);
    }
    return count;
  }

  private boolean borrows(int node) {
    QuotaUsage promised = ledger.promised();
    for (int number = 0; number < tree.flavorResources().size(); number++) {
      if (promised.borrows(node, number)) {
        return true;
      }
    }
    return false;
  }
}
