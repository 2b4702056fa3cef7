// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.job.JobId;
import org.jspecify.annotations.Nullable;

/** The parameters of a request for logs; see {@link LogResource#logs}. */
record LogRequest(
    JobId job,
    int index,
    @Nullable Integer attempt,
    @Nullable String pod,
    @Nullable Integer tail,
    boolean follow) {}
