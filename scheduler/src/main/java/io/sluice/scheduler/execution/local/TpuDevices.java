// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The TPU chips of this machine, found as JAX finds them: by the ids of their PCI devices. */
final class TpuDevices {
  private static final Path DEVICES = Path.of("/sys/bus/pci/devices");
  private static final String VENDOR = "0x1ae0";

  /** Of v2 and v3, v4, v5p, v5e, v6e, tpu7x; other devices of this vendor are network adapters. */
  private static final Set<String> CHIPS =
      Set.of("0x0027", "0x0056", "0x005e", "0x0062", "0x0063", "0x006f", "0x0076");

  private TpuDevices() {}

  /** Whether there are any. */
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
