// SPDX-License-Identifier: Apache-2.0
/** Explanations, events and previews as JSON and as sentences. */
@NullMarked
package io.sluice.scheduler.api.explanation;

import org.jspecify.annotations.NullMarked;
