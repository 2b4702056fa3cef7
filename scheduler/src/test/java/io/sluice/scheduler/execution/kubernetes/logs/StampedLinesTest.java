// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The text of streams that break anywhere and begin again at a second. */
class StampedLinesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T07:00:00.999999990Z");

  private record Line(Instant time, String text) {}

  private final StampedLines lines = new StampedLines();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();

  private void take(String stream) {
    byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
    lines.take(bytes, 0, bytes.length, text);
  }

  @Test
  void eachByteIsTakenOnceHoweverTheStreamsBreak() {
    Seeds.check(300, StampedLinesTest::follow);
  }

  private static void follow(SplittableRandom random) {
    List<Line> log = log(random);
    StampedLines lines = new StampedLines();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int stream = random.nextInt(6); stream >= 0; stream--) {
      byte[] all = stream(log, lines.last());
      int end = stream == 0 ? all.length : random.nextInt(all.length + 1);
      int at = 0;
      while (at < end) {
        int next = Math.min(end, at + 1 + random.nextInt(40));
        lines.take(all, at, next, text);
        at = next;
      }
      lines.restart();
    }
    StringBuilder whole = new StringBuilder();
    log.forEach(line -> whole.append(line.text()).append('\n'));
    assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo(whole.toString());
  }

  private static List<Line> log(SplittableRandom random) {
    List<Line> log = new ArrayList<>();
    Instant time = BEGIN;
    for (int line = random.nextInt(30); line > 0; line--) {
      time =
          switch (random.nextInt(4)) {
            case 0 -> time;
            case 1 -> time.plusNanos(1 + random.nextInt(20));
            case 2 -> time.plusMillis(random.nextInt(700));
            default -> time.plusSeconds(random.nextInt(3));
          };
      log.add(new Line(time, "ä word ".repeat(random.nextInt(4)) + line % 3));
    }
    return log;
  }

  /** What the API has from a second on. */
  private static byte[] stream(List<Line> log, @Nullable Instant since) {
    StringBuilder stream = new StringBuilder();
    for (Line line : log) {
      if (since == null || !line.time().isBefore(since.truncatedTo(ChronoUnit.SECONDS))) {
        stream.append(line.time()).append(' ').append(line.text()).append('\n');
      }
    }
    return stream.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void linesWithoutATimeAreNotOfTheContainer() {
    take("{\"kind\":\"Status\",\"message\":\"container is waiting\"}\n\n");
    take("2026-11-25T07:00:00+01:00 one\nfailed to follow: rpc error\n2026-11-25T06:00:01Z two\n");
    assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
    assertThat(lines.last()).isEqualTo(Instant.parse("2026-11-25T06:00:01Z"));
  }

  @Test
  void linesThatStandBeforeAnEarlierOneAreTaken() {
    take("2026-11-25T07:00:00.5Z one\n2026-11-25T07:00:00.4Z two\n2026-11-25T07:00:00.5Z three\n");
    lines.restart();
    take("2026-11-25T07:00:00.5Z one\n2026-11-25T07:00:00.4Z two\n2026-11-25T07:00:00.5Z three\n");
    take("2026-11-25T07:00:00.5Z four\n");
    assertThat(text.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\nthree\nfour\n");
  }
}
