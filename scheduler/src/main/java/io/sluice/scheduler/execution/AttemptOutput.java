// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.queuemodel.event.text.ReportText;
import io.sluice.queuemodel.job.AttemptKey;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The output of a finished attempt, a JSON value for later steps of its pipeline run.
 *
 * @param json the value; null: the attempt wrote no valid output
 * @param problem why the output is not valid, for people; empty if it is valid
 */
public record AttemptOutput(AttemptKey attempt, @Nullable String json, String problem) {
  /** The most bytes of an output, as written. */
  public static final int BYTES_MAX = 64 * 1024;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** NUL as JSON escapes it: behind an even number of backslashes. */
  private static final Pattern NUL = Pattern.compile("(?<!\\\\)(\\\\\\\\)*\\\\u0000");

  public AttemptOutput {
    problem = ReportText.of(problem);
  }

  /** Validates the bytes that an attempt wrote, which are untrusted. */
  public static AttemptOutput of(AttemptKey attempt, byte[] written) {
    if (written.length > BYTES_MAX) {
      return refused(attempt, "its output is longer than " + BYTES_MAX + " bytes");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(written)).toString();
      JsonNode value = JSON.readTree(text);
      if (value.isMissingNode()) {
        return refused(attempt, "its output is not JSON: it is empty");
      }
      String json = value.toString();
      // Later steps put the output into their jobs, and PostgreSQL refuses these characters.
      return NUL.matcher(json).find() || !ReportText.isStorable(json)
          ? refused(attempt, "its output has the character NUL or a lone surrogate: leave it out")
          : new AttemptOutput(attempt, json, "");
    } catch (CharacterCodingException binary) {
      return refused(attempt, "its output is not JSON: it is no text in UTF-8");
    } catch (JsonProcessingException unreadable) {
      return refused(attempt, "its output is not JSON: " + unreadable.getOriginalMessage());
    }
  }

  private static AttemptOutput refused(AttemptKey attempt, String problem) {
    return new AttemptOutput(attempt, null, problem);
  }
}
