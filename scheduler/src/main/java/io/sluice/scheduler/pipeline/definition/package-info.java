// SPDX-License-Identifier: Apache-2.0
/** The rows of pipelines and their versions. It does not know the effects of runs. */
@NullMarked
package io.sluice.scheduler.pipeline.definition;

import org.jspecify.annotations.NullMarked;
