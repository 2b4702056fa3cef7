// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.preview.Preview;
import io.sluice.admission.preview.Previewer;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a preview says, in the words of scenarios. */
final class PreviewWords {
  private PreviewWords() {}

  /** The statements of the preview of an edit; of submitted jobs also what becomes of them. */
  static List<String> of(World world, List<Input> edit) {
    StateSnapshot before = world.state().snapshot();
    List<JobId> asked = new ArrayList<>();
    for (Input input : edit) {
      if (input instanceof Input.SubmitJob job) {
        asked.add(job.workload().id());
      }
    }
    Preview preview =
        new Previewer(before, world.state().policy(), world.clock().now(), () -> true)
            .preview(edit, asked);
    assertThat(world.state().snapshot()).isEqualTo(before);
    assertThat(preview.complete()).isTrue();
    List<String> told = new ArrayList<>();
    preview.gains().first().forEach(gain -> told.add(gain(gain)));
    preview.evictions().first().forEach(eviction -> told.add(eviction(eviction)));
    preview.waits().first().forEach(wait -> told.add(wait(wait)));
    preview.excesses().first().forEach(excess -> told.add(excess(excess)));
    preview.jobs().forEach(job -> told.add(outcome(world, job)));
    return told;
  }

  private static String gain(Preview.Gain gain) {
    return gain.who().name() + " gains" + (gain.indices() == 1 ? "" : " " + gain.indices());
  }

  private static String eviction(Preview.Eviction eviction) {
    String cause = eviction.drain().cause().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    Preview.Who preemptor = eviction.preemptor();
    return holder(eviction.victim())
        + " evicted"
        + (preemptor == null ? ": " + cause : " for " + preemptor.name());
  }

  private static String wait(Preview.Wait wait) {
    String why = wait.why() == null ? "" : " " + wait.why().blocker();
    return wait.who().name() + " waits" + why;
  }

  private static String excess(Preview.Excess excess) {
    String holders =
        excess.attempts().first().stream()
            .map(PreviewWords::holder)
            .collect(Collectors.joining(" "));
    return "%s %s over %d: %s"
        .formatted(
            excess.node().queue() ? "queue" : "cohort",
            excess.node().name(),
            excess.excess(),
            holders);
  }

  private static String outcome(World world, Preview.Outcome job) {
    String name = world.nameOf(job.job());
    return job.why() == null ? name + " starts" : name + " would wait " + job.why().blocker();
  }

  private static String holder(Preview.Holder holder) {
    return holder.who().name();
  }
}
