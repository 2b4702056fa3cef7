// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ClientException;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobSpec;
import org.junit.jupiter.api.Test;

/** The manifest of a job that is submitted again. */
class ResubmitCommandTest {
  private static JsonNode job(String array, String failed, int count) throws Exception {
    String json =
        "{'apiVersion':'sluice.io/v1','kind':'Job','metadata':{'name':'sweep','namespace':'a'},"
            + "'spec':{'queue':'main','command':['true']%s},'id':'x','status':{'state':'FAILED',"
            + "'clusterQueue':'lab','createdAt':'2026-11-22T12:00:00Z',"
            + "'indices':{'failed':'%s','failedCount':%d,'succeeded':''}}}";
    return new ObjectMapper().readTree(json.formatted(array, failed, count).replace('\'', '"'));
  }

  private static JobSpec again(JsonNode job, boolean failed) {
    return ManifestReader.readJob(ResubmitCommand.manifest(job, failed).toString());
  }

  @Test
  void theWholeJobIsWhatWasSubmitted() throws Exception {
    JsonNode job = job(",'array':{'count':8,'maxParallel':3}", "2,5-6", 3);
    assertThat(again(job, false).array().count()).isEqualTo(8);
    assertThat(again(job, false).array().numbers()).isNull();
  }

  @Test
  void failedIndicesKeepTheirNumbersHoweverOftenTheyFail() throws Exception {
    JsonNode first = job(",'array':{'count':8,'maxParallel':3}", "2,5-6", 3);
    JobSpec second = again(first, true);
    assertThat(second.array().numbers()).isEqualTo(IndexRanges.parse("2,5-6"));
    assertThat(second.array().count()).isEqualTo(3);
    assertThat(second.array().maxParallel()).isEqualTo(3);

    JobSpec third = again(job(",'array':{'indices':'2,5-6','maxParallel':3}", "0,2", 2), true);
    assertThat(third.array().numbers()).isEqualTo(IndexRanges.parse("2,6"));
    assertThat(third.array().maxParallel()).isEqualTo(2);
    assertThat(third.array().number(1)).isEqualTo(6);
  }

  @Test
  void withoutAFailedIndexThereIsNothingToSubmit() throws Exception {
    JsonNode fine = job(",'array':{'count':8,'maxParallel':3}", "", 0);
    assertThatThrownBy(() -> ResubmitCommand.manifest(fine, true))
        .isInstanceOf(ClientException.class)
        .hasMessageContaining("no index of job sweep failed");
    JsonNode single = job("", "", 0);
    assertThatThrownBy(() -> ResubmitCommand.manifest(single, true))
        .hasMessageContaining("job sweep is none");
  }
}
