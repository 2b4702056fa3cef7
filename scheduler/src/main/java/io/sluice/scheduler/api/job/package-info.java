// SPDX-License-Identifier: Apache-2.0
/** Submission, jobs, attempts and their logs over REST. */
@NullMarked
package io.sluice.scheduler.api.job;

import org.jspecify.annotations.NullMarked;
