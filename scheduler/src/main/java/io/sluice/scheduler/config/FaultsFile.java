// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.FaultsReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of faults to inject into a virtual fleet. */
public final class FaultsFile {
  private static final long BYTES_MAX = 4L << 20;

  private FaultsFile() {}

  /**
   * Reads the file.
   *
   * @param fleet that the faults are injected into
   * @throws StartException naming the error and its place
   */
  public static FleetFaults read(Path file, Fleet fleet) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new StartException("faults file " + file + " is larger than 4 MiB");
      }
      FleetFaults faults = FaultsReader.read(Files.readString(file));
      faults.script().forEach(fault -> requireKnown(file, fault, fleet));
      return faults;
    } catch (IOException failure) {
      throw new StartException(
          "cannot read faults file "
              + file
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    } catch (InvalidManifestException invalid) {
      throw new StartException("faults file " + file + ": " + invalid.violations().get(0));
    }
  }

  private static void requireKnown(Path file, FleetFault fault, Fleet fleet) {
    String name = fault.subject();
    boolean known =
        switch (fault.kind()) {
          case RECLAIM, RETURN ->
              fleet.slices().stream().anyMatch(slice -> slice.name().equals(name));
          case FAIL_HOST, RETURN_HOST ->
              fleet.hosts().stream().anyMatch(host -> host.name().equals(name));
          case OUT_OF_STOCK, IN_STOCK -> true;
        };
    if (!known) {
      throw new StartException(
          "faults file %s: %s %s: the fleet has none of that name"
              .formatted(file, fault.kind().word(), name));
    }
  }
}
