// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.preview.Alternative;
import io.sluice.admission.preview.AlternativeSearch;
import io.sluice.admission.preview.ChangeSearch;
import io.sluice.admission.preview.Competitors;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Runs scenario text, line by line:
 *
 * <pre>
 * sharing fair | rule single                      before all else: how the engine decides
 * starts blocking | starts base 10s most 20s limit 2  what is done about those that have not
 * exact  ends                                     attempts start and end in time: no allowances
 * usage  half 10s every 1s weight cpu 2           how usage decays; of queues that are "byusage"
 * localqueue a of vision weight 2                 a door to a queue, beside that of its name
 * order  vision a1 b1                             the pending jobs of a queue as they are served
 * slices 4 v6e-16                                 a fleet; slices are s1, s2, ...
 * cubes  4 c block a divisible                    cubes of TPU7x, c0, c1, ...
 * missing c0-3                                    that host is not there; nothing: all are
 * label  s1-0 pool a | taint s1-0 team red        a label, a taint of a host of a slice
 * job    train queue vision slices 1 v6e-16 select pool a tolerates team red
 * host   h1 rack r1 cpu 4                         a host in no slice
 * topology racks rack host | flavor near by racks  pods of the flavor are placed by it
 * job    train queue vision cpu 2 x 4 required rack bundles of 2 in host | anywhere
 * flavor spot label gke-spot true                 else a flavor is made when a queue names it
 * cohort lab parent org nominal cpu 8             cohorts are made when named, too
 * queue  vision cohort lab nominal v6e 32 borrow 16 lend 8 reclaim any within lower
 * job    train queue vision priority high slices 2 v6e-16 | slices 1..4 v6e-16
 * round | cycle                                   the latter alone, under rule single
 * expect train claims s1 s2; sweep preempted for train
 * progress train | checkpoint train               it came on; it saved where it had come to
 * older finished train                            the generation before the present one says so
 * fail   h s1                                     a host of a slice fails
 * started train | finished train | failed train | drained sweep | cancel train | wait 30s
 * lost sweep                                       an administrator confirms that it is gone
 * hold train [leaving] | release train            and of a job: held, by alice
 * prioritize train high [preemptible]             another priority class, by alice
 * timelimit train 30s|none [override]             another time limit, by alice
 * headstart train 10m                             counts as queued ten minutes earlier
 * job    t2 queue vision cpu 4 for train           single cycles: it takes train's place
 * job    t2 queue vision cpu 4 variant model spot  single cycles: of several, that on this flavor
 * migrate vision spot                             the last flavor that makes variants go
 * limit vision 2                                  running jobs of one submitter; none: 0
 * why    train QUOTA_IN_USE sweep                 the blocker, and who is in the way
 * change train add quota 16 v6e google.com/tpu; add slices 1 v6e   all that would start it
 * class  ladder spot 5m / flex-start max 168h       a compute class; jobs name it
 * grant  train 1 s1 | refuse train 1              a provider answers for the job's first rung
 * reclaim s1 30s | reclaim s1 | return s1         it takes a slice back, with or without notice
 * booking b of vision in 100s for 50s cpu 4 slices s1   kept for the queue
 * outage o in 100s for 50s flavor spot hosts s1-0   absent for all
 * used   spot 0                                   chips that are used of a flavor
 * preview queue vision nominal v6e 16             what such a line would change; it is not done
 * expect nap gains; low evicted for nap; low waits QUOTA_IN_USE; queue vision over 16: sweep
 * </pre>
 *
 * <p>Every {@code expect} names all that the last round decided or the last preview found, in any
 * order; {@code expect nothing} that it was nothing.
 */
public final class ScenarioRunner {
  private World world = new World();
  private ObjectWords objects = new ObjectWords(world);
  private List<String> told = List.of();

  /** The engine that the text set up. */
  public World world() {
    return world;
  }

