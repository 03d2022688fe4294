// Renders a document as a page for screens and A4 paper without scripts: the graph, then the table, without the columns
// that have no sample.

import { numberFormat } from '../../../lib/time/intl-formats.ts';
import { LocalClock } from '../../../lib/time/local-clock.ts';
import type { SampleColumn, SampleRow, SampleTable, SampleValue } from '../rules/document-table.ts';
import { formatDuration, formatMinuteOf, formatPeriod, formatZone, splitAtClockChanges } from '../rules/local-times.ts';
import { groupDigits } from '../rules/group-digits.ts';
import { formatUnitOfMeasure } from '../rules/unit-of-measure.ts';
import { encodeUtf8, type RenderDocument } from './document-format.ts';
import { computeCounterGrowth, type CounterGrowth } from '../rules/counter-growth.ts';
import { createCourses } from '../graph/series.ts';
import { escapeHtml } from '../../../lib/text/escape-html.ts';
import {
  cellFontSize,
  cellPadding,
  headingFontSize,
  htmlStyle,
  pageWidths,
  layOutPages,
  type ColumnBlock,
} from './html-style.ts';
import { renderGraphPart } from './render-svg.ts';
import { selectSampledColumns } from '../rules/create-document-table.ts';
import { estimateTextWidth } from './text-width.ts';

/**
 * On paper every page has headings. A wide table is printed in landscape, and a wider table is divided into blocks of
 * columns. On a screen headings and times stay visible.
 */
export const renderHtml: RenderDocument = (selected) => {
  const table = selectSampledColumns(selected);
  const time = createTimeColumn(table);
  const timeTextWidth = estimateTextWidth(time.format(table.fromMs2000), cellFontSize);
  const timeWidth = Math.ceil(Math.max(timeTextWidth, minTimeWidth) + cellPadding);
  const { orientation, blocks } = layOutPages(table, table.columns.map(formatHeading), timeWidth);
  const times = table.rows.map(
    ({ ms2000, utc }) => `<th scope="row"><time datetime="${utc}">${time.format(ms2000)}</time></th>`,
  );
  const courses = createCourses(table);
  const graph = renderGraphPart(table, courses, pageWidths[orientation]);
  const tables = blocks.map((block) =>
    renderBlock({ table, times, timeWidth, timeHeading: time.heading, blockCount: blocks.length }, block),
  );
  const title = escapeHtml(table.unitName);
  return encodeUtf8(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
      '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">' +
      `<style>${htmlStyle}</style></head><body><main class="${orientation}">${renderHeader(table)}` +
      `${graph === '' ? '' : `<div class="graph" tabindex="0">${graph}</div>`}${table.rows.length === 0 ? '<p>There are no samples.</p>' : tables.join('')}${renderOmitted(table, selected)}${spreadsheetNote}</main></body></html>\n`,
  );
};

/** For people who would open the CSV; it is not printed. */
const spreadsheetNote =
  '<p class="note">To open these values in a spreadsheet, download the XLS. A spreadsheet that expects a decimal comma misreads the numbers of the CSV.</p>';

/** The width of its heading, with a date below. */
const minTimeWidth = estimateTextWidth('2026-11-21', headingFontSize) * 1.05;

type TimeColumn = { readonly heading: string; readonly format: (ms2000: number) => string };

/** `2026-11-21 14:03:05`; the date, milliseconds and offsets only in documents that need them. */
function createTimeColumn({ rows, fromMs2000, throughMs2000, timeZone }: SampleTable): TimeColumn {
  const clock = new LocalClock(timeZone);
  const times = [fromMs2000, throughMs2000, ...rows.map(({ ms2000 }) => ms2000)];
  const firstDay = clock.getLocalDay(fromMs2000);
  const isOneDay = times.every((ms2000) => clock.getLocalDay(ms2000) === firstDay);
  const hasOffsets = splitAtClockChanges(fromMs2000, throughMs2000, timeZone).length > 1;
  const hasMilliseconds = rows.some(({ ms2000 }) => ms2000 % 1000 !== 0);
  const [from, to] = [isOneDay ? dateLength + 1 : 0, hasMilliseconds ? secondsLength + 4 : secondsLength];
  const date = isOneDay ? `<small>${clock.formatDate(firstDay)}</small>` : '';
  return {
    heading: `Local time${date}`,
    format: (ms2000) => {
      const text = clock.formatTime(ms2000);
      return `${text.slice(from, to).replace('T', ' ')}${hasOffsets ? ` ${text.slice(-6)}` : ''}`;
    },
  };
}

const [dateLength, secondsLength] = ['2026-11-21'.length, '2026-11-21T14:03:05'.length];

function renderHeader(table: SampleTable): string {
  const { unitName, locationName, documentKid, fromMs2000, throughMs2000, timeZone, rows, columns } = table;
  const facts = [
    ['Period', `${formatPeriod(fromMs2000, throughMs2000, timeZone)} (${formatDuration(throughMs2000 - fromMs2000)})`],
    ...computeCounterGrowth(table).map(formatGrowth),
    ['Local time', formatZone(fromMs2000, throughMs2000, timeZone)],
    ['Document', documentKid],
    ['Contents', `${formatCount(rows.length, 'row')}, ${formatCount(columns.length, 'column')}`],
  ].map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  return (
    `<header><div><h1>${escapeHtml(unitName)}</h1><p class="place">${escapeHtml(locationName)}</p>` +
    `<dl class="facts">${facts.join('')}</dl>${renderLegend(table)}</div>${renderStatus(table)}</header>`
  );
}

