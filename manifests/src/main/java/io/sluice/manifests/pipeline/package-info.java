// SPDX-License-Identifier: Apache-2.0
/** Pipelines, their steps and their schedules as manifests. */
@NullMarked
package io.sluice.manifests.pipeline;

import org.jspecify.annotations.NullMarked;
