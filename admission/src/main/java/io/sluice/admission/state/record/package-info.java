// SPDX-License-Identifier: Apache-2.0
/** What is stored of jobs and attempts, as immutable values. It knows no index. */
@NullMarked
package io.sluice.admission.state.record;

import org.jspecify.annotations.NullMarked;
