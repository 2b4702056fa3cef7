// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AttemptOutputTest {
  private static final AttemptKey ATTEMPT =
      new AttemptKey(new JobId(UUID.fromString("01a1fd32-2207-7081-8b8b-396e83942357")), 0, 1);

  private static AttemptOutput of(String written) {
    return AttemptOutput.of(ATTEMPT, written.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void oneValueOfJsonIsAnOutputOfWhateverKind() {
    assertThat(of("{\"a\": [1, 2.5, null]}\n").json()).isEqualTo("{\"a\":[1,2.5,null]}");
    assertThat(of("\"word\"").json()).isEqualTo("\"word\"");
    assertThat(of(" true ").problem()).isEmpty();
  }

  @Test
  void anythingElseIsNoneAndSaysWhy() {
    assertThat(of("rows: 5").problem()).startsWith("its output is not JSON: ");
    assertThat(of("{} {}").problem()).startsWith("its output is not JSON: ");
    assertThat(of("{\"a\": 1, \"a\": 2}").problem()).startsWith("its output is not JSON: ");
    assertThat(of(" \n").problem()).isEqualTo("its output is not JSON: it is empty");
    assertThat(AttemptOutput.of(ATTEMPT, new byte[] {'"', (byte) 0xff, '"'}).problem())
        .isEqualTo("its output is not JSON: it is no text in UTF-8");
    assertThat(of("rows: 5").json()).isNull();
  }

  /** Jobs of later steps have it in their manifests. */
  @Test
  void aValueThatTheDatabaseCannotStoreIsNone() {
    for (String value : new String[] {"\"a\\u0000\"", "{\"\\\\\\u0000\": 1}", "[\"\\ud834\"]"}) {
      assertThat(of(value).json()).as(value).isNull();
      assertThat(of(value).problem()).as(value).startsWith("its output has the character NUL");
    }
    assertThat(of("\"a\\\\u0000\"").json()).isEqualTo("\"a\\\\u0000\"");
    assertThat(of("a\0").problem()).doesNotContain("\0");
  }

  @Test
  void itMayHaveAsManyBytesAsTheLimitSaysAndNoMore() {
    String longest = "\"" + "x".repeat(AttemptOutput.BYTES_MAX - 2) + "\"";
    assertThat(of(longest).problem()).isEmpty();
    assertThat(of(longest + " ").problem()).isEqualTo("its output is longer than 65536 bytes");
  }
}
