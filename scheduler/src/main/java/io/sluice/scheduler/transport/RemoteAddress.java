// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The part of a remote address that stands for one sender. */
final class RemoteAddress {
  /** A machine has a whole network of this prefix, and can send from each of its addresses. */
  private static final int PREFIX_BYTES = 8;

  private RemoteAddress() {}

  /** Returns an IPv4 address, or the first 64 bits of an IPv6 address. */
  static String sender(@Nullable SocketAddress remote) {
    if (remote == null) {
      return "";
    }
    String host = remote.hostAddress();
    InetAddress address =
        host == null ? null : new InetSocketAddress(host, remote.port()).getAddress();
    if (address instanceof Inet6Address) {
      byte[] prefix = Arrays.copyOf(address.getAddress(), PREFIX_BYTES);
      return HexFormat.of().formatHex(prefix) + "/64";
    }
    return String.valueOf(host);
  }
}
