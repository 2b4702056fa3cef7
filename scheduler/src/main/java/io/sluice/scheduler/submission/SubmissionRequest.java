// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Jobs that are to be written together, and the receiver of the answer. */
public record SubmissionRequest(
    List<Submission> jobs, CompletableFuture<List<Acknowledgement>> answer) {}
