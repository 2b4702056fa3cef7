// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.Configuration;
import io.sluice.manifests.ConfigurationReader;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceleratorCatalogueReaderTest {
  private static final String HEAD =
      """
      apiVersion: sluice.io/v1
      kind: AcceleratorCatalogue
      spec:
      """;
  private static final String MORE =
      HEAD
          + """
            tpus:
            - name: v8
              nodeLabel: tpu-v8-slice
              podTypePrefix: v8pod
              coresPerChip: 2
              rayType: TPU-V8
              pathwaysPrefix: tpuv8
              machines:
              - {name: ct8-standard-4t, chipsPerHost: 4, topologies: [2x2, 4x4]}
              - {name: ct8-standard-8t, chipsPerHost: 8, topologies: [2x4, 4x4]}
            - name: v6e
              machines:
              - {name: ct6e-standard-4t, topologies: [16x32]}
            gpus:
            - {name: b300, nodeLabel: nvidia-b300, machines: [{name: a4-ultragpu-8g, gpus: 8}]}
            machineFamilies:
            - {name: z3, series: [{name: highmem, memoryGbPerCore: 8, cores: [88, 176]}]}
          """;
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      spec: {queue: main, command: [a], accelerator: {type: %s, topology: %s%s}}
      """;

  private static AcceleratorCatalogue catalogue(String text) {
    return ConfigurationReader.read(text).catalogue();
  }

  private static List<String> violations(String text) {
    return catchThrowableOfType(
            InvalidManifestException.class, () -> ConfigurationReader.read(text))
        .violations()
        .stream()
        .map(Violation::toString)
        .toList();
  }

  private static JobSpec job(String type, String topology, String more) {
    return ManifestReader.readJob(
        JOB.formatted(type, topology, more), ReadingTerms.of(catalogue(MORE)));
  }

  @Test
  void typesMachinesAndTopologiesAreAdded() {
    AcceleratorCatalogue read = catalogue(MORE);

    assertThat(read.type("v8").podType(SliceTopology.parse("4x4"))).isEqualTo("v8pod-32");
    assertThat(read.type("v8").otherNames().ray()).isEqualTo("TPU-V8");
    assertThat(read.type("v6e").hostsPerSlice(SliceTopology.parse("16x32"), null)).isEqualTo(128);
    assertThat(read.type("v6e").hostsPerSlice(SliceTopology.parse("4x4"), null)).isEqualTo(4);
    assertThat(read.gpu("nvidia-b300")).isNotNull();
    assertThat(read.family("z3")).isNotNull();
    assertThat(AcceleratorCatalogue.BUILT_IN.find("v8")).isNull();
  }

  @Test
  void aCatalogueStandsBesideAConfigurationInEitherOrder() {
    String configuration =
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        waitForPodsReady: {timeout: 10m}
        """;
    Configuration before = ConfigurationReader.read(MORE + "---\n" + configuration);
    Configuration after = ConfigurationReader.read(configuration + "---\n" + MORE);

    assertThat(before).isEqualTo(after);
    assertThat(before.starts().deadline()).isEqualTo(Duration.ofMinutes(10));
    assertThat(before.catalogue().find("v8")).isNotNull();
    assertThat(violations(configuration + "---\n" + configuration))
        .containsExactly("must hold one Configuration, and holds 2");
  }

  @Test
  void aNewGenerationIsUsedByJobsFleetsAndClasses() {
    AcceleratorRequest request = job("v8", "2x4", "").accelerator();
    assertThat(request).isEqualTo(new AcceleratorRequest("v8", SliceTopology.parse("2x4"), 1, 1));
    assertThat(job("v6e", "16x32", "").accelerator()).extracting("hostsPerSlice").isEqualTo(128);
    Fleet fleet =
        ManifestReader.readFleet(
            """
            apiVersion: sluice.io/v1
            kind: Fleet
            spec: {executor: local, slices: [{name: a, count: 2, type: v8, topology: 2x2}]}
            """,
            ReadingTerms.of(catalogue(MORE)));
    assertThat(fleet.slices().get(1).labels().get("cloud.google.com/gke-tpu-accelerator"))
        .isEqualTo("tpu-v8-slice");
    ComputeClass ladder = ladder(ReadingTerms.of(catalogue(MORE)));
    assertThat(ladder.rungs().get(0).slices())
        .isEqualTo(new Rung.Slices("v8", SliceTopology.parse("4x4"), 8));
  }

  private static ComputeClass ladder(ReadingTerms terms) {
    String text =
        """
        apiVersion: cloud.google.com/v1
        kind: ComputeClass
        metadata: {name: eights}
        spec: {priorities: [{tpu: {type: tpu-v8-slice, count: 8, topology: 4x4}, spot: true}]}
        """;
    Manifest read =
        ManifestReader.readPlaced(text.getBytes(StandardCharsets.UTF_8), terms).get(0).manifest();
    return (ComputeClass) ((Manifest.QuotaManifest) read).object();
  }

  @Test
  void anAmbiguousTopologyIsToldByTheMachineOrItsChips() {
    assertThat(
            catchThrowableOfType(InvalidManifestException.class, () -> job("v8", "4x4", ""))
                .violations())
        .singleElement()
        .hasToString(
            "spec.accelerator.topology \"4x4\": is ambiguous for v8: name the machineType, one of"
                + " ct8-standard-4t (chipsPerHost 4), ct8-standard-8t (chipsPerHost 8)");
    assertThat(job("v8", "4x4", ", chipsPerHost: 8").accelerator())
        .extracting("hostsPerSlice")
        .isEqualTo(2);
    assertThat(job("v8", "4x4", ", machineType: ct8-standard-4t").accelerator())
        .extracting("hostsPerSlice")
        .isEqualTo(4);
  }

  @Test
  void whatWasStoredIsReadWithoutTheCatalogueThatItNeeded() {
    for (JobSpec job : List.of(job("v8", "2x2", ""), job("v6e", "16x32", ""))) {
      String stored = ManifestWriter.writeJson(ManifestWriter.toJson(job));
      assertThat(ManifestReader.readJob(stored, ReadingTerms.STORED)).isEqualTo(job);
      assertThat(ManifestReader.readJob(stored, ReadingTerms.of(catalogue(MORE)))).isEqualTo(job);
      assertThat(
              catchThrowableOfType(
                  InvalidManifestException.class, () -> ManifestReader.readJob(stored)))
          .isNotNull();
    }
    Fleet fleet =
        ManifestReader.readFleet(
            """
            apiVersion: sluice.io/v1
            kind: Fleet
            spec: {executor: local, slices: [{name: a, type: v8, topology: 4x4, chipsPerHost: 8}]}
            """,
            ReadingTerms.of(catalogue(MORE)));
    String stored = ManifestWriter.writeJson(ManifestWriter.toJson(fleet));
    assertThat(ManifestReader.readFleet(stored, ReadingTerms.STORED)).isEqualTo(fleet);
  }

  @Test
  void whatIsThereCannotBeChanged() {
    assertThat(
            violations(
                HEAD
                    + """
                      tpus:
                      - name: v6e
                        nodeLabel: other
                        machines:
                        - {name: ct6e-standard-4t, chipsPerHost: 8, topologies: [4x4]}
                      - {name: v9, nodeLabel: tpu-v6e-slice,
                         machines: [{name: m, chipsPerHost: 4, topologies: [2x2]}]}
                      - {name: v10, machines: [
                         {name: ct6e-standard-8t, chipsPerHost: 8, topologies: [2x4]}]}
                      gpus:
                      - {name: h100, nodeLabel: x, machines: [{name: b, gpus: 8}]}
                      machineFamilies:
                      - {name: n2, series: [{name: tiny, memoryGbPerCore: 1, cores: [1]}]}
                    """))
        .containsExactly(
            "spec.tpus[0].nodeLabel \"other\": must not be there: v6e is in the catalogue, and cannot"
                + " be changed",
            "spec.tpus[0].machines[0].chipsPerHost \"8\": must not be there: ct6e-standard-4t has 4"
                + " of old",
            "spec.tpus[0].machines[0].topologies[0] \"4x4\": is there already",
            "spec.tpus[1].name \"v9\": tpu-v6e-slice is in the catalogue twice",
            "spec.tpus[2].machines[0].name \"ct6e-standard-8t\": ct6e-standard-8t is in the catalogue"
                + " twice",
            "spec.gpus[0].name \"h100\": h100 is in the catalogue twice",
            "spec.machineFamilies[0].name \"n2\": n2 is in the catalogue twice");
  }

  @Test
  void whatMakesNoSenseIsRefusedWhereItStands() {
    assertThat(
            violations(
                HEAD
                    + """
                      tpus:
                      - name: v9
                        colour: red
                        rayType: V9
                        machines:
                        - {name: m, chipsPerHost: 4, topologies: [2x3, 1x4, big, 9999x9999x9999]}
                        - {name: other, topologies: []}
                      machineFamilies:
                      - {name: z4, series: [{name: big, memoryGbPerCore: 0, cores: [0, many]}]}
                    """))
        .containsExactly(
            "spec.tpus[0].rayType \"V9\": must begin with TPU-",
            "spec.tpus[0].machines[0].topologies[0] \"2x3\": has 6 chips, which are no whole hosts of"
                + " 4",
            "spec.tpus[0].machines[0].topologies[2] \"big\": must be a topology such as 4x4 or"
                + " 4x4x8",
            "spec.tpus[0].machines[0].topologies[3] \"9999x9999x9999\": has too many chips: at most"
                + " 102400000",
            "spec.tpus[0].machines[1].chipsPerHost: is required",
            "spec.tpus[0].machines[1].topologies \"[]\": must have at least one entry",
            "spec.tpus[0].colour \"red\": is not a field of a type of TPUs",
            "spec.machineFamilies[0].series[0].memoryGbPerCore \"0\": must be more than 0",
            "spec.machineFamilies[0].series[0].cores[0] \"0\": must be between 1 and 10000",
            "spec.machineFamilies[0].series[0].cores[1] \"many\": must be a whole number, without"
                + " quotes");
    assertThat(violations(HEAD.replace("spec:", "spec: {}")))
        .containsExactly("spec.machineFamilies: is required");
  }
}
