// The style of pages to print, and how the columns of a table are laid out on them.

import { createStylePolicy } from '../../../lib/pages/style-policy.ts';
import type { SampleTable } from '../rules/document-table.ts';
import { estimateTextWidth } from './text-width.ts';

/** Pixels between the margins of an A4 page (96 to an inch). */
export const pageWidths = { portrait: 703, landscape: 1031 } as const;

export const cellFontSize = 11;
export const headingFontSize = 10;
/** The padding on both sides of a cell, with its border. */
export const cellPadding = 11;

export const htmlStyle = `
@page { size: A4 portrait; margin: 12mm 12mm 14mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #4a5360; } }
@page landscape { size: A4 landscape; margin: 12mm 12mm 14mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #4a5360; } }
body { margin: 0; font: ${cellFontSize}px/1.35 system-ui, sans-serif; color: #16202b; background: #fff; }
main.landscape { page: landscape; }
header { display: flex; justify-content: space-between; gap: 24px; align-items: flex-start;
  border-bottom: 2px solid #16202b; padding-bottom: 8px; margin-bottom: 12px; }
h1 { font-size: 20px; line-height: 1.2; margin: 0 0 2px; overflow-wrap: anywhere; }
p { margin: 0; }
.place { font-size: 13px; color: #38424e; overflow-wrap: anywhere; }
.facts { margin: 8px 0 0; display: grid; grid-template-columns: max-content 1fr; gap: 1px 12px; }
.facts dt { color: #4a5360; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.status { flex: none; border: 1.5px solid #16202b; border-radius: 4px; padding: 3px 10px; font-size: 13px; font-weight: 600; }
.running { border-style: dashed; }
/* The page is as wide as its tables, and not as a long line of names. */
.legend { margin: 8px 0; color: #4a5360; width: 0; min-width: 100%; }
table { table-layout: fixed; max-width: 100%; border-collapse: collapse; margin: 0 0 16px; font-variant-numeric: tabular-nums; }
.scroll + .scroll { break-before: page; }
.graph { margin: 0 0 12px; }
.graph svg { display: block; max-width: 100%; height: auto; break-inside: avoid; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 1.5px 5px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { border-bottom: 1.5px solid #16202b; font-size: ${headingFontSize}px; font-weight: 600; vertical-align: bottom; line-height: 1.2; }
thead .page th { border-bottom: 0; padding: 0 0 6px; font-weight: 400; color: #4a5360; }
thead small { display: block; font-size: inherit; font-weight: 400; color: #4a5360; }
tbody th { font-weight: 400; white-space: nowrap; }
tbody tr { border-bottom: 1px solid #c9d0d8; }
tbody tr:nth-child(5n) { border-bottom-color: #8893a0; }
td { border-left: 1px solid #e1e6eb; white-space: pre-wrap; }
thead tr:not(.page) th + th { border-left: 1px solid #e1e6eb; }
.number { text-align: right; }
.none { color: #4a5360; }
.note { color: #4a5360; }
@media print {
  .note { display: none; }
  .graph svg { max-height: 235mm; }
  .landscape .graph svg { max-height: 160mm; }
}
@media screen {
  main { margin: 24px auto; padding: 0 24px; width: max-content; max-width: 100%; box-sizing: border-box; }
  header { flex-wrap: wrap; }
  .status { flex: 0 1 auto; }
  .scroll { overflow: auto; max-height: 100vh; max-height: 100dvh; margin: 0 0 16px; }
  .scroll table { max-width: none; margin: 0; }
  .scroll .page { display: none; }
  .graph { overflow-x: auto; }
  .graph svg { min-width: 560px; }
  thead { position: sticky; top: 0; z-index: 2; background: #fff; box-shadow: 0 1.5px #16202b; }
  tbody th, thead tr:not(.page) th:first-child { position: sticky; left: 0; z-index: 1; background: #fff; box-shadow: 1px 0 #c9d0d8; }
}
@media screen and (max-width: 480px) { main { margin: 16px auto; padding: 0 16px; } }
`;

/** For the header Content-Security-Policy of a document in HTML. */
export const htmlContentSecurityPolicy = createStylePolicy(htmlStyle);

/** Widths are in pixels. */
export type ColumnBlock = { readonly columns: readonly number[]; readonly widths: readonly number[] };

type PageLayout = { readonly orientation: keyof typeof pageWidths; readonly blocks: readonly ColumnBlock[] };

const [minColumnWidth, maxColumnWidth] = [36, 250];

export function layOutPages(table: SampleTable, headings: readonly string[], timeWidth: number): PageLayout {
  const widths = computeColumnWidths(table, headings);
  const total = widths.reduce((sum, width) => sum + width, timeWidth);
  const orientation = total <= pageWidths.portrait ? 'portrait' : 'landscape';
  const room = pageWidths[orientation] - timeWidth;
  const blocks: { columns: number[]; widths: number[]; used: number }[] = [];
  for (const [column, width] of widths.entries()) {
    const last = blocks.at(-1);
    if (last === undefined || last.used + width > room)
      blocks.push({ columns: [column], widths: [width], used: width });
    else {
      last.columns.push(column);
      last.widths.push(width);
      last.used += width;
    }
  }
  return {
    orientation,
    blocks: blocks.map(({ columns, widths: own, used }) => ({ columns, widths: widen(own, room / used) })),
  };
}

/** Columns are widened to the width of the page, but at most by `maxWidening`. */
const widen = (widths: readonly number[], factor: number): number[] =>
  widths.map((width) => Math.floor(width * Math.min(factor, maxWidening)));

const maxWidening = 1.5;

/**
 * The width of the longest word of the heading or of the longest text; texts beyond the maximum are broken into lines.
 */
const computeColumnWidths = (table: SampleTable, headings: readonly string[]): number[] =>
  computeTextWidths(table).map((textWidth, column) => {
    const words = (headings[column] ?? '').split(' ');
    const wordWidths = words.map((word) => estimateTextWidth(word, headingFontSize) * boldWidth);
    const width = Math.max(textWidth, ...wordWidths) + cellPadding;
    return Math.ceil(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));
  });

/** The width of the widest text of each column, up to the maximum. */
function computeTextWidths({ columns, rows }: SampleTable): number[] {
  const widths = columns.map(() => 0);
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries()) {
      if (cell === null || cell.text === null) continue;
      const known = widths[column] ?? 0;
      // No character is wider than its height.
      if (cell.text.length * cellFontSize <= known || known > maxColumnWidth) continue;
      widths[column] = Math.max(known, estimateTextWidth(cell.text.slice(0, 100), cellFontSize));
    }
  return widths;
}

/** Headings are bold. */
const boldWidth = 1.15;
