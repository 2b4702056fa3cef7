// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The queue of local attempts that wait for room, in the order of arrival. An attempt without
 * slices waits for capacity of hosts; later ones must not use the hosts that it could use. An
 * attempt with slices has its hosts to itself. At the limit of processes, no attempt overtakes the
 * first one that needs some.
 */
final class WaitingLine {
  private final LocalExecutorSettings settings;
  private final PodPlanner planner;
  private final ContainerProcesses containers;
  private final Rendezvous rendezvous;
  private final HostRoom room = new HostRoom();
  private final Set<LocalAttempt> waiting = new LinkedHashSet<>();
  private Set<String> failedHosts = Set.of();
  private int processes;

  WaitingLine(
      LocalExecutorSettings settings,
      PodPlanner planner,
      ContainerProcesses containers,
      Rendezvous rendezvous) {
    this.settings = settings;
    this.planner = planner;
    this.containers = containers;
    this.rendezvous = rendezvous;
  }

  /**
   * An attempt that leaves the queue.
   *
   * @param pods its placed pods, whose capacity is reserved
   * @param refusal why it cannot start after all; else null
   */
  record Next(LocalAttempt attempt, List<PodPlan> pods, @Nullable String refusal) {}

  /**
   * Adds an attempt.
   *
   * @throws CannotStartException if it could never run here, or too many wait
   */
  void join(LocalAttempt attempt) throws CannotStartException {
    Launch launch = attempt.launch();
    planner.check(launch);
    containers.check(launch);
    Fleet fleet = settings.fleet().get();
    long pods = PodPlanner.count(launch, fleet);
    if (pods > settings.processesMax()) {
      throw new CannotStartException(
          "it has "
              + pods
              + " pods; the local executor runs at most "
              + settings.processesMax()
              + " at once");
    }
    if (!PodPlanner.hasSlices(launch)
        && new HostRoom().place(launch, HostRoom.hosts(fleet), Set.of()).isEmpty()) {
      throw new CannotStartException(
          "its pods do not fit the hosts of the fleet that are in no slice, even if nothing else"
              + " runs there: "
              + describe(launch));
    }
    if (waiting.size() >= settings.waitingMax()) {
      throw new CannotStartException(
          "already " + waiting.size() + " attempts wait for room in the local executor");
    }
    waiting.add(attempt);
  }

  private static String describe(Launch launch) {
    return PodPlanner.podSets(launch).stream()
        .map(
            plan ->
                plan.count()
                    + " x "
                    + plan.podSet().name()
                    + " ("
                    + plan.podSet().template().requests()
                    + (plan.podSet().template().nodeSelector().isEmpty()
                        ? ""
                        : ", node selector " + plan.podSet().template().nodeSelector())
                    + ")")
        .collect(Collectors.joining(", "));
  }

  void leave(LocalAttempt attempt) {
    waiting.remove(attempt);
  }

  /** Sets the hosts on which nothing is placed from now on. */
  void failHosts(Set<String> hosts) {
    failedHosts = hosts;
  }

  void clear() {
    waiting.clear();
  }

  /** Removes and returns the attempts that have room now. */
  List<Next> advance() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Next> next = new ArrayList<>();
    Fleet fleet = settings.fleet().get();
    List<Host> hosts = HostRoom.hosts(fleet);
    Set<String> reserved = new HashSet<>(failedHosts);
    reserved.retainAll(hosts.stream().map(Host::name).toList());
    Iterator<LocalAttempt> line = waiting.iterator();
    while (line.hasNext()) {
      LocalAttempt attempt = line.next();
      try {
        if (PodPlanner.count(attempt.launch(), fleet) > settings.processesMax() - processes) {
          break;
        }
        Optional<List<PodPlan>> placed = place(attempt.launch(), fleet, hosts, reserved);
        if (placed.isPresent()) {
          List<PodPlan> pods =
              rendezvous.join(
                  attempt.launch(), containers.programs(attempt.launch(), placed.get()));
          line.remove();
          room.occupy(pods);
          processes += pods.size();
          next.add(new Next(attempt, pods, null));
        } else if (reserved.size() < hosts.size()) {
          reserved.addAll(HostRoom.suitable(attempt.launch(), hosts));
        }
      } catch (CannotStartException cannot) {
        line.remove();
        next.add(new Next(attempt, List.of(), cannot.getMessage()));
      }
    }
    return next;
  }

  private Optional<List<PodPlan>> place(
      Launch launch, Fleet fleet, List<Host> hosts, Set<String> reserved)
      throws CannotStartException {
    if (PodPlanner.hasSlices(launch)) {
      return Optional.of(planner.onSlices(launch, fleet));
    }
    return !hosts.isEmpty() && reserved.size() == hosts.size()
        ? Optional.empty()
        : room.place(launch, hosts, reserved);
  }

  /** Reserves the capacity of a running attempt, even if there is too little. */
  void occupy(LocalAttempt attempt) {
    room.occupy(attempt.pods());
    processes += attempt.pods().size();
  }

  /** Releases the capacity of an attempt. */
  void vacate(LocalAttempt attempt) {
    rendezvous.leave(attempt.key());
    room.vacate(attempt.pods());
    processes -= attempt.pods().size();
  }
}
