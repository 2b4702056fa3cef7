// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.admission.cycle.isolated.JobRelations.Variant;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.LocalQueueLimits;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The lines that set up objects, fleets and jobs. */
final class ObjectWords {
  private static final String NAMESPACE = "default";
  private static final String PLACED = "placed";
  private final World world;
  private final FleetBuilder fleet = FleetBuilder.fleet();
  private final TreeSet<String> flavors = new TreeSet<>();
  private final Map<String, Integer> priorities =
      new TreeMap<>(Map.of("low", 10, "normal", 100, "high", 1000));

  ObjectWords(World world) {
    this.world = world;
  }

  private void set(QuotaObject object) {
    world.input(new Input.SetObject(object, 1));
  }

  /**
   * {@code slices 4 v6e-16 [prefix] [spot | flex-start | on-demand | reservation NAME] [sought]}.
   * Slices that have to be sought are absent at first.
   */
  void slices(Words words) {
    int count = words.nextInt();
    PodType size = PodType.parse(words.next());
    String prefix = words.more() ? words.next() : "s";
    CapacityType type = CapacityType.RESERVATION;
    Labels labels = Labels.NONE;
    while (words.more()) {
      String word = words.next();
      if (word.equals("sought")) {
        fleet.supply(new Supply(type, false, null, false));
      } else {
        type = capacityType(word);
        labels = ClassWords.labels(type, type == CapacityType.RESERVATION ? words.next() : "");
      }
    }
    fleet.slices(count, prefix, size.type(), size.topology(), type, labels);
    world.input(new Input.SetFleet(fleet.build()));
  }

  /** {@code cubes 4 c [block a] [divisible]}: of TPU7x, c0, c1, ... */
  void cubes(Words words) {
    int count = words.nextInt();
    String prefix = words.next();
    String block = words.accept("block") ? words.next() : null;
    fleet.cubes(count, prefix, block, words.accept("divisible"));
    world.input(new Input.SetFleet(fleet.build()));
  }

  /** {@code missing c0-3 c1-0}: these hosts are not there; {@code missing}: all are. */
  void missing(Words words) {
    List<String> names = new ArrayList<>();
    while (words.more()) {
      names.add(words.next());
    }
    fleet.missing(names.toArray(String[]::new));
    world.input(new Input.SetFleet(fleet.build()));
  }

  void hostOfSlice(String verb, Words words) {
    HostWords.change(fleet, verb, words);
    world.input(new Input.SetFleet(fleet.build()));
  }

