// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.client.ClientException;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which job the options of a submission describe. */
class SubmitCommandTest {
  private static SubmitCommand command(String... options) {
    SubmitCommand command = new SubmitCommand();
    new CommandLine(command).parseArgs(options);
    return command;
  }

  private static JobSpec job(String... options) {
    return ManifestReader.readJob(command(options).manifest().toString());
  }

  private static AcceleratorRequest accelerator(String... options) {
    return Objects.requireNonNull(job(options).accelerator());
  }

  @Test
  void aRangeOfSlicesMakesAnElasticJob() {
    AcceleratorRequest elastic =
        accelerator("-q", "main", "--accelerator", "v6e:4x4", "--slices", "1..4", "true");
    assertThat(elastic.slices().min()).isEqualTo(1);
    assertThat(elastic.slices().max()).isEqualTo(4);
    assertThat(elastic.elastic()).isTrue();
  }

  @Test
  void aNumberOfSlicesIsThatManyAndNoNumberIsOne() {
    AcceleratorRequest two =
        accelerator("-q", "main", "--accelerator", "v6e:4x4", "--slices", "2", "true");
    assertThat(two.elastic()).isFalse();
    assertThat(two.slices().max()).isEqualTo(2);
    AcceleratorRequest one = accelerator("-q", "main", "--accelerator", "v6e:4x4", "true");
    assertThat(one.slices().max()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "1..", "..4", "1..4..8", "1.5", ""})
  void slicesThatAreNeitherNumberNorRangeAreRefused(String slices) {
    SubmitCommand command =
        command("-q", "main", "--accelerator", "v6e:4x4", "--slices=" + slices, "true");
    assertThatThrownBy(command::manifest)
        .isInstanceOf(ClientException.class)
        .hasMessageContaining("--slices must be a number such as 2, or a range such as 1..4");
  }

  @Test
  void aClassStandsInForAQueue() {
    JobSpec left = job("--compute-class", "cheap", "true");
    assertThat(left.computeClass()).isEqualTo("cheap");
    assertThat(left.queued()).isFalse();
    SubmitCommand neither = command("true");
    assertThatThrownBy(neither::manifest).isInstanceOf(ClientException.class);
  }
}
