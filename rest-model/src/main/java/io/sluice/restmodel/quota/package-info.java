// SPDX-License-Identifier: Apache-2.0
/** Quota objects, pending jobs of queues, and imports and exports of Kueue in answers. */
@NullMarked
package io.sluice.restmodel.quota;

import org.jspecify.annotations.NullMarked;
