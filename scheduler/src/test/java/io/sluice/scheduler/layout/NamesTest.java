// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Names say what a thing is; these say nothing. */
class NamesTest {
  private static final Set<String> EMPTY_WORDS =
      Set.of("util", "common", "helper", "misc", "impl", "manager", "info", "data", "base");

  private static boolean isEmptyWord(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return EMPTY_WORDS.contains(lower)
        || (lower.endsWith("s") && EMPTY_WORDS.contains(lower.substring(0, lower.length() - 1)));
  }

  /** The word that says what a class is: the last one of its name. */
  private static String noun(String name) {
    List<String> words = List.of(name.split("(?<=[a-zA-Z0-9])(?=[A-Z][a-z])", -1));
    return words.get(words.size() - 1);
  }

  @Test
  void noPackageAndNoClassIsNamedByAnEmptyWord() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass one : Production.classes()) {
      if (isEmptyWord(noun(one.getSimpleName()))) {
        wrong.add(one.getName());
      }
      for (String word : one.getPackageName().split("\\.", -1)) {
        if (isEmptyWord(word)) {
          wrong.add(one.getPackageName());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void theWordsAreFoundInNames() {
    assertThat(List.of("JobUtil", "Helpers", "QueueManager", "XImpl", "util"))
        .allMatch(name -> isEmptyWord(noun(name)));
    assertThat(List.of("DataDirectory", "Database", "Utility", "BaseLine"))
        .noneMatch(name -> isEmptyWord(noun(name)));
  }
}
