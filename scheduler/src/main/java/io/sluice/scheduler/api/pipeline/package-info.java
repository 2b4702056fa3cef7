// SPDX-License-Identifier: Apache-2.0
/** Pipelines, runs, schedules and backfills over REST. */
@NullMarked
package io.sluice.scheduler.api.pipeline;

import org.jspecify.annotations.NullMarked;
