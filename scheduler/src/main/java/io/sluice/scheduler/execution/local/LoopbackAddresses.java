// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;

/**
 * The loopback addresses of virtual hosts. On Linux all of 127.0.0.0/8 is loopback without any
 * configuration, so each host has an address of its own; elsewhere all have 127.0.0.1.
 *
 * <p>An address is a hash of the executor's id and the host's name, so restarts and fleet changes
 * do not change it. Two hosts may rarely share one; then the ports, chosen per attempt, keep
 * attempts apart.
 */
final class LoopbackAddresses {
  private static final String ONLY = "127.0.0.1";
  private static final int OCTETS = 256;

  private final boolean wholeNetwork;
  private final String executorId;

  LoopbackAddresses(String executorId) {
    this(System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux"), executorId);
  }

  /**
   * Creates the addresses of an executor's hosts.
   *
   * @param wholeNetwork whether every address of 127.0.0.0/8 is loopback on this machine
   */
  LoopbackAddresses(boolean wholeNetwork, String executorId) {
    this.wholeNetwork = wholeNetwork;
    this.executorId = executorId;
  }

  /**
   * Returns the address of a host; never one in 127.0.0.0/16, where resolvers and other services
   * listen.
   */
  String of(String host) {
    if (!wholeNetwork) {
      return ONLY;
    }
    byte[] digest = digest(executorId + "/" + host);
    return "127.%d.%d.%d"
        .formatted(
            1 + Byte.toUnsignedInt(digest[0]) % (OCTETS - 1),
            Byte.toUnsignedInt(digest[1]),
            1 + Byte.toUnsignedInt(digest[2]) % (OCTETS - 2));
  }

  /** Returns the addresses of hosts, in their order. */
  List<String> of(List<String> hosts) {
    return hosts.stream().map(this::of).toList();
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException inEveryJdk) {
      throw new IllegalStateException(inEveryJdk);
    }
  }
}
