// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Detects TPU chips of this machine as JAX does: by their PCI device ids. */
final class TpuDevices {
  private static final Path DEVICES = Path.of("/sys/bus/pci/devices");
  private static final String VENDOR = "0x1ae0";

  /**
   * PCI device ids of v2 and v3, v4, v5p, v5e, v6e, tpu7x; other devices of this vendor are network
   * adapters.
   */
  private static final Set<String> CHIPS =
      Set.of("0x0027", "0x0056", "0x005e", "0x0062", "0x0063", "0x006f", "0x0076");

  private TpuDevices() {}

  /** Whether this machine has TPU chips. */
  static boolean present() {
    return presentIn(DEVICES);
  }

  static boolean presentIn(Path devices) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
      for (Path device : all) {
        if (read(device.resolve("vendor")).equals(VENDOR)
            && CHIPS.contains(read(device.resolve("device")))) {
          return true;
        }
      }
      return false;
    } catch (IOException noPci) {
      return false;
    }
  }

  private static String read(Path file) throws IOException {
    return Files.isReadable(file) ? Files.readString(file).strip() : "";
  }
}
