// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost of a text grows with its length, whatever it repeats. Cost is counted, not timed. */
class LinearCostTest {
  private static final int LENGTH = 50_000;
  private static final int FACTOR = 16;

  /** Of {@link #FACTOR} times the length; the square would be 256 times the cost. */
  private static final long GROWTH_MAX = 3L * FACTOR;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * A text in which one part can be long.
   *
   * @param part what is repeated
   */
  private record Repeated(String before, String part, String after) {
    String of(int length) {
      return before + part.repeat(length / part.length()) + after;
    }

    @Override
    public String toString() {
      return before.strip() + "(" + part.strip() + ")*" + after.strip();
    }
  }

  static Stream<Repeated> texts() {
    return Stream.of(
        new Repeated("", "a", ""),
        new Repeated("kind: ", "a", ""),
        new Repeated("# ", "a", "\n"),
        new Repeated("a: \"", "a", "\""),
        new Repeated("a: '", "a", "'"),
        new Repeated("a: b", " ", "c"),
        new Repeated("a: |\n ", "a", "\n"),
        new Repeated("? ", "a", "\n: 1\n"),
        new Repeated("a: &", "a", " b"),
        new Repeated("a: *", "a", ""),
        new Repeated("a: !", "a", " b"),
        new Repeated("%FOO ", "a", "\n---\na: b\n"),
        new Repeated("a: [b", ", b", "]"),
        new Repeated("", "- a\n", ""),
        new Repeated("", "---\n", ""),
        new Repeated("a: ", "1", ""),
        new Repeated("{\"a\": \"", "a", "\"}"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void memoryThatIsWrittenGrowsWithTheLength(Repeated text) {
    written(text.of(LENGTH));
    long less = written(text.of(LENGTH));
    long more = written(text.of(LENGTH * FACTOR));
    assertThat(more).isLessThan(GROWTH_MAX * less);
  }

  /** How many bytes of memory the reading of a text takes, given back or not. */
  private static long written(String text) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    TextDocuments.split(text);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void aTextThatIsNearlyANumberIsLookedAtAFewTimes() {
    Map<String, Long> looks = new TreeMap<>();
    for (String part : new String[] {"1_", "_0", "1.", "1e", ".", "0", "e00000"}) {
      for (String first : new String[] {"0", "1", "+0x", "-0b"}) {
        Counted text = new Counted(first + part.repeat(10_000) + "x");
        assertThat(PlainScalar.isForeignNumber(text)).isFalse();
        looks.put(first + part, text.looks / text.length());
      }
    }
    assertThat(looks.values()).allMatch(each -> each < 20);
  }

  /** A text that counts how often a character of it is looked at. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long looks;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int at) {
      looks++;
      return text.charAt(at);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return text.subSequence(from, to);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
