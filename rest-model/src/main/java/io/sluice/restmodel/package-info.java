// SPDX-License-Identifier: Apache-2.0
/** Bodies of requests and answers that belong to no noun alone. */
@NullMarked
package io.sluice.restmodel;

import org.jspecify.annotations.NullMarked;
