// SPDX-License-Identifier: Apache-2.0
import type { VNode } from "preact";
declare const htm: {
  bind(h: unknown): (strings: TemplateStringsArray, ...values: unknown[]) => VNode<any>;
};
export default htm;
