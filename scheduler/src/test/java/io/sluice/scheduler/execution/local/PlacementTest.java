// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacementTest {
  private static final Map<String, String> SSD = Map.of("disk", "ssd");

  private final LocalServer server;

  PlacementTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary, PlacementTest::fewProcesses);
    server.fleet.set(
        Launches.hosts(
            Launches.host("small", 2, Map.of()),
            Launches.host("large", 4, SSD),
            Launches.host("last", 2, Map.of())));
  }

  private static LocalExecutorSettings fewProcesses(LocalExecutorSettings usual) {
    return new LocalExecutorSettings(
        usual.directory(),
        usual.fleet(),
        10,
        4,
        usual.logBytesMax(),
        usual.loggedAttemptsMax(),
        usual.closeGrace());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Launch running(Launches wanted) {
    Launch launch = wanted.launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    return launch;
  }

  private void drain(Launch launch) {
    server.stop(launch, Duration.ofSeconds(20));
    server.await(launch, Kind.DRAINED);
  }

  @Test
  void whatRunsOnAHostThatFailsIsKilledAndNothingIsPlacedThereBeforeItIsBack() {
    Launch lost =
        running(Launches.sh("trap : TERM; echo pid $$; while :; do sleep 1; done").cpus(2));
    String pid = server.printed(lost, "pid ");
    Launch kept = running(printingHost().cpus(2));

    server.executor.hostsFailed(Set.of("small", "last"));

    server.await(lost, Kind.DRAINED);
    assertThat(server.kinds(lost)).containsExactly(Kind.STARTED, Kind.FAILED, Kind.DRAINED);
    assertThat(server.await(lost, Kind.FAILED).cause()).isEqualTo(FailureCause.HOST_LOST);
    assertThat(server.await(lost, Kind.FAILED).message()).isEqualTo("host small has failed");
    assertThat(LocalServer.alive(pid)).isFalse();
    Launch next = running(printingHost().cpus(2));
    Launch waits = printingHost().cpus(2).launch();
    server.start(waits);
    settle();
    assertThat(hosts(kept)).containsExactly("large");
    assertThat(hosts(next)).containsExactly("large");
    assertThat(server.kinds(waits)).isEmpty();

    server.executor.hostsFailed(Set.of("small"));
    server.await(waits, Kind.STARTED);
    assertThat(hosts(waits)).containsExactly("last");
  }

  /** Returns when the executor has dealt with all that was asked before. */
  private void settle() {
    Launch unknown = Launches.of("x").launch();
    server.stop(unknown, Duration.ZERO);
    server.await(unknown, Kind.DRAINED);
  }

  private List<String> hosts(Launch launch) {
    List<String> hosts = new ArrayList<>();
    for (String pod : server.executor.logs().pods(launch.attempt())) {
      LocalServer.until("host of " + pod, () -> !server.log(launch.attempt(), pod).isEmpty());
      hosts.add(server.log(launch.attempt(), pod).strip());
    }
    return hosts;
  }

  private static Launches printingHost() {
    return Launches.sh("echo $SLUICE_HOST; exec sleep 60");
  }

  @Test
  void podsTakeTheFirstHostsWithRoom() {
    Launch first = running(printingHost().pods(4).cpus(1));
    assertThat(hosts(first)).containsExactly("small", "small", "large", "large");

    Launch second = running(printingHost().pods(2).cpus(2));
    assertThat(hosts(second)).containsExactly("large", "last");
  }

  @Test
  void aNodeSelectorIsRespected() {
    Launch launch = running(printingHost().pods(2).cpus(1).nodeSelector(SSD));

    assertThat(hosts(launch)).containsExactly("large", "large");
  }

  @Test
  void anAttemptWaitsForAllItsRoom() {
    Launch first = running(printingHost().pods(3).cpus(2));
    Launch second = Launches.sh("true").pods(2).cpus(2).launch();
    server.start(second);
    settle();
    assertThat(server.kinds(second)).isEmpty();

    drain(first);

    server.await(second, Kind.FINISHED);
    assertThat(server.reports)
        .extracting(AttemptReport::attempt, AttemptReport::kind)
        .containsSubsequence(
            tuple(first.attempt(), Kind.DRAINED), tuple(second.attempt(), Kind.STARTED));
  }

  @Test
  void whoUsesOtherHostsThanTheWaitingOnesPasses() {
    running(printingHost().pods(2).cpus(2).nodeSelector(SSD));
    Launch waiting = Launches.sh("true").cpus(1).nodeSelector(SSD).launch();
    server.start(waiting);

    server.finish(Launches.sh("true").cpus(2).launch());

    assertThat(server.kinds(waiting)).isEmpty();
  }

  @Test
  void aWaitingAttemptCanBeStopped() {
    running(printingHost().pods(3).cpus(2));
    Launch waiting = Launches.sh("true").pods(4).cpus(2).launch();
    server.start(waiting);

    drain(waiting);

    assertThat(server.kinds(waiting)).containsExactly(Kind.DRAINED);
  }

  @Test
  void whatCouldNeverFitFailsToStartAndSaysWhatItWanted() {
    Launch launch = Launches.sh("true").pods(3).cpus(3).nodeSelector(SSD).launch();
    server.start(launch);

    server.await(launch, Kind.DRAINED);

    AttemptReport failed = server.await(launch, Kind.FAILED);
    assertThat(failed.cause()).isEqualTo(FailureCause.START_FAILED);
    assertThat(failed.message())
        .contains("even if nothing else runs there")
        .contains("3 x main (cpu: 3, node selector {disk=ssd})");
  }

  @Test
  void roomThatAChangeOfTheFleetBringsIsUsed() {
    running(printingHost().pods(3).cpus(2));
    Launch waiting = Launches.sh("echo $SLUICE_HOST").cpus(3).launch();
    server.start(waiting);
    settle();
    assertThat(server.kinds(waiting)).isEmpty();

    server.fleet.set(
        Launches.hosts(Launches.host("small", 1, Map.of()), Launches.host("new", 8, Map.of())));

    server.await(waiting, Kind.FINISHED);
    assertThat(hosts(waiting)).containsExactly("new");
  }

  @Test
  void withoutHostsOutsideOfSlicesThereIsOneThatFitsAnything() {
    server.fleet.set(Launches.slicesOfFour("s1"));

    Launch launch = running(printingHost().pods(2).cpus(1000).nodeSelector(SSD));

    assertThat(hosts(launch)).containsExactly("local", "local");
  }

  @Test
  void beyondTheMostProcessesAttemptsWait() {
    server.fleet.set(Fleet.EMPTY);
    Launch first = running(Launches.sh("sleep 60").pods(8));
    Launch second = Launches.sh("true").pods(5).launch();
    server.start(second);
    settle();
    assertThat(server.kinds(second)).isEmpty();
    Launch tooMany = Launches.sh("true").pods(11).launch();
    server.start(tooMany);
    server.await(tooMany, Kind.DRAINED);
    assertThat(server.await(tooMany, Kind.FAILED).message())
        .isEqualTo("it has 11 pods; the local executor runs at most 10 at once");

    drain(first);

    server.await(second, Kind.FINISHED);
  }

  @Test
  void noMoreThanSoManyAttemptsWait() {
    running(printingHost().pods(3).cpus(2));
    List<Launch> waiting =
        IntStream.range(0, 5)
            .mapToObj(number -> Launches.sh("true").pods(3).cpus(2).launch())
            .toList();
    waiting.forEach(server::start);

    AttemptReport failed = server.await(waiting.get(4), Kind.FAILED);

    assertThat(failed.message())
        .isEqualTo("already 4 attempts wait for room in the local executor");
    settle();
    assertThat(waiting.subList(0, 4)).allMatch(launch -> server.kinds(launch).isEmpty());
  }

  @Test
  void hostsOfSlicesTakeNoOtherPods() {
    List<Host> hosts = new ArrayList<>(Launches.slicesOfFour("s1").hosts());
    hosts.add(Launches.host("cpu", 1, Map.of()));
    Fleet fleet = new Fleet(ExecutorKind.LOCAL, hosts, Launches.slicesOfFour("s1").slices());

    assertThat(HostRoom.hosts(fleet)).extracting(Host::name).containsExactly("cpu");
  }
}
