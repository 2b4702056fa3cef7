// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.JobSpec.PrioritySpec;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SecretKey;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.FlavorAmounts;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.Period;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.FlavorFungibility.Preference;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.Ranking;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects of every kind that a manifest can make, from a seed. */
final class RandomObjects {
  private static final ResourceName[] RESOURCES = {
    ResourceName.CPU, ResourceName.MEMORY, new ResourceName("example.com/licence")
  };

  private static final Labels A_LABEL = Labels.of(Map.of("example.com/pool", "one"));

  private final Random random;

  RandomObjects(long seed) {
    random = new Random(seed);
  }

  QuotaObject quotaObject() {
    return switch (pick(ObjectKind.values())) {
      case RESOURCE_FLAVOR -> {
        String topology = maybe(() -> name("topology"));
        yield new ResourceFlavor(
            meta(""),
            topology == null ? labels(8) : labels(7).with(A_LABEL),
            taints(),
            listOf(8, this::toleration),
            topology);
      }
      case TOPOLOGY -> new Topology(meta(""), levels());
      case COHORT -> {
        String parent = maybe(() -> name("parent"));
        yield new Cohort(meta(""), parent, groups(parent != null, true), fairWeight());
      }
      case CLUSTER_QUEUE -> {
        String cohort = maybe(() -> name("cohort"));
        ClusterQueue queue =
            new ClusterQueue(meta(""), cohort, groups(cohort != null, false), policies());
        yield random.nextBoolean() ? queue : queue.withQueueing(queueing());
      }
      case LOCAL_QUEUE ->
          new LocalQueue(meta("team"), name("queue"), pick(StopPolicy.values()), fairWeight());
      case WORKLOAD_PRIORITY_CLASS ->
          new WorkloadPriorityClass(meta(""), random.nextInt(), pick(HardTexts.ALL));
      case COMPUTE_CLASS -> computeClass();
      case BOOKING -> new Booking(meta(""), name("queue"), period(), amounts(true), names("slice"));
      case OUTAGE -> new Outage(meta(""), period(), amounts(false), names("slice"), names("host"));
      case TEAM -> new RandomTeams(random).team(meta(""));
      case ROLE_BINDING -> new RandomTeams(random).roleBinding(meta(""));
    };
  }

