// SPDX-License-Identifier: Apache-2.0
/** Texts that programs report, with the characters and lengths that can be stored. */
@NullMarked
package io.sluice.queuemodel.event.text;

import org.jspecify.annotations.NullMarked;
