// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References to variables in a container's command, arguments and environment, as Kubernetes
 * expands them: {@code $(NAME)} is the value, {@code $$} a dollar sign, and a reference to no
 * variable stays as it is.
 */
final class VariableReferences {
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|\\(([^)]*)\\))");

  private VariableReferences() {}

  /** The text with its references expanded once; values are not looked at again. */
  static String expand(String text, Map<String, String> variables) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            found -> {
              String name = found.group(1);
              return Matcher.quoteReplacement(
                  name == null ? "$" : variables.getOrDefault(name, found.group()));
            });
  }
}
