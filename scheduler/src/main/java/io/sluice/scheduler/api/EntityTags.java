// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.scheduler.submission.Precondition;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Entity tags of quota objects (RFC 9110): the generation in quotes. A tag tells of the object as
 * it was written; the status that is shown with it changes without it.
 *
 * @param any {@code *}: whatever there is
 */
public record EntityTags(boolean any, List<Tag> tags) implements Precondition {
  private static final Pattern GAP = Pattern.compile("[ \\t]*(,[ \\t]*)*");
  private static final Pattern TAG =
      Pattern.compile("(W/)?\"([\\x21\\x23-\\x7e\\x80-\\uffff]*)\"[ \\t]*(?=,|$)");

  public EntityTags {
    tags = List.copyOf(tags);
  }

  /** One tag; a weak one stands for no exact content. */
  record Tag(boolean weak, String text) {}

  /** The tag of a generation. */
  public static String of(long generation) {
    return "\"" + generation + "\"";
  }

  /** What the request's If-Match asks of an object that is to be changed. */
  public static Precondition ifMatch(HttpHeaders headers) {
    List<String> lines = headers.getRequestHeader(HttpHeaders.IF_MATCH);
    return lines == null || lines.isEmpty()
        ? Precondition.NONE
        : parse(HttpHeaders.IF_MATCH, String.join(",", lines));
  }

  /** Whether the request says by If-None-Match that its sender has a generation already. */
  public static boolean isKnown(HttpHeaders headers, long generation) {
    List<String> lines = headers.getRequestHeader(HttpHeaders.IF_NONE_MATCH);
    if (lines == null || lines.isEmpty()) {
      return false;
    }
    EntityTags tags = parse(HttpHeaders.IF_NONE_MATCH, String.join(",", lines));
    String text = Long.toString(generation);
    return tags.any || tags.tags.stream().anyMatch(tag -> tag.text().equals(text));
  }

  private static EntityTags parse(String header, String text) {
    if (text.strip().equals("*")) {
      return new EntityTags(true, List.of());
    }
    List<Tag> tags = new ArrayList<>();
    Matcher gap = GAP.matcher(text);
    Matcher tag = TAG.matcher(text);
    int at = end(gap, 0);
    while (at < text.length() && tag.region(at, text.length()).lookingAt()) {
      tags.add(new Tag(tag.group(1) != null, tag.group(2)));
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

  /** By the strong comparison: a weak tag matches nothing. */
  @Override
  public boolean holds(long generation) {
    String text = Long.toString(generation);
    return any || tags.stream().anyMatch(tag -> !tag.weak() && tag.text().equals(text));
  }
}
