// The fields of readings of counters. A reading has no id of its own: it is named by its
// unit, its counter and its time.

import { formatLocationKid, formatUnitKid } from '../../../../lib/kid.ts';
import type { FieldTable, ImportTarget } from '../../import-kind.ts';
import { parseKidOfBank } from '../../rules/bank-kids.ts';
import { parserMatching, parserWith, parseTime, pointNumber } from '../../rules/field-parsers.ts';

export const readingFields = {
  unit: { description: 'The meter, or another unit.', example: '1', isRequired: true, references: 'units' },
  at: {
    description: 'When it was read: an instant with an offset, or local time of the unit.',
    example: '2026-01-31T07:15:00Z',
    isRequired: true,
    parse: parseTime,
  },
  counter: {
    description: 'The name of the counter among the states of the unit, such as CycleCount.',
    example: 'CycleCount',
    isRequired: true,
    parse: parserMatching(/^[A-Za-z][A-Za-z0-9]{0,63}$/, 'must be the name of a counter'),
  },
  value: {
    description: 'What it showed: a number with a decimal point or comma, with at most the decimals of the counter.',
    example: '1234',
    isRequired: true,
    parse: parserWith((text) => {
      const number = pointNumber(text);
      return number !== undefined && /^-?\d{1,19}(?:\.\d{1,9})?$/.test(number) ? number : undefined;
    }, 'must be a number, with a decimal point where a comma could part thousands'),
  },
} as const satisfies FieldTable;

export type ReadingField = keyof typeof readingFields;

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
export function parseReadingKid(target: ImportTarget, text: string | null): ReadingKey | undefined {
  const [, unitKid, counter, at] = /^([^#]+)#([A-Za-z][A-Za-z0-9]{0,63})@(0|-?[1-9]\d{0,15})$/.exec(text ?? '') ?? [];
  const unit = parseKidOfBank(target, unitKid, 'unit');
  if (unit === undefined || counter === undefined) return undefined;
  return { locationId: unit.locationId, unitId: unit.unitId, counter, at: Number(at) };
}