  private Period period() {
    Instant from = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1_000L);
    return new Period(from, from.plusMillis(1 + random.nextInt(1_000_000_000)));
  }

  private List<FlavorAmounts> amounts(boolean all) {
    List<FlavorAmounts> some = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      ResourceList amounts = ResourceList.of(pick(RESOURCES), 1 + random.nextInt(1_000));
      boolean whole = !all && random.nextBoolean();
      some.add(new FlavorAmounts("flavor-" + i, whole ? ResourceList.NONE : amounts));
    }
    return some;
  }

  private List<String> names(String prefix) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < random.nextInt(4); i++) {
      names.add(prefix + "-" + i);
    }
    return names;
  }

  private List<String> levels() {
    List<String> levels = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      levels.add("example.com/level-" + i);
    }
    if (random.nextBoolean()) {
      levels.add(Topology.HOSTNAME);
    }
    return levels;
  }

  /** Read from what may be written, since it keeps more than is understood. */
  private ComputeClass computeClass() {
    List<String> priorities = new ArrayList<>();
    List<String> terms = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      String capacity =
          pick(
              "spot: true",
              "flexStart: {enabled: true, nodeRecycling: {leadTimeSeconds: 3600}}",
              "reservations: {affinity: Specific, specific: [{name: r, project: p}, {name: q}]}",
              "minCores: 4");
      String hardware =
          pick(
              "machineType: ct6e-standard-4t",
              "tpu: {type: tpu-v6e-slice, count: 4, topology: 4x4}",
              "gpu: {type: nvidia-l4, count: 1, driverVersion: latest}",
              "maxRunDurationSeconds: " + (1 + random.nextInt(604_800)));
      priorities.add("{" + capacity + ", " + hardware + ", location: {zones: [z1, z2]}}");
      terms.add(
          "{deadline: %ds, coolDown: %dms, pricePerChipHour: %d.5}"
              .formatted(1 + random.nextInt(9999), 1000 + random.nextInt(9999), random.nextInt(9)));
    }
    String manifest =
        """
        apiVersion: cloud.google.com/v1
        kind: ComputeClass
        metadata:
          name: %s
          annotations: {sluice.io/rungs: '[%s]', sluice.io/defaults: '{%s}'}
        spec:
          priorities: [%s]
          whenUnsatisfiable: %s
          nodePoolConfig: {z: [1, {b: true, a: 1.50}], a: %s}
        """
            .formatted(
                name("class"),
                String.join(", ", terms.subList(random.nextInt(2), terms.size())),
                pick("", "queue: q", "priorityClass: low, selectors: [{capacityType: spot}]"),
                String.join(", ", priorities),
                pick("DoNotScaleUp", "ScaleUpAnyway"),
                pick("x", "'1'", "null"));
    return (ComputeClass) ManifestReader.readQuotaObject(ObjectKind.COMPUTE_CLASS, manifest);
  }

  private FairWeight fairWeight() {
    return new FairWeight(new BigDecimal(pick("0", "1", "0.5", "2", "100")));
  }

  private QueuePolicies policies() {
    boolean borrow = random.nextBoolean();
    boolean preempt = random.nextBoolean();
    PreemptionPolicy reclaim =
        pick(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);
    return new QueuePolicies(
        pick(QueueingStrategy.values()),
        new QueuePreemption(
            pick(
                PreemptionPolicy.NEVER,
                PreemptionPolicy.LOWER_PRIORITY,
                PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY),
            reclaim,
            reclaim == PreemptionPolicy.NEVER
                ? PreemptionPolicy.NEVER
                : pick(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY),
            maybe(random::nextInt)),
        new FlavorFungibility(
            borrow,
            preempt,
            borrow && preempt ? pick(Preference.values()) : Preference.BORROWING_OVER_PREEMPTION),
        pick(StopPolicy.values()),
        maybe(() -> new LabelSelector(labels(3), listOf(3, this::requirement))),
        fairWeight(),
        pick(AdmissionMode.values()));
  }

  private Queueing queueing() {
    Ranking ranking =
        new Ranking(
            pick(0L, 500L, Ranking.DEFAULT.weightMilli(), Ranking.WEIGHT_MILLI_MAX),
            pick(Duration.ZERO, Ranking.DEFAULT.delayMax(), Ranking.DELAY_MAX));
    return new Queueing(pick(Queueing.Mode.values()), pick(1, 2, Queueing.DEPTH_MAX), ranking);
  }

  private LabelSelector.Requirement requirement() {
    LabelSelector.Operator operator =
        pick(
            Stream.of(LabelSelector.Operator.values())
                .filter(any -> !any.comparesNumbers())
                .toArray(LabelSelector.Operator[]::new));
    List<String> values = new ArrayList<>(listOf(2, () -> pick("", "a", "1", "yes")));
    values.add("b");
    return new LabelSelector.Requirement(
        "key", operator, operator.takesValues() ? values : List.of());
  }

  private LabelSelector.Requirement nodeRequirement() {
    LabelSelector.Operator number =
        pick(LabelSelector.Operator.GREATER_THAN, LabelSelector.Operator.LESS_THAN);
    return random.nextBoolean()
        ? requirement()
        : new LabelSelector.Requirement("size", number, List.of(pick("-1", "0", "64")));
  }

  private NodeAffinity affinity() {
    return new NodeAffinity(
            listOf(
                2,
                () -> {
                  List<LabelSelector.Requirement> term = new ArrayList<>();
                  term.add(nodeRequirement());
                  term.addAll(listOf(2, this::nodeRequirement));
                  return term;
                }))
        .choosing(
            listOf(
                2,
                () ->
                    List.of(
                        new LabelSelector.Requirement(
                            pick("rack", SelectedNodes.CAPACITY_TYPE),
                            pick(LabelSelector.Operator.IN, LabelSelector.Operator.NOT_IN),
                            List.of(pick("spot", "on-demand"))))));
  }

  private List<ResourceGroup> groups(boolean hasParent, boolean lendsMore) {
    List<ResourceGroup> groups = new ArrayList<>();
    for (ResourceName resource : RESOURCES) {
      if (random.nextBoolean()) {
        int first = groups.size() * 2;
        groups.add(
            new ResourceGroup(
                List.of(resource),
                List.of(
                    flavor(first, resource, hasParent, lendsMore),
                    flavor(first + 1, resource, hasParent, lendsMore))));
      }
    }
    return groups;
  }

  private FlavorQuotas flavor(
      int number, ResourceName resource, boolean hasParent, boolean lendsMore) {
    long nominal = amount();
    Long borrowing = hasParent ? maybe(this::amount) : null;
    Long lending = hasParent ? maybe(() -> lendsMore ? amount() : nominal / 2) : null;
    return new FlavorQuotas(
        "flavor-" + number, List.of(new ResourceQuota(resource, nominal, borrowing, lending)));
  }

  JobSpec job() {
    AcceleratorRequest accelerator = maybe(this::accelerator);
    int count = 1 + random.nextInt(5);
    List<PodSetSpec> podSets = accelerator == null ? podSets() : List.of(workers(accelerator));
    boolean shrinks = podSets.stream().anyMatch(podSet -> podSet.minCount() != null);
    return new JobSpec(
        meta("team"),
        new JobSpec.Queueing(
            name("queue"),
            new PrioritySpec(maybe(() -> name("class")), maybe(random::nextBoolean)),
            random.nextBoolean()),
        podSets,
        accelerator,
        new JobLimits(
            maybe(() -> Duration.ofMillis(1).plusNanos(random.nextLong(1L << 50))),
            Duration.ofNanos(random.nextLong(3_600_000_000_001L)),
            random.nextInt(1001),
            deadlines(),
            maybe(() -> Duration.ofMillis(1).plusNanos(random.nextLong(1L << 50)))),
        new JobArray(count, 1 + random.nextInt(count)),
        shrinks ? null : maybe(() -> name("class")));
  }

  private AttemptDeadlines deadlines() {
    Duration progress = maybe(() -> Duration.ofSeconds(1).plusNanos(random.nextLong(1L << 50)));
    return new AttemptDeadlines(
        Duration.ofSeconds(1 + random.nextInt(100_000)),
        progress,
        progress == null || random.nextBoolean() ? StallPolicy.FAIL : StallPolicy.REPORT);
  }

  private List<PodSetSpec> podSets() {
    List<PodSetSpec> podSets = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int count = 1 + random.nextInt(2);
      Integer minCount = i == 0 ? maybe(() -> 1 + random.nextInt(count)) : null;
      podSets.add(new PodSetSpec(i == 0 ? "main" : "set-" + i, count, template(), minCount));
    }
    return podSets;
  }

  private AcceleratorRequest accelerator() {
    AcceleratorType type =
        pick(AcceleratorCatalogue.BUILT_IN.types().toArray(AcceleratorType[]::new));
    MachineType machine = pick(type.machineTypes().toArray(MachineType[]::new));
    SliceTopology topology = pick(machine.topologies().toArray(SliceTopology[]::new));
    return new AcceleratorRequest(
        type.name(), topology, slices(), type.hostsPerSlice(topology, machine.name()));
  }

  private SliceRange slices() {
    int min = 1 + random.nextInt(3);
    int max = min + random.nextInt(3);
    return random.nextBoolean()
        ? new SliceRange(min, max)
        : new SliceRange(min, max, Duration.ofSeconds(random.nextInt(1_000)));
  }

  private PodSetSpec workers(AcceleratorRequest request) {
    PodTemplate template = template();
    ResourceList chips =
        ResourceList.of(ResourceName.TPU, request.topology().chips() / request.hostsPerSlice());
    return new PodSetSpec(
        "workers",
        request.slices().max() * request.hostsPerSlice(),
        template.withRequests(template.requests().plus(chips)));
  }

  private PodTemplate template() {
    String image = maybe(() -> "registry.example.com/" + name("image"));
    List<String> command = new ArrayList<>();
    if (image == null || random.nextBoolean()) {
      command.add("./run");
      command.addAll(listOf(4, () -> pick(HardTexts.ALL)));
    }
    TreeMap<String, String> environment = new TreeMap<>();
    listOf(4, () -> environment.put("E" + random.nextInt(100), pick(HardTexts.ALL)));
    return new PodTemplate(
        image,
        command,
        Labels.of(environment),
        random.nextInt(3) == 0
            ? new TreeMap<>(Map.of("S", new SecretKey(name("secret"), "a_key")))
            : Collections.emptySortedMap(),
        resources(),
        labels(3),
        listOf(3, this::toleration),
        affinity());
  }

  /**
   * A fleet of any labels, capacities and order, so mostly one that only the expanded form says.
   */
  Fleet fleet() {
    List<Host> hosts = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      AcceleratorRequest shape = accelerator();
      List<String> names = new ArrayList<>();
      for (int worker = 0; worker < Math.min(shape.hostsPerSlice(), 20); worker++) {
        names.add("s" + i + "-" + worker);
        hosts.add(new Host("s" + i + "-" + worker, labels(2), resources()));
      }
      slices.add(
          new Slice(
              "s" + i,
              shape.type(),
              shape.topology(),
              pick(CapacityType.values()),
              labels(2),
              names));
    }
    listOf(3, () -> hosts.add(new Host("loose-" + hosts.size(), labels(2), resources(), taints())));
    Collections.shuffle(hosts, random);
    List<Supply> supplies = new ArrayList<>();
    for (CapacityType type : CapacityType.values()) {
      if (random.nextInt(4) == 0) {
        supplies.add(
            new Supply(
                type,
                random.nextBoolean(),
                maybe(() -> Duration.ofMillis(random.nextInt(10_000_000))),
                random.nextBoolean()));
      }
    }
    return new Fleet(pick(ExecutorKind.values()), hosts, slices, supplies);
  }

  private ObjectMeta meta(String namespace) {
    TreeMap<String, String> annotations = new TreeMap<>();
    listOf(3, () -> annotations.put("example.com/" + random.nextInt(10), pick(HardTexts.ALL)));
    return new ObjectMeta(
        namespace.isEmpty() ? "" : namespace + random.nextInt(10),
        name("object"),
        labels(3),
        Labels.of(annotations));
  }

  private String name(String stem) {
    return pick("", "1.", "x.y.") + stem + "-" + random.nextInt(100);
  }

  private Labels labels(int countMax) {
    TreeMap<String, String> labels = new TreeMap<>();
    for (int i = random.nextInt(countMax + 1); i > 0; i--) {
      labels.put(
          pick("a", "example.com/b", "C_d.e") + i,
          pick("", "v", "true", "4x4", "1.10", "on", "1e3"));
    }
    return Labels.of(labels);
  }

  private List<Taint> taints() {
    int[] number = {0};
    return listOf(
        4, () -> new Taint("t" + number[0]++, pick("", "v", "1"), pick(Taint.Effect.values())));
  }

  private Toleration toleration() {
    Taint.Effect effect = maybe(() -> pick(Taint.Effect.values()));
    return random.nextBoolean()
        ? new Toleration(pick("", "key"), Toleration.Operator.EXISTS, "", effect)
        : new Toleration("key", Toleration.Operator.EQUAL, pick("", "v", "1"), effect);
  }

  private ResourceList resources() {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    listOf(3, () -> amounts.put(pick(RESOURCES), amount() >>> 24));
    return new ResourceList(amounts);
  }

  private long amount() {
    return (random.nextLong() >>> 1) >>> random.nextInt(63);
  }

  private <T> List<T> listOf(int countMax, Supplier<T> make) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(countMax + 1); i > 0; i--) {
      list.add(make.get());
    }
    return list;
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> @Nullable T maybe(Supplier<T> make) {
    return random.nextBoolean() ? make.get() : null;
  }
}
