// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.explanation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Measured use of TPU chips, from the latest metrics of their nodes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AcceleratorUsage(
    @JsonPropertyDescription("Number of chips with at least one metric") int chips,
    @JsonPropertyDescription(
            "Percent of the time in which the chips computed; absent if not reported")
        @Nullable BigDecimal dutyCyclePercent,
    @JsonPropertyDescription("Percent of the capacity of the TensorCores; absent if not reported")
        @Nullable BigDecimal tensorcoreUtilizationPercent,
    @JsonPropertyDescription("Percent of the memory bandwidth; absent if not reported")
        @Nullable BigDecimal memoryBandwidthUtilizationPercent,
    @JsonPropertyDescription("Used bytes of memory of all chips; absent if not reported")
        @Nullable Long hbmUsedBytes,
    @JsonPropertyDescription("Bytes of memory of all chips; absent if not reported")
        @Nullable Long hbmTotalBytes,
    @JsonPropertyDescription("When the oldest of the metrics was read") Instant readAt) {}
