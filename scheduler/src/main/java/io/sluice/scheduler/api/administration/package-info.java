// SPDX-License-Identifier: Apache-2.0
/** The server, its journal, its audit and its backup over REST. */
@NullMarked
package io.sluice.scheduler.api.administration;

import org.jspecify.annotations.NullMarked;
