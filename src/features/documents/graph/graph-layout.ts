// Computes the positions of the parts of a graph, in pixels.

import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { splitAtClockChanges, type OffsetInterval } from '../rules/local-times.ts';
import type { SampleTable } from '../rules/document-table.ts';
import { estimateTextWidth } from '../formats/text-width.ts';
import { fontSizes, isNarrow, pageMargin } from './graph-style.ts';
import type { GraphSeries } from './series.ts';
import { createValueScale, type ValueScale } from './value-scale.ts';

export type PanelLayout = { readonly series: GraphSeries; readonly scale: ValueScale; readonly top: number };

export type GraphLayout = {
  readonly width: number;
  readonly margin: number;
  /** The horizontal bounds of the plots. */
  readonly left: number;
  readonly right: number;
  /** From the top of the first panel to the bottom of the last. */
  readonly top: number;
  readonly bottom: number;
  readonly panels: readonly PanelLayout[];
  readonly toX: ScaleLinear<number, number>;
  /** The period, divided at clock changes. */
  readonly intervals: readonly OffsetInterval[];
};

/** The space for the name of a panel above its plot. */
export const panelTitleHeight = 22;
const panelGap = 14;
export const labelGap = 8;
const lineHeights = { narrow: 80, wide: 92 } as const;

type LayOutGraphInput = {
  readonly table: SampleTable;
  readonly series: readonly GraphSeries[];
  readonly width: number;
  readonly top: number;
};

export function layOutGraph({ table, series, width, top }: LayOutGraphInput): GraphLayout {
  const lineHeight = isNarrow(width) ? lineHeights.narrow : lineHeights.wide;
  const scales = series.map((each) => createValueScale(each, lineHeight));
  const margin = pageMargin(width);
  const left = Math.ceil(margin + computeLabelWidth(scales, width) + labelGap);
  const right = width - margin;
  let y = top;
  const panels = series.map((each, index): PanelLayout => {
    const scale = scales[index] as ValueScale;
    const panel = { series: each, scale, top: y + panelTitleHeight };
    y = panel.top + scale.height + panelGap;
    return panel;
  });
  const [from, through] = choosePeriod(table);
  const toX = scaleLinear([from, through], [left, right]);
  const intervals = splitAtClockChanges(from, through, table.timeZone);
  return { width, margin, left, right, top, bottom: y - panelGap, panels, toX, intervals };
}

/** Longer labels are cut. */
const maxLabelShare = 0.24;

function computeLabelWidth(scales: readonly ValueScale[], width: number): number {
  const widths = scales.flatMap(({ ticks }) => ticks.map(({ label }) => estimateTextWidth(label, fontSizes.label)));
  return Math.min(width * maxLabelShare, Math.max(24, ...widths));
}

const shortestPeriodMs = 2000;

/** The period of all samples, extended if it is too short for a scale. */
function choosePeriod({ fromMs2000, throughMs2000, rows }: SampleTable): [number, number] {
  const from = Math.min(fromMs2000, rows[0]?.ms2000 ?? fromMs2000);
  const through = Math.max(throughMs2000, rows.at(-1)?.ms2000 ?? throughMs2000);
  const missing = Math.ceil(Math.max(0, shortestPeriodMs - (through - from)) / 2);
  return [from - missing, through + missing];
}
