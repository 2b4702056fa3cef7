// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** All hosts, those of slices included, and all slices. */
public record Fleet(ExecutorKind executor, List<Host> hosts, List<Slice> slices) {
  public static final Fleet EMPTY = new Fleet(ExecutorKind.LOCAL, List.of(), List.of());

  /**
   * Checks that the fleet does not contradict itself.
   *
   * @throws InvalidValueException if two hosts or two slices share a name, a slice names a host
   *     that is not there, or two slices name one host
   */
  public Fleet {
    hosts = List.copyOf(hosts);
    slices = List.copyOf(slices);
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
        if (!hostNames.contains(host)) {
          throw new InvalidValueException(
              "slice " + slice.name() + " names host " + host + ", which is not there");
        }
        String other = sliceOfHost.put(host, slice.name());
        if (other != null) {
          throw new InvalidValueException(
              "host " + host + " is in two slices, " + other + " and " + slice.name());
        }
      }
    }
  }
}
