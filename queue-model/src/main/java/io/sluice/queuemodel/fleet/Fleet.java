// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.InvalidValueException;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All hosts, including those of slices, and all slices that may exist. A slice may name hosts that
 * are not there: it can be used when a later fleet has them all.
 *
 * @param supplies at most one a capacity type
 * @param unreachedClusters clusters whose nodes were never listed, as flavors name them; nothing is
 *     admitted to their flavors
 */
public record Fleet(
    ExecutorKind executor,
    List<Host> hosts,
    List<Slice> slices,
    List<Supply> supplies,
    List<String> unreachedClusters) {
  public static final Fleet EMPTY = new Fleet(ExecutorKind.LOCAL, List.of(), List.of());

  /**
   * Checks that the fleet does not contradict itself.
   *
   * @throws InvalidValueException if two hosts or two slices share a name, or two slices name one
   *     host, or two supplies are of one capacity type, or slices cannot form what they say
   */
  public Fleet {
    hosts = List.copyOf(hosts);
    slices = List.copyOf(slices);
    supplies = List.copyOf(supplies);
    unreachedClusters = List.copyOf(unreachedClusters);
    EnumSet<CapacityType> supplied = EnumSet.noneOf(CapacityType.class);
    for (Supply supply : supplies) {
      if (!supplied.add(supply.capacityType())) {
        throw new InvalidValueException(
            "capacity type " + supply.capacityType().word() + " is there twice");
      }
    }
    TreeSet<String> hostNames = new TreeSet<>();
    for (Host host : hosts) {
      if (!hostNames.add(host.name())) {
        throw new InvalidValueException("host " + host.name() + " is there twice");
      }
    }
    TreeMap<String, String> sliceOfHost = new TreeMap<>();
    TreeSet<String> sliceNames = new TreeSet<>();
    for (Slice slice : slices) {
      if (!sliceNames.add(slice.name())) {
        throw new InvalidValueException("slice " + slice.name() + " is there twice");
      }
      for (String host : slice.hosts()) {
        String other = sliceOfHost.put(host, slice.name());
        if (other != null) {
          throw new InvalidValueException(
              "host " + host + " is in two slices, " + other + " and " + slice.name());
        }
      }
    }
    FormingCheck.check(slices);
  }

  /** A fleet whose slices are always there. */
  public Fleet(ExecutorKind executor, List<Host> hosts, List<Slice> slices) {
    this(executor, hosts, slices, List.of());
  }

  /** A fleet all of whose clusters were reached, if it is one of clusters. */
  public Fleet(ExecutorKind executor, List<Host> hosts, List<Slice> slices, List<Supply> supplies) {
    this(executor, hosts, slices, supplies, List.of());
  }

  /** The same with these clusters not reached. */
  public Fleet unreached(List<String> clusters) {
    return new Fleet(executor, hosts, slices, supplies, clusters);
  }

  /** Those that are in no slice. */
  public List<Host> hostsOutsideSlices() {
    TreeSet<String> inSlices = new TreeSet<>();
    slices.forEach(slice -> inSlices.addAll(slice.hosts()));
    return hosts.stream().filter(host -> !inSlices.contains(host.name())).toList();
  }

  /** Names of hosts that slices name and that are not there, in order. */
  public SortedSet<String> missingHosts() {
    TreeSet<String> missing = new TreeSet<>();
    slices.forEach(slice -> missing.addAll(slice.hosts()));
    hosts.forEach(host -> missing.remove(host.name()));
    return missing;
  }

  /** Null: all slices of the type are always there. */
  public @Nullable Supply supply(CapacityType capacityType) {
    for (Supply supply : supplies) {
      if (supply.capacityType() == capacityType) {
        return supply;
      }
    }
    return null;
  }

  /** Whether slices of the type are there without being sought. */
  public boolean provisioned(CapacityType capacityType) {
    Supply supply = supply(capacityType);
    return supply == null || supply.provisioned();
  }

  /** Whether a slice is there without being sought, whether it is one of this fleet or not. */
  public boolean provisioned(Slice slice) {
    return !SoughtSlices.isSought(slice) && provisioned(slice.capacityType());
  }
}
