// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.util.regex.Pattern;

/** Decides whether a text needs quotes in YAML, for readers of any version. */
final class YamlQuoting extends StringQuotingChecker {
  private static final long serialVersionUID = 1L;

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][-A-Za-z0-9_./]*");

  @Override
  public boolean needToQuoteName(String name) {
    return needToQuoteValue(name);
  }

  @Override
  public boolean needToQuoteValue(String value) {
    return !PLAIN.matcher(value).matches() || !PlainScalar.resolve(value).isTextual();
  }
}
