// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  Prospects(AdmissionState state, Shapes shapes) {
    this.state = state;
    this.shapes = shapes;
    this.ledger = state.ledger();
    this.tree = ledger.tree();
  }

  /**
   * Returns whether a head of a tree may be admissible. False only if the root has less free than
   * the smallest request, no queue keeps quota for itself, no queue may preempt, and there are no
   * fillers.
   */
  boolean anybodyIn(int root) {
    if (tree.keepsOrEvictsBelow(root)
        || state.lowestPreemptible() != NOBODY
        || !state.elastic().isEmpty()
        || !state.claims().isEmpty()) {
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
    long[] everything = most(queue, number -> tree.potentiallyAvailable(node, number));
    if (!state.elastic().isEmpty()) {
      return new Prospect(everything, everything, evictsFrom(queue));
    }
    FreeQuota now = ledger.free();
    HeldRoom held = state.plan().heldRoomAlone();
    long[] free =
        most(
            queue,
            number ->
                held == null ? now.available(node, number) : held.most(node, number, now, bound));
    return beside(new Prospect(free, everything, evictsFrom(queue)), queue);
  }

  /**
   * Returns a bound for jobs of a queue that do not preempt.
   *
   * @param amount by number of (flavor, resource)
   */
  public Prospect within(QueueState queue, IntToLongFunction amount) {
    long[] most = most(queue, amount);
    return new Prospect(most, most, NOBODY);
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
   * Returns the lowest priority from which a head of any queue may preempt or take back fillers,
   * whatever the queue's policy.
   */
  public int evictsFrom() {
    boolean anybody = !state.claims().isEmpty() || !state.elastic().isEmpty();
    return anybody ? Integer.MIN_VALUE : above(state.lowestPreemptible());
  }

  private int evictsFrom(QueueState queue) {
    QueuePreemption policy = queue.spec().policies().preemption();
    int from = above(state.lowestPreemptible());
    if (policy.withinClusterQueue() != PreemptionPolicy.NEVER) {
      int lowest = queue.lowestLivePriority();
      boolean equal = policy.withinClusterQueue() != PreemptionPolicy.LOWER_PRIORITY;
      from = Math.min(from, equal ? lowest : above(lowest));
    }
    boolean reclaims = policy.reclaimWithinCohort() != PreemptionPolicy.NEVER;
    boolean anyBorrower = reclaims && borrowers(queue) > 0;
    return anyBorrower || !state.claims().isEmpty() ? Integer.MIN_VALUE : from;
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
