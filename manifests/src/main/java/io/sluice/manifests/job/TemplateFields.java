// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.job;

import io.sluice.manifests.field.AffinityFields;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.field.SelectorFields;
import io.sluice.manifests.field.TaintFields;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields about pods in a Job's spec or in one of its pod sets. Null: it says nothing, and
 * the spec's word counts; only the environments are merged. The arguments of the spec follow the
 * spec's command, so a pod set with a command of its own does not take them.
 *
 * @param command without the arguments
 */
record TemplateFields(
    @Nullable String image,
    @Nullable List<String> command,
    @Nullable List<String> args,
    EnvironmentFields environment,
    @Nullable ResourceList requests,
    Placement placement) {
  private static final int IMAGE_LENGTH_MAX = 1024;
  private static final int WORDS_MAX = 1000;
  static final int BYTES_MAX = 256 * 1024;

  /** The node requirements of pods. */
  record Placement(
      @Nullable Labels nodeSelector,
      @Nullable List<Toleration> tolerations,
      @Nullable NodeAffinity affinity,
      @Nullable List<List<Requirement>> selectors) {
    /** This, and what the spec says where this says nothing. */
    Placement over(Placement spec) {
      return new Placement(
          nodeSelector == null ? spec.nodeSelector : nodeSelector,
          tolerations == null ? spec.tolerations : tolerations,
          affinity == null ? spec.affinity : affinity,
          selectors == null ? spec.selectors : selectors);
    }
  }

  static TemplateFields read(ObjectCursor cursor, ReadingTerms terms) {
    Labels nodeSelector = LabelFields.labels(cursor, "nodeSelector", Schema.LABELS_MAX);
    List<Toleration> tolerations =
        TaintFields.tolerations(cursor, "tolerations", Schema.TOLERATIONS_MAX);
    return new TemplateFields(
        cursor.text("image", TemplateFields::requireImage),
        words(cursor, "command"),
        words(cursor, "args"),
        EnvironmentFields.read(cursor),
        requests(cursor),
        new Placement(
            cursor.has("nodeSelector") ? nodeSelector : null,
            cursor.has("tolerations") ? tolerations : null,
            AffinityFields.read(cursor),
            SelectorFields.read(cursor, terms)));
  }

  private static String requireImage(String image) {
    if (image.isBlank()
        || image.length() > IMAGE_LENGTH_MAX
        || image.chars().anyMatch(Character::isWhitespace)) {
      throw new InvalidValueException(
          "must be an image's reference: at most " + IMAGE_LENGTH_MAX + " characters, no spaces");
    }
    return image;
  }

  private static @Nullable List<String> words(ObjectCursor cursor, String field) {
    List<String> words = cursor.texts(field, WORDS_MAX, word -> word);
    return cursor.has(field) ? words : null;
  }

  private static @Nullable ResourceList requests(ObjectCursor cursor) {
    ResourceList amounts = cursor.amounts("requests");
    return cursor.has("requests") ? amounts : null;
  }

  /** These fields, and the spec's where there are none. */
  TemplateFields over(TemplateFields spec) {
    return new TemplateFields(
        image == null ? spec.image : image,
        command == null ? spec.command : command,
        args == null && command == null ? spec.args : args,
        environment.over(spec.environment),
        requests == null ? spec.requests : requests,
        placement.over(spec.placement));
  }

  /** The template that the fields make, checked as a whole; the cursor takes what is wrong. */
  PodTemplate template(ObjectCursor cursor) {
    refuseTooMuch(cursor);
    refuseMissingProgram(cursor);
    List<String> words = new ArrayList<>(command == null ? List.of() : command);
    words.addAll(args == null ? List.of() : args);
    return new PodTemplate(
        image,
        words,
        environment.values(),
        environment.secrets(),
        requests == null ? ResourceList.NONE : requests,
        placement.nodeSelector == null ? Labels.NONE : placement.nodeSelector,
        placement.tolerations == null ? List.of() : placement.tolerations,
        (placement.affinity == null ? NodeAffinity.ANY : placement.affinity)
            .choosing(placement.selectors == null ? List.of() : placement.selectors));
  }

  /** An empty command beside an image is the image's own, and may stand against the spec's. */
  private void refuseMissingProgram(ObjectCursor cursor) {
    if (command == null && image == null) {
      cursor.refuse("command", "is required, unless there is an image");
    } else if (command != null && !command.isEmpty()) {
      if (command.get(0).isBlank()) {
        cursor.refuse("command", "must begin with the name of a program");
      }
    } else if (cursor.violations().isEmpty()) {
      if (args != null && !args.isEmpty()) {
        cursor.refuse("args", "must follow a command: there is none");
      } else if (image == null) {
        cursor.refuse("command", "must have at least one entry, unless there is an image");
      }
    }
  }

  private void refuseTooMuch(ObjectCursor cursor) {
    List<String> words = new ArrayList<>(command == null ? List.of() : command);
    words.addAll(args == null ? List.of() : args);
    if (words.size() > WORDS_MAX) {
      cursor.refuse(
          "args", "make " + words.size() + " words with the command: at most " + WORDS_MAX);
    }
    if (exceeds(words)) {
      cursor.refuse("command", "has more than " + BYTES_MAX + " bytes with its args");
    }
    environment.refuseTooMuch(cursor);
  }

  /** Whether the texts are too many bytes; it stops counting when they are. */
  static boolean exceeds(List<String> texts) {
    long bytes = 0;
    for (String text : texts) {
      bytes +=
          text.length() > BYTES_MAX ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > BYTES_MAX) {
        return true;
      }
    }
    return false;
  }
}
