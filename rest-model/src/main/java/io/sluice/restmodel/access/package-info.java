// SPDX-License-Identifier: Apache-2.0
/** Tokens of callers in requests and answers. */
@NullMarked
package io.sluice.restmodel.access;

import org.jspecify.annotations.NullMarked;
