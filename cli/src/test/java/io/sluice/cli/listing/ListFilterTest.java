// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.WrongUsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Options that say which items of a list are wanted. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
class ListFilterTest {
  @Command
  static final class Listing {
    @Mixin ListFilter filter;
  }

  private static ListFilter filter(String... options) {
    Listing listing = new Listing();
    new CommandLine(listing).parseArgs(options);
    return listing.filter;
  }

  @Test
  void labelsAreJoinedByCommasOrGivenOneByOne() {
    assertThat(filter("-l", "a=x,b=y", "-l", "c=").requirements())
        .containsExactly("a=x", "b=y", "c=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "=x", "a=x,", "a=x=y", "a!=x", "a=x,b"})
  void whatIsNoLabelIsRefused(String label) {
    ListFilter filter = filter("-l", label);
    assertThatThrownBy(() -> filter.check(Kinds.JOBS))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining(label);
  }

  @Test
  void anOptionThatSaysNothingAboutTheKindIsRefused() {
    assertThatThrownBy(() -> filter("--held").check(Kinds.RUNS)).hasMessageContaining("--held");
    assertThatThrownBy(() -> filter("-s", "READY").check(Kinds.FLEET))
        .hasMessage("--state is of jobs, runs and attempts, not of slices");
    assertThatThrownBy(() -> filter("--index", "1").check(Kinds.JOBS))
        .hasMessageContaining("--index");
    filter("-s", "failed", "--index", "1").check(Kinds.ATTEMPTS);
  }

  @Test
  void namesAreAcceptedWithTheKindBeforeThem() {
    assertThat(NameLookup.withoutKind(NamedKind.JOB, "job/night")).isEqualTo("night");
    assertThat(NameLookup.withoutKind(NamedKind.JOB, "jobs/a/night")).isEqualTo("a/night");
    assertThat(NameLookup.withoutKind(NamedKind.JOB, "a/night")).isEqualTo("a/night");
    assertThat(NameLookup.withoutKind(NamedKind.SCHEDULE, "schedule/daily"))
        .isEqualTo("schedule/daily");
    assertThat(NameLookup.withoutKind(NamedKind.SCHEDULE, "schedule/nightly/daily"))
        .isEqualTo("nightly/daily");
  }
}
