// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quantity.ResourceList;

/** A machine that runs processes: a node, or a virtual host of this machine. */
public record Host(String name, Labels labels, ResourceList capacity) {}
