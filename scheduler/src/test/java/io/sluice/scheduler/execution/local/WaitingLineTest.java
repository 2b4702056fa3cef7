// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WaitingLineTest {
  private static final LoopbackAddresses ADDRESSES = new LoopbackAddresses("any");

  private static final int PROCESSES_MAX = 6;
  private static final Map<String, String> SSD = Map.of("disk", "ssd");

  private final AtomicReference<Fleet> fleet =
      new AtomicReference<>(
          Launches.hosts(Launches.host("a", 4, Map.of()), Launches.host("b", 4, SSD)));
  private final PodPlanner planner =
      new PodPlanner(StandardCharsets.UTF_8, AcceleratorCatalogue.BUILT_IN, ADDRESSES);
  private final WaitingLine line =
      new WaitingLine(
          new LocalExecutorSettings(
              Path.of("unused"), fleet::get, PROCESSES_MAX, 100, 1, 1, Duration.ZERO),
          planner,
          new ContainerProcesses(false, planner, ADDRESSES),
          new Rendezvous(ADDRESSES, true));

  private LocalAttempt join(Launches wanted) throws CannotStartException {
    LocalAttempt attempt = new LocalAttempt(wanted.launch());
    line.join(attempt);
    return attempt;
  }

  private List<LocalAttempt> advance() {
    List<WaitingLine.Next> next = line.advance();
    next.forEach(one -> one.attempt().starting(one.pods()));
    return next.stream().map(WaitingLine.Next::attempt).toList();
  }

  private static Launches cpus(int pods, long cpus) {
    return Launches.of("true").pods(pods).cpus(cpus);
  }

  @Test
  void whoComesLaterDoesNotPassWhoeverCouldUseTheSameHosts() throws Exception {
    LocalAttempt first = join(cpus(1, 4));
    assertThat(advance()).containsExactly(first);
    LocalAttempt second = join(cpus(2, 3));
    LocalAttempt third = join(cpus(1, 1));
    assertThat(advance()).as("the third would fit on b").isEmpty();

    line.vacate(first);

    assertThat(advance()).containsExactly(second, third);
  }

  @Test
  void whoUsesOtherHostsPasses() throws Exception {
    LocalAttempt first = join(cpus(1, 4).nodeSelector(SSD));
    LocalAttempt second = join(cpus(1, 1).nodeSelector(SSD));
    LocalAttempt third = join(cpus(1, 4));

    assertThat(advance()).containsExactly(first, third);
    line.vacate(first);
    assertThat(advance()).containsExactly(second);
  }

  @Test
  void attemptsWithSlicesDoNotWaitForHosts() throws Exception {
    Fleet slices = Launches.slicesOfFour("s");
    List<Host> hosts = new ArrayList<>(slices.hosts());
    hosts.add(Launches.host("a", 4, Map.of()));
    hosts.add(Launches.host("b", 4, SSD));
    fleet.set(new Fleet(ExecutorKind.LOCAL, hosts, slices.slices()));
    LocalAttempt first = join(cpus(2, 4));
    join(cpus(1, 1));
    LocalAttempt sliced = join(Launches.of("true").slices("s").pods(4));

    assertThat(advance()).containsExactly(first, sliced);
  }

  @Test
  void nobodyPassesWhoeverLacksProcesses() throws Exception {
    fleet.set(Fleet.EMPTY);
    LocalAttempt first = join(cpus(4, 1));
    LocalAttempt second = join(cpus(3, 1));
    LocalAttempt third = join(cpus(1, 1));
    assertThat(advance()).containsExactly(first);

    line.vacate(first);

    assertThat(advance()).containsExactly(second, third);
  }

  @Test
  void aSliceThatWentMeanwhileIsARefusalAndOccupiesNothing() throws Exception {
    fleet.set(Launches.slicesOfFour("s"));
    LocalAttempt sliced = join(Launches.of("true").slices("s").pods(4));
    fleet.set(Fleet.EMPTY);

    List<WaitingLine.Next> next = line.advance();

    assertThat(next).extracting(WaitingLine.Next::attempt).containsExactly(sliced);
    assertThat(next.get(0).refusal()).isEqualTo("slice s is not in the fleet");
    LocalAttempt full = join(cpus(PROCESSES_MAX, 1));
    assertThat(advance()).containsExactly(full);
  }

  @Test
  void aHostThatShrinksUnderItsPodsTakesNoneUntilTheyEnd() throws Exception {
    LocalAttempt first = join(cpus(1, 4));
    assertThat(advance()).containsExactly(first);
    fleet.set(Launches.hosts(Launches.host("a", 2, Map.of())));
    LocalAttempt second = join(cpus(1, 1));
    assertThat(advance()).isEmpty();

    line.vacate(first);

    assertThat(advance()).containsExactly(second);
  }
}
