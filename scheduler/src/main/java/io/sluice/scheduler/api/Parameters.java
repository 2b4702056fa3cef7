// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.TimeRange;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads path, query and header parameters, which callers send as text. The annotations of a
 * parameter define its allowed values; {@link ParameterConverters} evaluates them. The framework's
 * own converters would answer 404 for a parameter that they cannot parse.
 */
public final class Parameters {
  private static final int SHOWN_MAX = 100;
  private static final int KEY_LENGTH_MAX = 200;

  private Parameters() {}

  /** The parameter is an integer between two bounds, both inclusive. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface Whole {
    int min();

    int max() default Integer.MAX_VALUE;
  }

  /** The parameter is one of these words. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface OneOf {
    String[] value();
  }

  /** The parameter is the id of an object of this kind. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface IdOf {
    String value();
  }

  /** The parameter is the name of an object, or of a namespace. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface ObjectName {}

  /** An integer between two bounds, both inclusive. */
  static int whole(String name, String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException unreadable) {
      throw notBetween(name, text, min, max);
    }
    throw notBetween(name, text, min, max);
  }

  /** The sequence of a batch. */
  public static long sequence(String text) {
    try {
      long sequence = Long.parseLong(text);
      if (sequence >= 1) {
        return sequence;
      }
    } catch (NumberFormatException unreadable) {
      throw notSequence(text);
    }
    throw notSequence(text);
  }

  private static ProblemException notSequence(String text) {
    return ProblemException.badRequest(
        "the sequence of a batch is a whole number from 1 on, it is " + shown(text));
  }

  private static ProblemException notBetween(String name, String text, int min, int max) {
    return ProblemException.badRequest(
        "%s must be a whole number between %d and %d, it is %s"
            .formatted(name, min, max, shown(text)));
  }

  /** A boolean. */
  static boolean flag(String name, String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw ProblemException.badRequest(name + " must be true or false, it is " + shown(text));
  }

  /** One of the allowed words. */
  static String choice(String name, String text, String... words) {
    if (Arrays.asList(words).contains(text)) {
      return text;
    }
    throw ProblemException.badRequest(
        "%s must be one of %s, it is %s".formatted(name, String.join(", ", words), shown(text)));
  }

  /** A duration as manifests write it. */
  public static Duration duration(String name, String text) {
    try {
      return DurationNotation.parse(text);
    } catch (InvalidValueException notOne) {
      throw ProblemException.badRequest(
          "%s %s, it is %s".formatted(name, notOne.getMessage(), shown(text)));
    }
  }

  /**
   * The period between two times.
   *
   * @param since null: from the beginning
   * @param until null: without an end
   */
  public static TimeRange times(@Nullable String since, @Nullable String until) {
    return new TimeRange(
        since == null ? TimeRange.ALL.since() : time("since", since),
        until == null ? TimeRange.ALL.until() : time("until", until));
  }

  private static Instant time(String name, String text) {
    try {
      Instant time = Instant.parse(text);
      if (TimeRange.storable(time)) {
        return time;
      }
    } catch (DateTimeException unreadable) {
      throw notTime(name, text);
    }
    throw notTime(name, text);
  }

  private static ProblemException notTime(String name, String text) {
    return ProblemException.badRequest(
        "%s must be a time such as 2026-11-21T15:09:29Z, from 1970 to 9999, it is %s"
            .formatted(name, shown(text)));
  }

  /** Text that the database can store, and so compare. */
  static String text(String name, String text) {
    if (!storable(text)) {
      throw ProblemException.badRequest(name + " must not hold NUL, it is " + shown(text));
    }
    return text;
  }

  /** Labels that must all match: each text is {@code key=value}, or several separated by commas. */
  public static Labels labels(String name, List<String> texts) {
    Map<String, String> labels = new TreeMap<>();
    for (String text : texts) {
      for (String pair : text.split(",", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw ProblemException.badRequest(
              name + " must be key=value, or several with commas, it is " + shown(text));
        }
        String key = pair.substring(0, equals);
        String value = pair.substring(equals + 1);
        try {
          Names.requireQualified(key);
          Names.requireLabelValue(value);
        } catch (InvalidValueException invalid) {
          throw ProblemException.badRequest(
              "%s must be key=value: %s in %s".formatted(name, invalid.getMessage(), shown(text)));
        }
        String other = labels.put(key, value);
        if (other != null && !other.equals(value)) {
          throw ProblemException.badRequest(
              "%s asks for two values of %s, %s and %s, and no job has both"
                  .formatted(name, key, other, value));
        }
      }
    }
    return Labels.of(labels);
  }

  /** The name of an object; required. */
  public static String name(String parameter, @Nullable String text) {
    if (text == null) {
      throw ProblemException.badRequest(parameter + " is required");
    }
    try {
      return Names.requireSubdomain(text);
    } catch (InvalidValueException invalid) {
      throw ProblemException.badRequest(
          "%s %s, it is %s".formatted(parameter, invalid.getMessage(), shown(text)));
    }
  }

  /** Whether the database can store a text. */
  public static boolean storable(String text) {
    return text.indexOf('\0') < 0;
  }

  static JobId jobId(String text) {
    try {
      return JobId.parse(text);
    } catch (InvalidValueException unreadable) {
      throw ProblemException.badRequest(shown(text) + " " + unreadable.getMessage());
    }
  }

  /** The id of an object; as a cursor, that of the last one of a page. */
  static UUID id(String name, String of, String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException unreadable) {
      throw new ProblemException(
          name.equals("cursor") ? ProblemKind.INVALID_CURSOR : ProblemKind.BAD_REQUEST,
          shown(text) + " is no id of a " + of);
    }
  }

  /** An Idempotency-Key; null if there is none. */
  public static @Nullable String key(@Nullable String key) {
    if (key != null && (key.isBlank() || key.length() > KEY_LENGTH_MAX)) {
      throw ProblemException.badRequest(
          "Idempotency-Key must have 1 to %d characters, it has %d"
              .formatted(KEY_LENGTH_MAX, key.length()));
    }
    return key == null ? null : text("Idempotency-Key", key);
  }

  /** The part of a caller's text that an answer repeats. */
  public static String shown(String text) {
    String cut = text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text;
    return cut.replace('\0', '\ufffd');
  }
}
