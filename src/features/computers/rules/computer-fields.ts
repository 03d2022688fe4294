// Checks what managers and computers say of a computer: its name, its units, its serial number and its software. Says in
// which state it is.

import { parseKid, type KidOf } from '../../../lib/kid.ts';
import { notEmpty } from '../../../lib/values/field-faults.ts';
import { parseText, type FieldResult } from '../../../lib/values/field-values.ts';

// In code points, as the tables have room for them.
export const maxComputerNameLength = 64;
export const maxSerialLength = 128;
export const maxSoftwareLength = 64;

/** One computer can have at most so many units. */
export const maxUnits = 200;

const isEmpty = (text: string): boolean => !/[^\p{White_Space}\p{C}\p{M}]/u.test(text);

function parseLine(text: string, maxLength: number): FieldResult {
  const result = parseText(text, maxLength);
  return 'value' in result && isEmpty(result.value) ? notEmpty : result;
}

export const parseComputerName = (text: string): FieldResult => parseLine(text, maxComputerNameLength);
export const parseSerial = (text: string): FieldResult => parseLine(text, maxSerialLength);
export const parseSoftware = (text: string): FieldResult => parseLine(text, maxSoftwareLength);

export function parseUnit(text: string, tenant: string): FieldResult<KidOf<'unit'>> {
  const value = parseKid(text, tenant, ['unit']);
  return value === undefined ? { reason: unknownUnitReason, code: 'not-a-kid' } : { value };
}

export const unknownUnitReason = 'must be the KID of a unit of the bank';

export const computerStates = ['waiting', 'enrolled', 'revoked'] as const;
type ComputerState = (typeof computerStates)[number];

type StateColumns = {
  readonly revoked_at: number | null;
  /** Null before the computer was enrolled. */
  readonly serial: string | null;
};

export function computerStateOf({ revoked_at: revokedAt, serial }: StateColumns): ComputerState {
  if (revokedAt !== null) return 'revoked';
  return serial === null ? 'waiting' : 'enrolled';
}
