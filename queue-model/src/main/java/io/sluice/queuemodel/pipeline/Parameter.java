// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A parameter of a pipeline.
 *
 * @param fallback the value of a run that names none, as JSON; null: a run must name one
 * @param description for people; may be empty
 */
public record Parameter(String name, @Nullable String fallback, String description) {}
