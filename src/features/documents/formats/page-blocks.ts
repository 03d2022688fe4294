// Divides a wide table into blocks of columns that fit the width of a page. Each block shows the times.

import type { SampleTable } from '../rules/document-table.ts';
import { cellFontSize, cellPadding, headingFontSize, pageWidths } from './html-style.ts';
import { estimateTextWidth } from './text-width.ts';

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
function computeColumnWidths(table: SampleTable, headings: readonly string[]): number[] {
  return computeTextWidths(table).map((textWidth, column) => {
    const words = (headings[column] ?? '').split(' ');
    const wordWidths = words.map((word) => estimateTextWidth(word, headingFontSize) * boldWidth);
    const width = Math.max(textWidth, ...wordWidths) + cellPadding;
    return Math.ceil(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));
  });
}

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
