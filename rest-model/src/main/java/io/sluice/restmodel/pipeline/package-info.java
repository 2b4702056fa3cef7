// SPDX-License-Identifier: Apache-2.0
/** Pipelines and their runs. */
@NullMarked
package io.sluice.restmodel.pipeline;

import org.jspecify.annotations.NullMarked;
