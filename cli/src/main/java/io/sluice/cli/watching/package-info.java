// SPDX-License-Identifier: Apache-2.0
/** Following the events of the journal, also over a restart of the server. */
@NullMarked
package io.sluice.cli.watching;

import org.jspecify.annotations.NullMarked;
