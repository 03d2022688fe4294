// The columns of readings of counters, and how a row of them is read. A reading has no id of its own: it is named by its
// unit, its counter and its time.

import { formatLocationKid, formatUnitKid, parseKid } from '../../../../lib/kid.ts';
import type { ImportColumn, ParsedRow, RowValues } from '../../import-kind.ts';
import { importTimeReason, parseImportTime } from '../../rules/import-time.ts';
import { RowParser } from '../../rules/row-errors.ts';

export const readingImportColumns: readonly ImportColumn[] = [
  {
    field: 'unit',
    description: 'The meter, or another unit.',
    example: '1',
    isRequired: true,
    references: 'units',
  },
  {
    field: 'at',
    description: 'When it was read: an instant with an offset, or local time of the unit.',
    example: '2026-01-31T07:15:00Z',
    isRequired: true,
  },
  {
    field: 'counter',
    description: 'The name of the counter among the states of the unit, such as CycleCount.',
    example: 'CycleCount',
    isRequired: true,
  },
  {
    field: 'value',
    description: 'What it showed: a number with a decimal point, with at most the decimals of the counter.',
    example: '1234',
    isRequired: true,
  },
];

export function parseReadingRow(given: RowValues): ParsedRow {
  const row = new RowParser(given);
  row.require('unit', 'at', 'counter', 'value');
  row.field('at', parseImportTime, importTimeReason);
  row.field(
    'counter',
    (text) => (/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(text) ? text : undefined),
    'must be the name of a counter',
  );
  row.field('value', (text) => (/^-?\d{1,19}(?:\.\d{1,9})?$/.test(text) ? text : undefined), 'must be a number');
  row.field('unit', (text) => text, '');
  return row;
}

export type ReadingKey = {
  readonly locationId: number;
  readonly unitId: number;
  readonly counter: string;
  /** MS2000. */
  readonly at: number;
};

/** `sund-B1001-L1-U2#EnergyReading@820400000000`. */
export const formatReadingKid = (bankKid: string, { locationId, unitId, counter, at }: ReadingKey): string =>
  `${formatUnitKid(formatLocationKid(bankKid, locationId), unitId)}#${counter}@${at}`;

/** Undefined if it is none of the bank. */
export function parseReadingKid(text: string, tenant: string, bankId: number): ReadingKey | undefined {
  const [, unitKid = '', counter, at] = /^([^#]+)#([A-Za-z][A-Za-z0-9]{0,63})@(0|-?[1-9]\d{0,15})$/.exec(text) ?? [];
  const unit = parseKid(unitKid, tenant, ['unit']);
  if (unit?.bankId !== bankId || counter === undefined) return undefined;
  return { locationId: unit.locationId, unitId: unit.unitId, counter, at: Number(at) };
}
