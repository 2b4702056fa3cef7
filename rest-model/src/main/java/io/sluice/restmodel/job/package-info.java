// SPDX-License-Identifier: Apache-2.0
/** Jobs, their attempts and events, and the answers to requests about them. */
@NullMarked
package io.sluice.restmodel.job;

import org.jspecify.annotations.NullMarked;
