// Measures the formats of a document without HTTP: graphs against the chart library, and JSON against JSON.stringify of
// the rows.

import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { renderDocument } from '../src/features/documents/formats/render-document.ts';
import type { DocumentHead, DocumentSamples } from '../src/features/documents/rules/document-table.ts';
import { fromMs2000 } from '../src/lib/time/ms2000.ts';
import { createManySeries } from '../test/documents/support/sample-documents.ts';
import { reportComparison, type Comparison } from './support/measure.ts';

const width = 1200;

export async function benchmarkDocumentsGraph(): Promise<void> {
  const { head, samples } = createManySeries(3000);
  const graph = (): number => renderDocument('svg', head, samples, { width }).length;
  const series = seriesOf(head, samples);
  const plainGraph = (): number => new TextEncoder().encode(drawPlainly(series)).length;
  reportComparison('SVG of 16 series of 3,000 points, against d3, in ms', compareTimes(graph, plainGraph), { most: 3 });
  const table = createManySeries(5000, 10);
  const json = (): number => renderDocument('json', table.head, table.samples, { width }).length;
  const rows = rowsOf(table.samples);
  const stringified = (): number => new TextEncoder().encode(JSON.stringify(rows)).length;
  const { ratio, subject, base } = compareTimes(json, stringified);
  reportComparison(
    'JSON of 50,000 samples, against JSON.stringify of their rows, in ms',
    { ratio: 1 / ratio, subject, base },
    { least: 0.3 },
  );
}

const rounds = 15;

/** Runs both alternately in one thread and compares their times. */
function compareTimes(subject: () => number, base: () => number): Comparison {
  const times: [subject: number, base: number][] = [];
  for (let round = 0; round < rounds + 5; round += 1) times.push([measureMs(subject), measureMs(base)]);
  // The first runs warm up the compiler.
  const measured = times.slice(5);
  return {
    ratio: median(measured.map(([a, b]) => a / b)),
    subject: median(measured.map(([a]) => a)),
    base: median(measured.map(([, b]) => b)),
  };
}

function measureMs(work: () => number): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

type PlainSeries = readonly (readonly [epochMs: number, value: number])[];

function seriesOf({ columns }: DocumentHead, { ms2000, columns: indexes, texts }: DocumentSamples): PlainSeries[] {
  const series = columns.map((): [number, number][] => []);
  for (const [at, index] of indexes.entries()) series[index]?.push([fromMs2000(ms2000[at] ?? 0), Number(texts[at])]);
  return series;
}

/**
 * The same panels drawn by the chart library: it computes scales and ticks itself and draws each point; the texts
 * around the panels are left out.
 */
function drawPlainly(series: readonly PlainSeries[]): string {
  const height = 92;
  const times = series.flatMap((points) => [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]);
  const toX = scaleUtc([Math.min(...times), Math.max(...times)], [60, width - 24]);
  const panels = series.map((points, panel) => {
    const values = points.map(([, value]) => value);
    const toY = scaleLinear([Math.min(...values), Math.max(...values)], [height, 0]).nice(3);
    const format = toY.tickFormat(3);
    const ticks = toY
      .ticks(3)
      .map((tick) => `<path d="M60,${toY(tick)}H${width - 24}"/><text x="52" y="${toY(tick)}">${format(tick)}</text>`);
    const path = line<readonly [number, number]>(
      ([at]) => toX(at),
      ([, value]) => toY(value),
    ).digits(1);
    const grid = toX.ticks(15).map((tick) => `<path d="M${toX(tick)},0V${height}"/>`);
    return `<g transform="translate(0,${panel * 128})">${grid.join('')}${ticks.join('')}<path d="${path(points as [number, number][])}"/></g>`;
  });
  const formatTime = toX.tickFormat(15);
  const labels = toX.ticks(15).map((tick) => `<text x="${toX(tick)}" y="2070">${formatTime(tick)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 2100">${panels.join('')}${labels.join('')}</svg>`;
}

/** The rows as a database returns them. */
const rowsOf = ({ ms2000, columns, texts }: DocumentSamples) =>
  ms2000.map((recorded_at, at) => ({ recorded_at, column_id: columns[at], value: texts[at] }));
