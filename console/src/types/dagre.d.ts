// SPDX-License-Identifier: Apache-2.0
/** The part of @dagrejs/dagre that the console uses. */
export namespace graphlib {
  class Graph {
    setGraph(label: { rankdir?: "TB" | "LR"; nodesep?: number; ranksep?: number; marginx?: number; marginy?: number }): this;
    setDefaultEdgeLabel(label: () => object): this;
    setNode(id: string, label: { width: number; height: number }): this;
    setEdge(from: string, to: string): this;
    node(id: string): { x: number; y: number; width: number; height: number };
    edge(from: string, to: string): { points: { x: number; y: number }[] };
    graph(): { width?: number; height?: number };
  }
}
export function layout(graph: graphlib.Graph): void;
