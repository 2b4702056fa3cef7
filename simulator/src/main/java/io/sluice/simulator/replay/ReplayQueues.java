// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The quota objects of a replay: one flavor, and one ClusterQueue or one for each team. */
final class ReplayQueues {
  /** The resource that jobs request. */
  static final ResourceName DEVICE = new ResourceName("replay/device");

  private static final String FLAVOR = "devices";
  private static final String NAMESPACE = "replay";
  private static final String COHORT = "all";

  private final List<QuotaObject> objects = new ArrayList<>();
  private final Map<String, QueueKey> queueOfTeam = new TreeMap<>();
  private final @Nullable QueueKey common;

  ReplayQueues(Trace trace, ReplaySetup setup) {
    objects.add(new ResourceFlavor(ObjectMeta.named(FLAVOR), Labels.NONE, List.of(), List.of()));
    QueuePolicies policies = setup.policy().queuePolicies(setup.planned());
    if (!setup.teamQuota()) {
      common = add("queue", null, setup.devices(), policies);
      return;
    }
    common = null;
    shares(trace, setup.devices())
        .forEach(
            (team, devices) ->
                queueOfTeam.put(
                    team, add("team-" + queueOfTeam.size(), COHORT, devices, policies)));
  }

  private QueueKey add(String name, @Nullable String cohort, long devices, QueuePolicies policies) {
    ResourceGroup group =
        new ResourceGroup(
            List.of(DEVICE),
            List.of(new FlavorQuotas(FLAVOR, List.of(ResourceQuota.nominal(DEVICE, devices)))));
    objects.add(new ClusterQueue(ObjectMeta.named(name), cohort, List.of(group), policies));
    LocalQueue local = new LocalQueue(ObjectMeta.named(NAMESPACE, name), name, StopPolicy.NONE);
    objects.add(local);
    return local.queueKey();
  }

  /** Returns the objects, each after those that it names. */
  List<QuotaObject> objects() {
    return objects;
  }

  /** Returns the LocalQueue of a team. */
  QueueKey of(String team) {
    return common == null ? Objects.requireNonNull(queueOfTeam.get(team)) : common;
  }

  /**
   * Divides devices among teams by their device-time. Each team gets its share rounded down; the
   * teams with the largest remainders get one more (Hamilton's method).
   */
  static Map<String, Long> shares(Trace trace, int devices) {
    Map<String, BigInteger> work = new TreeMap<>();
    BigInteger total = BigInteger.ZERO;
    for (TraceJob job : trace.jobs()) {
      BigInteger its =
          BigInteger.valueOf(job.durationSeconds()).multiply(BigInteger.valueOf(job.devices()));
      work.merge(job.team(), its, BigInteger::add);
      total = total.add(its);
    }
    Map<String, Long> shares = new TreeMap<>();
    Map<String, BigInteger> remainders = new TreeMap<>();
    long left = devices;
    for (Map.Entry<String, BigInteger> team : work.entrySet()) {
      BigInteger[] parts =
          team.getValue().multiply(BigInteger.valueOf(devices)).divideAndRemainder(total);
      shares.put(team.getKey(), parts[0].longValueExact());
      remainders.put(team.getKey(), parts[1]);
      left -= parts[0].longValueExact();
    }
    remainders.entrySet().stream()
        .sorted(Map.Entry.<String, BigInteger>comparingByValue(Comparator.reverseOrder()))
        .limit(left)
        .forEach(team -> shares.merge(team.getKey(), 1L, Long::sum));
    return shares;
  }
}
