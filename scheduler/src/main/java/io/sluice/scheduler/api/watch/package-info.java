// SPDX-License-Identifier: Apache-2.0
/**
 * The events of the journal over REST, as pages and as streams of server-sent events. It does not
 * decide which watcher is given which event.
 */
@NullMarked
package io.sluice.scheduler.api.watch;

import org.jspecify.annotations.NullMarked;