  static CapacityType capacityType(String word) {
    return Arrays.stream(CapacityType.values())
        .filter(type -> type.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no capacity type: " + word));
  }

  /** {@code class ladder spot 5m / flex-start 1h cool 10m / reservation R [anyway]}. */
  void computeClass(Words words) {
    set(ClassWords.read(words));
  }

  /** {@code host h1 block b1 rack r1 cpu 4}: in no slice; flavors with a topology offer it. */
  void host(Words words) {
    String name = words.next();
    TreeMap<String, String> labels = new TreeMap<>(Map.of(PLACED, "true"));
    while (!words.accept("cpu")) {
      labels.put(words.next(), words.next());
    }
    fleet.host(name, Labels.of(labels), ResourceName.CPU, amount(words, ResourceName.CPU));
    world.input(new Input.SetFleet(fleet.build()));
  }

  /** {@code topology racks block rack host}: flavors are made {@code by racks}. */
  void topology(Words words) {
    String name = words.next();
    List<String> levels = new ArrayList<>();
    while (words.more()) {
      String level = words.next();
      levels.add(level.equals("host") ? Topology.HOSTNAME : level);
    }
    set(new Topology(ObjectMeta.named(name), levels));
  }

  /** {@code required rack | preferred rack | anywhere} and {@code bundles of 2 in host}. */
  private static TopologyRequest topologyRequest(String word, Words words) {
    String level = word.equals("anywhere") ? null : levelOf(words.next());
    List<Layer> layers = new ArrayList<>();
    while (words.accept("bundles")) {
      words.accept("of");
      int size = words.nextInt();
      words.accept("in");
      layers.add(new Layer(levelOf(words.next()), size));
    }
    return new TopologyRequest(
        word.equals("required") ? level : null,
        word.equals("preferred") ? level : null,
        word.equals("anywhere") && layers.isEmpty(),
        layers);
  }

  private static String levelOf(String word) {
    return word.equals("host") ? Topology.HOSTNAME : word;
  }

  /** {@code flavor spot [offers spot | flex-start | reservation NAME] [label KEY VALUE]}. */
  void flavor(Words words) {
    String name = words.next();
    TreeMap<String, String> labels = new TreeMap<>();
    @Nullable String topology = null;
    while (words.more()) {
      if (words.accept("by")) {
        topology = words.next();
        labels.put(PLACED, "true");
      } else if (words.accept("offers")) {
        CapacityType type = capacityType(words.next());
        String reservation = type == CapacityType.RESERVATION ? words.next() : "";
        labels.putAll(ClassWords.labels(type, reservation).entries());
      } else if (words.accept("label")) {
        labels.put(words.next(), words.next());
      } else {
        throw new IllegalArgumentException("cannot read: " + words.rest());
      }
    }
    flavors.add(name);
    set(
        new ResourceFlavor(
            ObjectMeta.named(name), Labels.of(labels), List.of(), List.of(), topology));
  }

  /** A flavor of the name of an accelerator type offers its slices; any other offers none. */
  private void flavorIfMissing(String name) {
    if (flavors.add(name)) {
      Labels labels =
          AcceleratorCatalogue.BUILT_IN.types().stream()
              .filter(type -> type.name().equals(name))
              .findFirst()
              .map(AcceleratorType::gkeLabel)
              .map(label -> Labels.of(Map.of(FleetBuilder.ACCELERATOR_LABEL, label)))
              .orElse(Labels.NONE);
      set(new ResourceFlavor(ObjectMeta.named(name), labels, List.of(), List.of()));
    }
  }

  /** {@code cohort lab [parent org] [nominal F N [borrow N] [lend N]]...}. */
  void cohort(Words words) {
    ClusterQueueBuilder cohort = ClusterQueueBuilder.named(words.next());
    while (words.more()) {
      if (words.accept("parent")) {
        cohort.cohort(words.next());
      } else {
        quota(words, cohort);
      }
    }
    set(cohort.buildCohort());
  }

  /** {@code nominal F N [borrow N] [lend N]}; {@code cpu} is flavor {@code default}. */
  private void quota(Words words, ClusterQueueBuilder builder) {
    if (!words.accept("nominal")) {
      throw new IllegalArgumentException("cannot read: " + words.rest());
    }
    String flavor = words.next();
    ResourceName resource = resourceOf(flavor);
    String offered = flavor.equals("cpu") ? "default" : flavor;
    flavorIfMissing(offered);
    long nominal = Quantities.parse(words.next(), resource);
    Long borrow = words.accept("borrow") ? amount(words, resource) : null;
    Long lend = words.accept("lend") ? amount(words, resource) : null;
    builder.quota(offered, new ResourceQuota(resource, nominal, borrow, lend));
  }

  private static ResourceName resourceOf(String flavor) {
    boolean accelerator =
        flavor.startsWith("tpu-")
            || AcceleratorCatalogue.BUILT_IN.types().stream()
                .anyMatch(type -> flavor.startsWith(type.name()));
    return accelerator ? ResourceName.TPU : ResourceName.CPU;
  }

  private static Long amount(Words words, ResourceName resource) {
    return Quantities.parse(words.next(), resource);
  }

  /**
   * {@code queue vision [cohort lab] [strict] [held] [within X] [reclaim X] [borrowing lower]
   * [weight 2] [byusage] [planned [3]] [minrun 30m]}.
   */
  void queue(Words words) {
    String name = words.next();
    ClusterQueueBuilder queue = ClusterQueueBuilder.named(name);
    PreemptionPolicy within = PreemptionPolicy.NEVER;
    PreemptionPolicy reclaim = PreemptionPolicy.NEVER;
    PreemptionPolicy borrowing = PreemptionPolicy.NEVER;
    @Nullable Integer threshold = null;
    Duration minRun = Duration.ZERO;
    while (words.more()) {
      if (words.accept("cohort")) {
        queue.cohort(words.next());
      } else if (words.accept("within")) {
        within = policy(words.next());
      } else if (words.accept("reclaim")) {
        reclaim = policy(words.next());
      } else if (words.accept("borrowing")) {
        borrowing = policy(words.next());
        threshold = words.accept("upto") ? priorityOf(words.next()) : null;
      } else if (words.accept("weight")) {
        FairWeight weight = new FairWeight(new BigDecimal(words.next()));
        queue.policies(old -> old.withFairWeight(weight));
      } else if (words.accept("minrun")) {
        minRun = Duration.parse("PT" + words.next());
      } else if (words.accept("byusage")) {
        queue.policies(old -> old.withAdmissionMode(AdmissionMode.BY_USAGE));
      } else if (words.accept("strict")) {
        queue.policies(old -> old.withQueueingStrategy(QueueingStrategy.STRICT_FIFO));
      } else if (words.accept("planned")) {
        Queueing queueing = RankingWords.read(words);
        queue.policies(old -> old.withQueueing(queueing));
      } else if (words.accept("held")) {
        queue.policies(old -> old.withStopPolicy(StopPolicy.HOLD));
      } else if (words.accept("draining")) {
        queue.policies(old -> old.withStopPolicy(StopPolicy.HOLD_AND_DRAIN));
      } else if (words.accept("nextflavor")) {
        FlavorFungibility.Preference usual = FlavorFungibility.DEFAULT.preference();
        queue.policies(old -> old.withFlavorFungibility(new FlavorFungibility(true, true, usual)));
      } else {
        quota(words, queue);
      }
    }
    queue.preemption(new QueuePreemption(within, reclaim, borrowing, threshold, minRun));
    set(queue.build());
    set(new LocalQueue(ObjectMeta.named(NAMESPACE, name), name, StopPolicy.NONE));
  }

  /** {@code half 10s every 1s [weight cpu 2]...}: how the usage of LocalQueues decays. */
  static AdmissionFairSharing decay(Words words) {
    TreeMap<ResourceName, BigDecimal> weights = new TreeMap<>();
    Duration halfLife = Duration.ofHours(1);
    Duration interval = Duration.ofSeconds(1);
    while (words.more()) {
      if (words.accept("half")) {
        halfLife = Duration.parse("PT" + words.next());
      } else if (words.accept("every")) {
        interval = Duration.parse("PT" + words.next());
      } else if (words.accept("weight")) {
        weights.put(new ResourceName(words.next()), new BigDecimal(words.next()));
      } else {
        throw new IllegalArgumentException("cannot read: " + words.rest());
      }
    }
    return new AdmissionFairSharing(halfLife, interval, weights);
  }

  /** {@code localqueue a of vision [weight 2]}. */
  void localQueue(Words words) {
    ObjectMeta meta = ObjectMeta.named(NAMESPACE, words.next());
    words.accept("of");
    LocalQueue queue = new LocalQueue(meta, words.next(), StopPolicy.NONE);
    set(
        words.accept("weight")
            ? queue.withFairWeight(new FairWeight(new BigDecimal(words.next())))
            : queue);
  }

  /** {@code limit vision 2}: running jobs of one submitter; 0 for any number. */
  void limit(Words words) {
    String name = words.next();
    int most = words.nextInt();
    Labels annotations =
        most == 0
            ? Labels.NONE
            : Labels.of(Map.of(LocalQueueLimits.RUNNING_JOBS_ANNOTATION, Integer.toString(most)));
    set(
        new LocalQueue(
            new ObjectMeta(NAMESPACE, name, Labels.NONE, annotations), name, StopPolicy.NONE));
  }

  private static PreemptionPolicy policy(String word) {
    return switch (word) {
      case "lower" -> PreemptionPolicy.LOWER_PRIORITY;
      case "newer" -> PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY;
      case "any" -> PreemptionPolicy.ANY;
      default -> PreemptionPolicy.valueOf(word.toUpperCase(Locale.ROOT));
    };
  }

  /** {@code priority urgent 5000}. */
  void priority(Words words) {
    priorities.put(words.next(), words.nextInt());
  }

  /**
   * {@code starts [blocking] [behind] [base 10s] [most 20s] [limit 2]}; no limit: none is final.
   */
  static StartPolicy starts(Words words) {
    boolean blocking = false;
    boolean behind = false;
    Duration base = StartPolicy.DEFAULT.requeueBase();
    Duration most = StartPolicy.DEFAULT.requeueMax();
    Integer limit = null;
    while (words.more()) {
      switch (words.next()) {
        case "blocking" -> blocking = true;
        case "behind" -> behind = true;
        case "base" -> base = Duration.parse("PT" + words.next());
        case "most" -> most = Duration.parse("PT" + words.next());
        case "limit" -> limit = words.nextInt();
        default -> throw new IllegalArgumentException("cannot read: " + words.rest());
      }
    }
    return new StartPolicy(StartPolicy.DEFAULT.deadline(), blocking, base, most, behind, limit);
  }

  /** {@code prioritize train high [preemptible]}. */
  Input prioritize(Words words) {
    JobId job = world.idOf(words.next());
    String name = words.next();
    WorkloadPriority priority = new WorkloadPriority(priorityOf(name), words.accept("preemptible"));
    return new Input.PrioritizeJob(job, "somebody", name, priority);
  }

  /** {@code timelimit train 30s|none [override]}. */
  Input timeLimit(Words words) {
    JobId job = world.idOf(words.next());
    String limit = words.next();
    return new Input.LimitJob(
        job,
        "somebody",
        limit.equals("none") ? null : Duration.parse("PT" + limit),
        words.accept("override"));
  }

  private int priorityOf(String word) {
    Integer known = priorities.get(word);
    return known == null ? Integer.parseInt(word) : known;
  }

  /** {@code remove ClusterQueue vision}. */
  void remove(Words words) {
    String kind = words.next();
    String name = words.next();
    for (ObjectKind known : ObjectKind.values()) {
      if (known.kind().equals(kind)) {
        String namespace = known.namespaced() ? NAMESPACE : "";
        world.input(new Input.RemoveObject(new ObjectKey(known, namespace, name)));
      }
    }
  }

  /**
   * {@code job train queue vision [priority high] [preemptible] (slices 2 v6e-16 | slices 1..4
   * v6e-16 | cpu 4 [x 3]) [start 60s] [progress 60s [report]] [limit 60s] [failures 2] [array 10
   * [parallel 2]] [class ladder] [by alice] [held] [for train] [variant model spot] [gated]}. Each
   * job is a second younger than the last.
   */
  void job(Words words) {
    String name = words.next();
    int number = world.submitted() + 1;
    WorkloadBuilder job =
        WorkloadBuilder.named(name, number).createdAt(world.clock().now().plusMillis(number));
    int priority = priorityOf("normal");
    boolean preemptible = false;
    boolean held = false;
    while (words.more()) {
      String word = words.next();
      switch (word) {
        case "queue" -> job.queue(NAMESPACE, words.next());
        case "priority" -> priority = priorityOf(words.next());
        case "preemptible" -> preemptible = true;
        case "slices" -> {
          SliceRange slices = slices(words.next());
          PodType size = PodType.parse(words.next());
          job.slices(slices, size.type(), size.topology());
        }
        case "cpu" -> {
          long each = Quantities.parse(words.next(), ResourceName.CPU);
          job.requests(words.accept("x") ? words.nextInt() : 1, ResourceName.CPU, each);
        }
        case "least" -> job.least(words.nextInt());
        case "on" -> {
          String key = words.next();
          job.onNodes(key, List.of(words.next().split(",", -1)));
        }
        case "select", "tolerates" -> HostWords.select(job, word, words);
        case "either" -> job.either(words.next(), words.next());
        case "required", "preferred", "anywhere" -> job.placed(topologyRequest(word, words));
        case "by" -> job.submitter(words.next());
        case "held" -> held = true;
        case "for" ->
            world.relations().succeed(WorkloadBuilder.id(number), world.idOf(words.next()));
        case "variant" -> variant(words, number, job);
        case "gated" -> world.relations().gate(WorkloadBuilder.id(number));
        case "failures" -> job.maxFailures(words.nextInt());
        default -> limits(word, words, job);
      }
    }
    world.submit(job.priority(priority, preemptible).build(), held);
  }

  private void variant(Words words, int number, WorkloadBuilder job) {
    String workload = words.next();
    String flavor = words.next();
    job.onlyFlavor(flavor);
    world.relations().vary(WorkloadBuilder.id(number), new Variant(workload, flavor));
  }

  /** {@code 2}, or {@code 1..4}. */
  private static SliceRange slices(String words) {
    List<String> ends = List.of(words.split("\\.\\.", -1));
    int min = Integer.parseInt(ends.get(0));
    return new SliceRange(min, Integer.parseInt(ends.get(ends.size() - 1)));
  }

  /** How many indices a job has, and how long it may take for what. */
  private static void limits(String word, Words words, WorkloadBuilder job) {
    switch (word) {
      case "array" -> {
        int count = words.nextInt();
        job.array(count, words.accept("parallel") ? words.nextInt() : count);
      }
      case "class" -> job.computeClass(words.next());
      case "headpod" ->
          job.headPod(ResourceName.CPU, Quantities.parse(words.next(), ResourceName.CPU));
      case "start" -> job.startDeadline(Duration.parse("PT" + words.next()));
      case "progress" ->
          job.progressDeadline(Duration.parse("PT" + words.next()), StallPolicy.FAIL);
      case "report" -> job.onStall(StallPolicy.REPORT);
      case "execution" -> job.maximumExecution(Duration.parse("PT" + words.next()));
      case "limit" -> job.timeLimit(Duration.parse("PT" + words.next()));
      default -> throw new IllegalArgumentException("cannot read: " + word);
    }
  }
}
