// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import java.time.Duration;

/**
 * A fault injected into a virtual fleet.
 *
 * @param after since the server's start
 * @param subject name of the slice or the host, or the word of the capacity type
 * @param notice of a reclaim; else zero
 */
public record FleetFault(Duration after, Kind kind, String subject, Duration notice) {
  /** What happens. */
  public enum Kind {
    /** A provider takes a slice back. */
    RECLAIM("reclaim"),
    /** A slice that was taken is there again. */
    RETURN("return"),
    /** A host fails. */
    FAIL_HOST("failHost"),
    /** A host that failed is there again. */
    RETURN_HOST("returnHost"),
    /** A provider has nothing of a capacity type any more. */
    OUT_OF_STOCK("outOfStock"),
    /** It has some again. */
    IN_STOCK("inStock");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The field for it in a faults file. */
    public String word() {
      return word;
    }
  }
}
