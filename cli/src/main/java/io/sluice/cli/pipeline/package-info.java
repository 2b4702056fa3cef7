// SPDX-License-Identifier: Apache-2.0
/** Commands on runs and schedules. */
@NullMarked
package io.sluice.cli.pipeline;

import org.jspecify.annotations.NullMarked;
