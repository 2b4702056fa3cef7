// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.scheduler.submission.Precondition;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entity tags of an {@code If-Match} or {@code If-None-Match} header (RFC 9110). The tag of a
 * quota object is its generation in quotes. It identifies the object as written; the status that is
 * shown with the object may change without it.
 *
 * <p>The lists are read here and not by {@link jakarta.ws.rs.core.Request#evaluatePreconditions}.
 * RESTEasy's accepts tags without quotes, splits a tag at a comma inside its quotes, takes {@code
 * "*"} in quotes for {@code *}, and compares strongly where {@code If-None-Match} asks for the weak
 * comparison.
 *
 * @param any {@code *}: matches any existing object
 */
public record EntityTags(boolean any, List<EntityTag> tags) implements Precondition {
  private static final Pattern GAP = Pattern.compile("[ \\t]*(,[ \\t]*)*");
  private static final Pattern TAG =
      Pattern.compile("(W/)?\"([\\x21\\x23-\\x7e\\x80-\\uffff]*)\"[ \\t]*(?=,|$)");

  public EntityTags {
    tags = List.copyOf(tags);
  }

  /** The strong tag of a generation. */
  public static EntityTag of(long generation) {
    return new EntityTag(Long.toString(generation));
  }

  /** The If-Match condition of a request that changes an object. */
  public static Precondition ifMatch(HttpHeaders headers) {
    List<String> lines = headers.getRequestHeader(HttpHeaders.IF_MATCH);
    return lines == null || lines.isEmpty()
        ? Precondition.NONE
        : parse(HttpHeaders.IF_MATCH, String.join(",", lines));
  }

  /**
   * As {@link #ifMatch}, for an object without generations: a condition on the text of its tag,
   * which describes its content.
   */
  public static Predicate<String> ifMatchText(HttpHeaders headers) {
    List<String> lines = headers.getRequestHeader(HttpHeaders.IF_MATCH);
    if (lines == null || lines.isEmpty()) {
      return text -> true;
    }
    EntityTags tags = parse(HttpHeaders.IF_MATCH, String.join(",", lines));
    return text -> tags.any || tags.tags.contains(new EntityTag(text));
  }

  /** Whether the request's If-None-Match says that the caller already has this generation. */
  public static boolean isKnown(HttpHeaders headers, long generation) {
    List<String> lines = headers.getRequestHeader(HttpHeaders.IF_NONE_MATCH);
    if (lines == null || lines.isEmpty()) {
      return false;
    }
    EntityTags tags = parse(HttpHeaders.IF_NONE_MATCH, String.join(",", lines));
    String value = of(generation).getValue();
    return tags.any || tags.tags.stream().anyMatch(tag -> tag.getValue().equals(value));
  }

  private static EntityTags parse(String header, String text) {
    if (text.strip().equals("*")) {
      return new EntityTags(true, List.of());
    }
    List<EntityTag> tags = new ArrayList<>();
    Matcher gap = GAP.matcher(text);
    Matcher tag = TAG.matcher(text);
    int at = end(gap, 0);
    while (at < text.length() && tag.region(at, text.length()).lookingAt()) {
      tags.add(new EntityTag(tag.group(2), tag.group(1) != null));
      at = end(gap, tag.end());
    }
    if (tags.isEmpty() || at < text.length()) {
      throw ProblemException.badRequest(
          "%s must be * or tags in quotes, such as \"3\", it is %s"
              .formatted(header, Parameters.shown(text)));
    }
    return new EntityTags(false, tags);
  }

  private static int end(Matcher gap, int at) {
    return gap.region(at, gap.regionEnd()).lookingAt() ? gap.end() : at;
  }

  /** Uses the strong comparison: a weak tag matches nothing. */
  @Override
  public boolean holds(long generation) {
    return any || tags.contains(of(generation));
  }
}
