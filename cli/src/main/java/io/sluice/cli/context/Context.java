// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.context;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * One server as the file names it. At least one of {@code server} and {@code data} is given.
 *
 * @param server URL of the server; null: the server of the data directory
 * @param data data directory of a server on this machine, as written; null: none
 * @param tokenFile file with the caller's token, as written; null: none
 * @param caFile file with certificates of the authorities to trust, as written; null: none
 * @param namespace default of {@code -n}; null: none
 */
public record Context(
    String name,
    @Nullable URI server,
    @Nullable String data,
    @Nullable String tokenFile,
    @Nullable String caFile,
    @Nullable String namespace) {
  /** Whether a URL is one of HTTP with a host. */
  public static boolean isHttp(URI url) {
    boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    return http && url.getHost() != null;
  }
}
