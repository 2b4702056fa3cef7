// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.job.JobId;
import org.jspecify.annotations.Nullable;

/** Which log somebody wants to read; see {@link LogResource#logs}. */
record LogRequest(
    JobId job,
    int index,
    @Nullable Integer attempt,
    @Nullable String pod,
    @Nullable Integer tail,
    boolean follow) {}
