// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.fleet.Fleet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that describes a fleet. */
public final class FleetFile {
  /** Enough for a hundred thousand hosts. */
  private static final long BYTES_MAX = 64L << 20;

  private FleetFile() {}

  /**
   * Reads the file.
   *
   * @param catalogue the accelerators that it may name
   * @throws StartException naming the error and its place
   */
  public static Fleet read(Path file, AcceleratorCatalogue catalogue) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new StartException("fleet file " + file + " is larger than 64 MiB");
      }
      return ManifestReader.readFleet(Files.readString(file), ReadingTerms.of(catalogue));
    } catch (IOException failure) {
      throw new StartException(
          "cannot read fleet file "
              + file
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    } catch (InvalidManifestException invalid) {
      throw new StartException("fleet file " + file + ": " + invalid.violations().get(0));
    }
  }
}