/** A machine that was cut off still says that it is running. */
function renderStatus({ finished, silentSinceMs2000, timeZone }: SampleTable): string {
  if (finished) return '<p class="status">Finished</p>';
  const text =
    silentSinceMs2000 === null
      ? 'Running, more samples may follow'
      : `Not finished, silent since ${formatMinuteOf(silentSinceMs2000, timeZone)}`;
  return `<p class="status running">${text}</p>`;
}

const formatGrowth = ({ column: { label, unitOfMeasure }, growth }: CounterGrowth): [string, string] => [
  escapeHtml(label),
  unitOfMeasure === null
    ? `${groupDigits(growth)} more`
    : `used ${groupDigits(growth)} ${formatUnitOfMeasure(unitOfMeasure)}`,
];

const formatCount = (count: number, noun: string): string =>
  `${numberFormat('en', {}).format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Explains the marks that occur in the table. */
function renderLegend({ rows }: SampleTable): string {
  const hasText = (text: string | null): boolean =>
    rows.some(({ cells }) => cells.some((cell) => cell !== null && cell.text === text));
  const marks = [
    ...(hasText(null) ? [`${nullMark} stored without a value`] : []),
    ...(hasText('') ? [`${emptyMark} stored as an empty text`] : []),
  ];
  return marks.length === 0 ? '' : `<p class="legend">${marks.join(' · ')}</p>`;
}

/** Names the columns that are left out, of which there can be many: below what is shown. */
function renderOmitted({ columns }: SampleTable, selected: SampleTable): string {
  const shown = new Set(columns);
  const labels = selected.columns.filter((column) => !shown.has(column)).map(({ label }) => label);
  return labels.length === 0 ? '' : `<p class="legend">No values: ${escapeHtml(labels.join(', '))}</p>`;
}

const [nullMark, emptyMark] = ['–', '“”'];

const formatHeading = ({ label, unitOfMeasure }: SampleColumn): string =>
  unitOfMeasure === null ? label : `${label} ${formatUnitOfMeasure(unitOfMeasure)}`;

type BlockContext = {
  readonly table: SampleTable;
  /** The first cell of each row. */
  readonly times: readonly string[];
  readonly timeWidth: number;
  readonly timeHeading: string;
  readonly blockCount: number;
};

function renderBlock(context: BlockContext, { columns, widths }: ColumnBlock): string {
  const { table, times, timeWidth, timeHeading, blockCount } = context;
  const blockColumns = columns.flatMap((column) => table.columns[column] ?? []);
  const classes = blockColumns.map(({ valueType }) => (numberTypes.has(valueType) ? ' class="number"' : ''));
  const width = widths.reduce((sum, each) => sum + each, timeWidth);
  const cols = [timeWidth, ...widths].map((each) => `<col width="${each}">`).join('');
  const range =
    blockCount === 1
      ? ''
      : ` · columns ${(columns[0] ?? 0) + 1}–${(columns.at(-1) ?? 0) + 1} of ${table.columns.length}`;
  const page = `<tr class="page"><th colspan="${columns.length + 1}"><bdi>${escapeHtml(table.unitName)}</bdi> · <bdi>${escapeHtml(table.locationName)}</bdi> · ${escapeHtml(table.documentKid)}${range}</th></tr>`;
  const headings = blockColumns.map(
    (column, index) => `<th scope="col"${classes[index]}>${renderHeading(column)}</th>`,
  );
  const body = table.rows.map((row, index) => renderRow(row, times[index] ?? '', { columns, classes }));
  return (
    `<div class="scroll" tabindex="0"><table width="${width}"><colgroup>${cols}</colgroup><thead>${page}` +
    `<tr><th scope="col">${timeHeading}</th>${headings.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
  );
}

const numberTypes: ReadonlySet<string> = new Set(['int', 'decimal', 'duration', 'money']);

const renderHeading = ({ label, unitOfMeasure }: SampleColumn): string =>
  `${escapeHtml(label)}${unitOfMeasure === null ? '' : `<small>${escapeHtml(formatUnitOfMeasure(unitOfMeasure))}</small>`}`;

type BlockColumns = { readonly columns: readonly number[]; readonly classes: readonly string[] };

/** Nothing for a row without a sample in these columns. */
function renderRow({ cells }: SampleRow, time: string, { columns, classes }: BlockColumns): string {
  let text = '';
  let isEmpty = true;
  for (const [index, column] of columns.entries()) {
    const cell = cells[column] ?? null;
    if (cell === null) text += '<td></td>';
    else {
      text += `<td${classes[index]}>${renderValue(cell)}</td>`;
      isEmpty = false;
    }
  }
  return isEmpty ? '' : `<tr>${time}${text}</tr>`;
}

function renderValue({ text }: SampleValue): string {
  if (text === null) return `<span class="none">${nullMark}</span>`;
  return text === '' ? `<span class="none">${emptyMark}</span>` : escapeHtml(text);
}
