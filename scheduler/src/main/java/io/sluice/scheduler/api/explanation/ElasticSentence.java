// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.SliceRange;
import org.jspecify.annotations.Nullable;

/**
 * Describes in a sentence the slices of an elastic attempt, and why it has neither more nor others.
 */
final class ElasticSentence {
  private ElasticSentence() {}

  /** The sentence; null for an attempt that is not elastic and still has its first slices. */
  static @Nullable String of(Attempt attempt) {
    AcceleratorRequest asked = attempt.job().workload().shape().accelerator();
    LastResize last = attempt.lastResize();
    if (asked == null || (last == null && !asked.elastic())) {
      return null;
    }
    SliceRange range = asked.slices();
    int slices = attempt.assignment().slices().size();
    StringBuilder text = new StringBuilder("it runs on ").append(slices);
    text.append(slices == 1 ? " slice" : " slices");
    if (range.elastic()) {
      text.append(" of ").append(range.min()).append(" to ").append(range.max());
    }
    if (last != null) {
      text.append(", in generation ").append(attempt.generation());
      text.append(", since ").append(last.at()).append(": ").append(why(last));
      if (!last.settled()) {
        text.append("; what ran before is being ended");
      }
    }
    if (slices < range.max()) {
      text.append("; it grows when a slice is there that nobody else could use");
    }
    return text.toString();
  }

  private static String why(LastResize last) {
    String message = last.resize().message();
    String why =
        switch (last.resize().cause()) {
          case REPAIRED, HOST_REPLACED -> "it was given others for those that it lost";
          case RECLAIMED -> "its provider took slices back";
          case HOST_LOST -> "hosts failed";
          case TAKEN_BACK -> "others needed its fillers";
          case GROWN -> "it grew into slices that nobody else could use";
        };
    return message.isEmpty() ? why : why + " (" + message + ")";
  }
}
