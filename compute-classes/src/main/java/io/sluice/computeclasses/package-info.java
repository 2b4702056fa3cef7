// SPDX-License-Identifier: Apache-2.0
/**
 * The accelerator catalogue and its arithmetic. The rungs of compute classes and what they mean. It
 * does not know what is free.
 */
@NullMarked
package io.sluice.computeclasses;

import org.jspecify.annotations.NullMarked;
