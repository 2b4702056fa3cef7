// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * The value of a YAML scalar without quotes. Where the versions of YAML and their readers agree, it
 * means that; where they do not ({@code yes}, {@code 010}, {@code 0x1F}, {@code 1_000}), nobody can
 * tell what its writer meant, and it is unreadable until it is put in quotes or written plainly.
 * Numbers to the base of sixty and dates are text, as kubectl reads them.
 */
final class PlainScalar {
  private static final int NUMBER_LENGTH_MAX = 100;
  private static final int LONG_DIGITS = 18;

  private static final Pattern NULL = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern TRUE = Pattern.compile("true|True|TRUE");
  private static final Pattern FALSE = Pattern.compile("false|False|FALSE");
  private static final Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\.[0-9]+|(0|[1-9][0-9]*)(\\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?");
  private static final Pattern INFINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
  private static final Pattern FOREIGN_BOOLEAN = Pattern.compile("(?i)y|n|yes|no|on|off");

  /** Possessive throughout: a text that does not match costs no more than its length. */
  private static final Pattern FOREIGN_NUMBER =
      Pattern.compile(
          "[-+]?(0[0-9_]++(\\.[0-9_]*+)?([eE][-+]?[0-9]++)?|0[xX][0-9a-fA-F_]++|0[oO][0-7_]++"
              + "|0[bB][01_]++|[0-9]++_[0-9_]*+(\\.[0-9_]*+)?|[0-9.]++[eE][-+]?[0-9]{5,}+)");

  private PlainScalar() {}

  static JsonNode resolve(String text) {
    if (NULL.matcher(text).matches()) {
      return NullNode.getInstance();
    }
    if (TRUE.matcher(text).matches()) {
      return BooleanNode.TRUE;
    }
    if (FALSE.matcher(text).matches()) {
      return BooleanNode.FALSE;
    }
    char first = text.charAt(0);
    if ((first >= '0' && first <= '9') || first == '.' || first == '-' || first == '+') {
      return number(text);
    }
    if (FOREIGN_BOOLEAN.matcher(text).matches()) {
      return new UnreadableScalar(
              text,
              "is truth to some readers of YAML and text to others: put it in quotes, or write true or false")
          .node();
    }
    return TextNode.valueOf(text);
  }

  private static JsonNode number(String text) {
    if (text.length() <= NUMBER_LENGTH_MAX) {
      if (WHOLE.matcher(text).matches()) {
        return whole(text);
      }
      if (FRACTION.matcher(text).matches()) {
        return DecimalNode.valueOf(new BigDecimal(text));
      }
    }
    if (INFINITE.matcher(text).matches()) {
      return new UnreadableScalar(text, "must be a finite number, or text in quotes").node();
    }
    if (isForeignNumber(text) || WHOLE.matcher(text).matches()) {
      return new UnreadableScalar(
              text, "must be a number in plain decimal notation, or text in quotes")
          .node();
    }
    return TextNode.valueOf(text);
  }

  /** Whether a text is a number in a notation that not every reader of YAML takes for one. */
  public static boolean isForeignNumber(CharSequence text) {
    return FOREIGN_NUMBER.matcher(text).matches();
  }

  private static JsonNode whole(String text) {
    return text.length() <= LONG_DIGITS
        ? JsonNodeFactory.instance.numberNode(Long.parseLong(text))
        : JsonNodeFactory.instance.numberNode(new BigInteger(text));
  }
}
