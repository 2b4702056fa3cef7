// Pans the Timeline's chart with 20,000 bars for 240 frames; returns the times of its frames.
async ([rows, hours]) => {
  const BARS = 20_000;
  const FRAMES = 240;
  const KINDS = ["past", "past", "past", "running", "draining", "firm", "promised", "expected", "booked"];
  const folder = new URL("pages/timeline/", [...document.scripts].at(-1).src);
  const { TimelineChart } = await import(new URL("chart.js", folder).pathname);
  const { layoutOf } = await import(new URL("layout.js", folder).pathname);
  const span = hours * 3_600_000;
  const now = Date.now();
  const each = BARS / rows;
  const step = span / each;
  const bar = (row, i) => {
    const from = now - span / 2 + i * step;
    const kind = KINDS[(i + row) % KINDS.length];
    const to = from + step * (0.3 + ((i * 7 + row) % 10) / 20);
    return {
      kind, look: kind + " " + (i % 8), row: "r" + row, from, start: from, earliest: from,
      latest: from + step / 2, to, name: "train-" + i, slices: [], amounts: [],
    };
  };
  const groups = [{
    key: "g",
    name: "g",
    rows: Array.from({ length: rows }, (_, row) => ({
      key: "r" + row, name: "slice-" + row, bars: Array.from({ length: each }, (_, i) => bar(row, i)),
    })),
  }];
  const layout = layoutOf(groups, new Set());
  const outer = document.createElement("div");
  Object.assign(outer.style, { position: "fixed", top: "0", width: "1240px", height: "600px", overflow: "auto" });
  const inner = document.createElement("div");
  inner.style.height = layout.height + "px";
  const view = document.createElement("canvas");
  Object.assign(view.style, { position: "sticky", top: "0", width: "1240px", height: "600px" });
  const scale = document.createElement("canvas");
  inner.append(view);
  outer.append(inner);
  document.body.append(outer, scale);
  const ignored = () => {};
  const chart = new TimelineChart(
    outer, view, scale, { from: now - span / 2, to: now + span / 2 }, false,
    { onRange: ignored, onSelect: ignored, onHover: ignored, onOpen: ignored, onChange: ignored });
  chart.setLayout(layout);
  const draws = [];
  const draw = chart.draw.bind(chart);
  chart.draw = () => {
    const begun = performance.now();
    draw();
    draws.push(performance.now() - begun);
  };
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < FRAMES; frame++) {
    const there = frame < FRAMES / 2;
    chart.panBy(there ? 7 : -7);
    outer.scrollTop += frame % 3 === 0 ? (there ? 5 : -5) : 0;
    const at = await new Promise(requestAnimationFrame);
    frames.push(at - last);
    last = at;
  }
  chart.close();
  outer.remove();
  scale.remove();
  const share = (times, part) => times.sort((one, other) => one - other)[Math.floor(times.length * part)].toFixed(1);
  return `${draws.length} drawn frames; from one to the next p50 ${share(frames, 0.5)} ms, p95 ${share(frames, 0.95)} ms; `
    + `drawing p50 ${share(draws, 0.5)} ms, p95 ${share(draws, 0.95)} ms`;
}
