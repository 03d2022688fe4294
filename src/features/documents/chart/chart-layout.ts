// Where the parts of a chart stand, in pixels.

import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { splitAtClockChanges, type OffsetInterval } from '../rules/local-times.ts';
import type { DocumentTable } from '../rules/document-table.ts';
import { estimateTextWidth } from '../forms/text-width.ts';
import { fontSizes, isNarrow, pageMargin } from './chart-style.ts';
import type { ChartSeries } from './series.ts';
import { createValueScale, type ValueScale } from './value-scale.ts';

export type PanelLayout = { readonly series: ChartSeries; readonly scale: ValueScale; readonly top: number };

export type ChartLayout = {
  readonly width: number;
  readonly margin: number;
  /** Of the plots. */
  readonly left: number;
  readonly right: number;
  /** From the first panel to below the last. */
  readonly top: number;
  readonly bottom: number;
  readonly panels: readonly PanelLayout[];
  readonly toX: ScaleLinear<number, number>;
  /** The period, divided where clocks change. */
  readonly intervals: readonly OffsetInterval[];
};

/** The name of a panel stands above its plot. */
export const panelTitleHeight = 22;
const panelGap = 14;
export const labelGap = 8;
const lineHeights = { narrow: 80, wide: 92 } as const;

type LayOutChartInput = {
  readonly table: DocumentTable;
  readonly series: readonly ChartSeries[];
  readonly width: number;
  readonly top: number;
};

export function layOutChart({ table, series, width, top }: LayOutChartInput): ChartLayout {
  const lineHeight = isNarrow(width) ? lineHeights.narrow : lineHeights.wide;
  const scales = series.map((each) => createValueScale(each, lineHeight));
  const margin = pageMargin(width);
  const left = Math.ceil(margin + computeLabelWidth(scales, width) + labelGap);
  const right = width - margin;
  let y = top;
  const panels = series.map((each, at): PanelLayout => {
    const scale = scales[at] as ValueScale;
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

/** Of all samples, and long enough to have a scale. */
function choosePeriod({ fromMs2000, throughMs2000, rows }: DocumentTable): [number, number] {
  const from = Math.min(fromMs2000, rows[0]?.ms2000 ?? fromMs2000);
  const through = Math.max(throughMs2000, rows.at(-1)?.ms2000 ?? throughMs2000);
  const missing = Math.ceil(Math.max(0, shortestPeriodMs - (through - from)) / 2);
  return [from - missing, through + missing];
}
