// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Replaces domain names of a job's pods by addresses. */
final class PodAddresses {
  private final Map<String, String> addresses;
  private final Pattern names;

  /**
   * Addresses by domain name.
   *
   * @param namespace of the pods; their names may end with it
   */
  PodAddresses(Map<String, String> addresses, String namespace) {
    this.addresses = Map.copyOf(addresses);
    this.names =
        Pattern.compile(
            "(?<![A-Za-z0-9.-])("
                + this.addresses.keySet().stream()
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"))
                + ")(?:\\."
                + Pattern.quote(namespace)
                + "(?:\\.svc(?:\\.cluster\\.local)?)?)?(?![A-Za-z0-9-]|\\.[A-Za-z0-9])");
  }

  /** The text with an address in place of each whole domain name. */
  String in(String text) {
    if (addresses.isEmpty()) {
      return text;
    }
    return names
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(addresses.getOrDefault(found.group(1), "")));
  }
}
