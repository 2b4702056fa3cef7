// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.time.Duration;
import java.util.List;

/**
 * How an autoscaler is asked for nodes of a flavor, and the maximum number of slices.
 *
 * @param className the provisioning class of requests; empty for placeholder pods
 * @param parameters of requests
 * @param retries how often a request that came to nothing is made again
 * @param retryAfter the pause before the first of these; each next one is twice as long
 */
public record Provisioning(
    By by,
    String className,
    Labels parameters,
    int retries,
    Duration retryAfter,
    List<Slices> slices) {
  /** The annotation of a ResourceFlavor. */
  public static final String ANNOTATION = "sluice.io/provisioning";

  private static final int DOUBLINGS_MAX = 10;

  public Provisioning {
    slices = List.copyOf(slices);
  }

  /** What makes an autoscaler bring nodes. */
  public enum By {
    PLACEHOLDER_PODS("placeholder-pods"),
    PROVISIONING_REQUEST("provisioning-request");

    private final String word;

    By(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }

  /**
   * Slices that there may be.
   *
   * @param type the generation's short name
   * @param hosts of each
   * @param most how many at a time
   */
  public record Slices(String type, SliceTopology topology, int hosts, int most) {
    public int chipsPerHost() {
      return (int) (topology.chips() / hosts);
    }
  }

  /**
   * How long to wait after a try has come to nothing.
   *
   * @param tries how many there were, from 1
   */
  public Duration pauseAfter(int tries) {
    return retryAfter.multipliedBy(1L << Math.min(tries - 1, DOUBLINGS_MAX));
  }
}
