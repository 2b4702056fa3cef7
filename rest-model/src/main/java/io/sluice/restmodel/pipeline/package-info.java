// SPDX-License-Identifier: Apache-2.0
/** Bodies about pipelines, their runs, schedules and backfills. */
@NullMarked
package io.sluice.restmodel.pipeline;

import org.jspecify.annotations.NullMarked;
