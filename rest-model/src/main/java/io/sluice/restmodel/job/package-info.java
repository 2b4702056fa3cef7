// SPDX-License-Identifier: Apache-2.0
/** Bodies of requests and answers about jobs. */
@NullMarked
package io.sluice.restmodel.job;

import org.jspecify.annotations.NullMarked;
