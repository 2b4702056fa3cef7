// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.job.AttemptKey;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;

/** The names of an attempt's objects in a cluster, a function of the attempt. */
final class ObjectNames {
  static final int NAME_LENGTH_MAX = 63;
  private static final int ID_LENGTH = 8;
  private static final int SUM_LENGTH = 9;

  private ObjectNames() {}

  /** A part of a job's id that tells it from others: its end, since ids begin with the time. */
  static String idEnd(AttemptKey attempt) {
    String id = attempt.job().toString();
    return id.substring(id.length() - ID_LENGTH);
  }

  /** A name with what tells attempts after the first from it. */
  static String ofAttempt(String name, AttemptKey attempt) {
    return attempt.attempt() == 1 ? name : withEnd(name, "-a" + attempt.attempt(), NAME_LENGTH_MAX);
  }

  /** The name of what runs a job of ours: others may have the same name, and each index runs. */
  static String own(String name, AttemptKey attempt, int lengthMax) {
    String index = attempt.index() == 0 ? "" : "-" + attempt.index();
    // A JobSet's name is that of a service too, which begins with a letter.
    String begun = Character.isDigit(name.charAt(0)) ? "j-" + name : name;
    return withEnd(
        begun.replace('.', '-'),
        "-" + idEnd(attempt) + index + "-a" + attempt.attempt(),
        lengthMax);
  }

  /** A name and its end; of a long name the beginning and a sum of the whole. */
  static String withEnd(String name, String end, int lengthMax) {
    return fit(name, lengthMax - end.length()) + end;
  }

  /** The name, or if it is too long its beginning and a sum of the whole. */
  static String fit(String name, int lengthMax) {
    if (name.length() <= lengthMax) {
      return name;
    }
    CRC32 sum = new CRC32();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return name.substring(0, lengthMax - SUM_LENGTH)
        + String.format(Locale.ROOT, "-%08x", sum.getValue());
  }
}
