// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads cases and has each answered by the question of its kind. */
public final class CaseQuestions {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final CaseRule rule;

  /** Cycles of cases are isolated cycles. */
  public CaseQuestions() {
    this(CaseRule.CYCLE);
  }

  /**
   * Questions by a rule.
   *
   * @param rule how cycles of cases are run
   */
  public CaseQuestions(CaseRule rule) {
    this.rule = rule;
  }

  /** What became of a case. */
  public enum Outcome {
    ANSWERED,
    /** The answer is an error with its reason. */
    REFUSED
  }

  /**
   * Answers the case in a file, and writes the answer: an object with an error where there is none.
   *
   * @throws IOException if the answer cannot be written
   */
  public Outcome answer(Path file, Path answer) throws IOException {
    ObjectNode written;
    try {
      written = answer(JSON.readTree(Files.readAllBytes(file)));
    } catch (IOException unreadable) {
      written = error("cannot be read: " + unreadable.getMessage());
    }
    Path folder = answer.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    JSON.writerWithDefaultPrettyPrinter().writeValue(answer.toFile(), written);
    return written.has("error") ? Outcome.REFUSED : Outcome.ANSWERED;
  }

  /** The answer to a case; one bad case must not end the others, so whatever fails is an error. */
  ObjectNode answer(JsonNode root) {
    if (!root.isObject()) {
      return error("a case must be an object");
    }
    ConformanceCase asked = new ConformanceCase(root, rule);
    try {
      return question(asked.kind()).answer(asked);
    } catch (UnanswerableCaseException | InvalidValueException reason) {
      return error(String.valueOf(reason.getMessage()));
    } catch (RuntimeException broken) {
      return error("the engine failed: " + broken);
    }
  }

  private static ObjectNode error(String reason) {
    return CaseFields.object().put("error", reason);
  }

  private static CaseQuestion question(String kind) {
    return switch (kind) {
      case "available-quota" -> new AvailableQuota();
      case "dominant-resource-share" -> new ShareQuestion();
      case "capacity-reservation" -> new ReservationQuestion();
      case "effective-priority" -> new PriorityQuestion();
      case "entry-ordering" -> new EntryOrderQuestion();
      case "candidate-ordering" -> new CandidateOrderQuestion();
      case "flavor-preference" -> new PreferenceQuestion();
      case "partial-admission-search" -> new CountQuestion();
      case "preemption" -> new PreemptionQuestion();
      case "flavor-assignment" -> new FlavorQuestion();
      case "topology-assignment" -> new PlacementQuestion();
      case "schedule" -> new ScheduleQuestion();
      default -> throw new UnanswerableCaseException("kind " + kind + " is not answered yet");
    };
  }
}