  /**
   * Runs the text.
   *
   * @throws AssertionError naming the line that came out otherwise or cannot be read
   */
  public void run(String text) {
    String[] lines = text.split("\n", -1);
    for (int number = 1; number <= lines.length; number++) {
      String line = lines[number - 1].replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        try {
          run(new Words(line));
        } catch (RuntimeException | AssertionError failure) {
          throw new AssertionError(
              "line " + number + ": " + line + "\n" + failure.getMessage(), failure);
        }
      }
    }
  }

  private void run(Words words) {
    String verb = words.next();
    EnginePolicy policy = world.state().policy();
    switch (verb) {
      case "sharing" -> begin(policy.withFairSharing(FairSharing.DEFAULT), words);
      case "rule" -> begin(policy.withCycle(CycleRule.SINGLE), words);
      case "usage" -> begin(policy.withAdmissionFairSharing(ObjectWords.decay(words)), words);
      case "exact" -> begin(policy.withEnds(EndAllowances.NONE), words);
      case "starts" -> begin(policy.withStarts(ObjectWords.starts(words)), words);
      case "localqueue" -> objects.localQueue(words);
      case "cubes" -> objects.cubes(words);
      case "label", "taint" -> objects.hostOfSlice(verb, words);
      case "missing" -> objects.missing(words);
      case "slices" -> objects.slices(words);
      case "host" -> objects.host(words);
      case "topology" -> objects.topology(words);
      case "flavor" -> objects.flavor(words);
      case "cohort" -> objects.cohort(words);
      case "queue" -> objects.queue(words);
      case "priority" -> objects.priority(words);
      case "class" -> objects.computeClass(words);
      case "booking" -> set(DatedWords.booking(words, world.clock().now()));
      case "outage" -> set(DatedWords.outage(words, world.clock().now()));
      case "limit" -> objects.limit(words);
      case "job" -> objects.job(words);
      case "remove" -> objects.remove(words);
      case "round" -> told = told(world.round());
      case "cycle" -> told = told(world.cycle());
      case "wait" -> advance(words);
      case "preview" -> preview(words);
      case "order" -> order(words);
      case "used" -> used(words);
      case "failures" -> failures(words);
      case "expect" -> expect(words.rest());
      case "why" -> why(words);
      case "change" -> change(words);
      case "instead" -> instead(words);
      default -> runInput(verb, words);
    }
  }

  /** What providers, executors and users say of jobs and slices. */
  private void runInput(String verb, Words words) {
    switch (verb) {
      case "grant" -> grant(words);
      case "refuse" -> world.input(new Input.RefuseSlices(rung(words)));
      case "reclaim" -> reclaim(words);
      case "return" -> world.input(new Input.ReturnSlice(words.next()));
      case "fail" -> fail(words);
      case "unreached" -> unreached(words);
      case "started", "progress", "checkpoint", "finished", "failed", "drained" ->
          report(words, kind(verb), 0);
      case "older" -> report(words, kind(words.next()), 1);
      case "lost" -> lost(words.next());
      case "cancel" -> world.input(new Input.CancelJob(world.idOf(words.next()), "somebody"));
      case "hold" -> hold(words);
      case "release" -> world.input(new Input.ReleaseJob(world.idOf(words.next()), "somebody"));
      case "prioritize" -> world.input(objects.prioritize(words));
      case "timelimit" -> world.input(objects.timeLimit(words));
      case "headstart" -> world.input(headStart(words));
      case "migrate" -> world.relations().migrateUpTo(words.next(), words.next());
      default -> throw new IllegalArgumentException("no such verb: " + verb);
    }
  }

  private void set(QuotaObject object) {
    world.input(new Input.SetObject(object, 1));
  }

  private void advance(Words words) {
    world.clock().advance(Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT)));
  }

  private static AttemptReport.Kind kind(String word) {
    return AttemptReport.Kind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private void fail(Words words) {
    String host = words.next();
    world.input(Input.ReclaimSlice.ofFailedHost(words.next(), host));
  }

  private void lost(String name) {
    JobEntry job = world.job(name);
    if (job == null) {
      throw new AssertionError("job " + name + " has ended");
    }
    AttemptKey attempt = new AttemptKey(job.id(), 0, job.attempts(0));
    world.input(new Input.ConfirmLost(attempt, "somebody"));
  }

  private void hold(Words words) {
    JobId job = world.idOf(words.next());
    world.input(new Input.HoldJob(job, "somebody", words.accept("leaving")));
  }

  /** {@code unreached (default) far}: these clusters; {@code unreached}: none. */
  private void unreached(Words words) {
    List<String> clusters = new ArrayList<>();
    while (words.more()) {
      clusters.add(words.next());
    }
    world.input(new Input.SetFleet(world.state().fleet().unreached(clusters)));
  }

  private void begin(EnginePolicy policy, Words words) {
    words.rest();
    world = new World(policy);
    objects = new ObjectWords(world);
  }

  private void order(Words words) {
    QueueState queue = world.state().queue(words.next());
    assertThat(queue).isNotNull();
    if (queue != null) {
      List<JobEntry> pending = queue.pending().inOrder();
      String order = pending.stream().map(job -> job.workload().name()).collect(joining(" "));
      assertThat(order).isEqualTo(words.rest());
      for (JobEntry job : pending) {
        assertThat(queue.countBefore(job)).as("before %s", job).isEqualTo(pending.indexOf(job));
      }
    }
  }

  private void report(Words words, AttemptReport.Kind kind, int older) {
    while (words.more()) {
      String name = words.next();
      int bracket = name.indexOf('[');
      if (bracket < 0) {
        world.report(name, 0, kind, older);
      } else {
        int index = Integer.parseInt(name.substring(bracket + 1, name.length() - 1));
        world.report(name.substring(0, bracket), index, kind, older);
      }
    }
  }

  private void expect(String statements) {
    List<String> wanted =
        statements.equals("nothing")
            ? List.of()
            : Arrays.stream(statements.split(";", -1)).map(String::strip).toList();
    assertThat(told).containsExactlyInAnyOrderElementsOf(wanted);
  }

  private List<String> told(List<Event> events) {
    List<String> statements = new ArrayList<>();
    for (Event event : events) {
      String statement = event.fold(new EventWords(world));
      if (!statement.isEmpty()) {
        statements.add(statement);
      }
    }
    return statements;
  }

  /** Reads a line as if it were to be done; what it would bring in is only previewed. */
  private void preview(Words words) {
    assertThat(world.takeBack()).as("what waits for a round").isEmpty();
    run(words);
    told = PreviewWords.of(world, world.takeBack());
  }

  private void why(Words words) {
    String name = words.next();
    JobEntry job = world.job(name);
    if (job == null) {
      throw new AssertionError("job " + name + " has ended");
    }
    Explanation explanation = new Explainer(world.state()).explain(job).orElseThrow();
    List<String> told = new ArrayList<>();
    told.add(explanation.blocker().name());
    explanation.inTheWay().first().forEach(holder -> told.add(holder.name()));
    assertThat(String.join(" ", told)).isEqualTo(words.rest());
    assertThat(ExplanationSentence.of(explanation)).doesNotContain("null", "%");
  }

  /** {@code change night add quota 80 v6e google.com/tpu; add slices 5 v6e}, or a verdict. */
  private void change(Words words) {
    JobEntry job = world.job(words.next());
    if (job == null) {
      throw new AssertionError("the job has ended");
    }
    SmallestChange change =
        new ChangeSearch(Competitors.of(world.state(), job), world.state().policy(), () -> true)
            .find();
    List<String> told = new ArrayList<>();
    for (SmallestChange.Part part : change.parts()) {
      String kind = part.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      told.add(
          part.kind() == SmallestChange.Kind.ADD_QUOTA
              ? "%s %s %s %s"
                  .formatted(
                      kind,
                      Quantities.format(part.amount(), part.resource()),
                      part.subject(),
                      part.resource())
              : "%s %d %s".formatted(kind, part.amount(), part.subject()));
    }
    String verdict = change.verdict().name().toLowerCase(Locale.ROOT);
    assertThat(told.isEmpty() ? verdict : String.join("; ", told)).isEqualTo(words.rest());
  }

  /** {@code instead night limit 600s; 2 slices; priority high}, or {@code nothing}. */
  private void instead(Words words) {
    JobEntry job = world.job(words.next());
    if (job == null) {
      throw new AssertionError("the job has ended");
    }
    Competitors competitors = Competitors.of(world.state(), job);
    List<String> told = new ArrayList<>();
    for (Alternative one :
        new AlternativeSearch(competitors, world.state().policy(), world.clock().now(), () -> true)
            .find()) {
      if (one instanceof Alternative.ShorterLimit shorter) {
        told.add("limit " + shorter.limit().toSeconds() + "s");
      } else if (one instanceof Alternative.FewerSlices fewer) {
        told.add(fewer.slices() + " slices");
      } else if (one instanceof Alternative.OtherComputeClass other) {
        told.add(other.className() == null ? "no class" : "class " + other.className());
      } else if (one instanceof Alternative.HigherPriority higher) {
        told.add("priority " + higher.className());
      }
    }
    assertThat(told.isEmpty() ? "nothing" : String.join("; ", told)).isEqualTo(words.rest());
  }

  private RungKey rung(Words words) {
    JobId job = world.idOf(words.next());
    return new RungKey(job, words.nextInt() - 1);
  }

  private void grant(Words words) {
    RungKey rung = rung(words);
    world.input(new Input.GrantSlices(rung, List.of(words.rest().split(" "))));
  }

  private void reclaim(Words words) {
    String slice = words.next();
    Duration notice =
        words.more() ? Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT)) : Duration.ZERO;
    world.input(new Input.ReclaimSlice(slice, notice));
  }

  /** Chips of a flavor that all queues together hold or claim. */
  private void used(Words words) {
    String flavor = words.next();
    QuotaLedger ledger = world.state().ledger();
    int number = ledger.tree().flavorResources().find(flavor, ResourceName.TPU);
    long held = 0;
    long promised = 0;
    for (QueueState queue : world.state().queues()) {
      held += ledger.held().used(queue.node(), number);
      promised += ledger.promised().used(queue.node(), number);
    }
    long wanted = words.nextInt();
    assertThat(held).as("held").isEqualTo(wanted);
    assertThat(promised).as("promised").isEqualTo(wanted);
  }

  private void failures(Words words) {
    JobEntry job = world.job(words.next());
    assertThat(job).isNotNull();
    assertThat(job == null ? -1 : job.failures(0)).isEqualTo(words.nextInt());
  }

  /** {@code headstart train 10m}. */
  private Input headStart(Words words) {
    JobId job = world.idOf(words.next());
    Duration time = Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT));
    return new Input.GiveHeadStart(job, "somebody", time, "it will be late");
  }
}
