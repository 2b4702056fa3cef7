// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.DocumentWriter;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.fleet.FleetReader;
import io.sluice.manifests.fleet.FleetWriter;
import io.sluice.manifests.job.JobWriter;
import io.sluice.manifests.pipeline.PipelineWriter;
import io.sluice.manifests.quota.ClassDefaultsFields;
import io.sluice.manifests.quota.QuotaObjectWriter;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.List;

/**
 * Writes manifests in their canonical form: Kueue's kinds in {@code v1beta2}, fields in a fixed
 * order, defaults that have a word spelled out. What {@link ManifestReader} read and this class
 * wrote is read again as equal, and equal objects are written alike.
 */
public final class ManifestWriter {
  private static final QuotaObjectWriter QUOTA_OBJECTS = new QuotaObjectWriter();

  private ManifestWriter() {}

  public static ObjectNode toJson(QuotaObject object) {
    return object.fold(QUOTA_OBJECTS);
  }

  /** What a ComputeClass fills in, as its annotation has it. */
  public static ObjectNode toJson(ClassDefaults defaults) {
    return ClassDefaultsFields.write(defaults);
  }

  /**
   * The job's manifest.
   *
   * @throws IllegalArgumentException if no manifest could have made the job: its accelerator does
   *     not make its pod sets
   */
  public static ObjectNode toJson(JobSpec job) {
    return JobWriter.write(job);
  }

  /**
   * The fleet's manifest, with the name {@code fleet}. A fleet that has not exactly the labels and
   * capacities that the reader gives is written expanded.
   */
  public static ObjectNode toJson(Fleet fleet) {
    return write(ObjectMeta.named(FleetReader.DEFAULT_NAME), fleet);
  }

  private static ObjectNode write(ObjectMeta meta, Fleet fleet) {
    return FleetWriter.write(meta, fleet, ManifestReader::readFleet);
  }

  /** The pipeline's manifest; ranges and matrices are written as the lists that they make. */
  public static ObjectNode toJson(Pipeline pipeline) {
    return PipelineWriter.write(pipeline);
  }

  public static ObjectNode toJson(Manifest manifest) {
    return manifest.fold(
        new Manifest.Fold<ObjectNode>() {
          @Override
          public ObjectNode quota(QuotaObject object) {
            return toJson(object);
          }

          @Override
          public ObjectNode job(JobSpec job) {
            return toJson(job);
          }

          @Override
          public ObjectNode fleet(ObjectMeta meta, Fleet fleet) {
            return write(meta, fleet);
          }

          @Override
          public ObjectNode pipeline(Pipeline pipeline) {
            return toJson(pipeline);
          }
        });
  }

  /** JSON on one line. */
  public static String writeJson(ObjectNode manifest) {
    return DocumentWriter.json(manifest);
  }

  /** One YAML document, which begins with {@code ---} and ends with a line's end. */
  public static String writeYaml(ObjectNode manifest) {
    return DocumentWriter.yaml(manifest);
  }

  /** YAML of one document a manifest. */
  public static String writeYaml(List<Manifest> manifests) {
    StringBuilder text = new StringBuilder();
    manifests.forEach(manifest -> text.append(writeYaml(toJson(manifest))));
    return text.toString();
  }
}
