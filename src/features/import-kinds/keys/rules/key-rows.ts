// Reads the rows of an import of keys, and decides which of them may be stored. Pure.

import { formatUserKid } from '../../../../lib/kid.ts';
import { bankKidOf, formatPartKid, parseKidOfBank, splitPartKid } from '../../rules/bank-kids.ts';
import type { FieldResult } from '../../../../lib/values/field-values.ts';
import { findCommandRefusal, residentStateOf } from '../../../resident-administration/rules/allowed-commands.ts';
import { keyKinds, parseKey, type KeyKind } from '../../../residents/rules/resident-key.ts';
import type { FieldTable, ImportTarget, ParsedFields, RowError, RowValues } from '../../import-kind.ts';
import type { ResidentRow } from '../../../resident-administration/queries/residents.ts';
import type { StoredResidentKey } from '../queries/resident-keys.ts';
import { parserOfWordsOr } from '../../rules/field-parsers.ts';
import { addErrors, fieldError, writeValues } from '../../rules/parse-fields.ts';

function parseNumber(text: string): FieldResult {
  const result = parseKey(text);
  return 'reason' in result ? result : { value: result.value.number };
}

const formatResidentKid = (target: ImportTarget, residentId: number): string =>
  formatUserKid(bankKidOf(target), residentId);

export const keyFields: FieldTable<StoredResidentKey> = {
  resident: {
    description: 'Whose key it is.',
    example: '1',
    isRequired: true,
    references: 'residents',
    write: ({ resident_id: id }, target) => formatResidentKid(target, id),
  },
  number: {
    description: '4 to 32 letters and digits. Separators and case do not count. Another one replaces the key.',
    example: '04:A2:1B:33',
    isRequired: true,
    parse: parseNumber,
    write: ({ key_number: number }) => number,
  },
  kind: {
    description: '`Tag` or `Card`. Empty: Tag.',
    example: 'Tag',
    parse: parserOfWordsOr(keyKinds, 'Tag'),
    write: ({ kind }) => kind,
  },
};

/** A number can have its kind in front, as in AddKey. */
export function combineKeyFields(parsed: ParsedFields, _target: ImportTarget, given: RowValues): ParsedFields {
  const { number = '' } = given;
  const prefix = /^\s*(?:tag|card)\s*:/i.test(number) ? parseKey(number) : undefined;
  if (prefix === undefined || 'reason' in prefix) return parsed;
  const { kind } = prefix.value;
  if ((given['kind'] ?? '').trim() === '') return { ...parsed, values: { ...parsed.values, kind } };
  return parsed.values['kind'] === kind
    ? parsed
    : addErrors(parsed, [fieldError('kind', 'invalid', `must be that of the number: ${kind}`)]);
}

/** A key and its resident, by the KID of which the import knows it: that of the resident, and the number. */
type KeyObject = { readonly residentId: number; readonly number: string };

export const formatKeyKid = (target: ImportTarget, { residentId, number }: KeyObject): string =>
  formatPartKid(formatResidentKid(target, residentId), number);

/** Undefined for what is no resident of the bank. */
export const parseResidentKid = (target: ImportTarget, text: string | null | undefined): number | undefined =>
  parseKidOfBank(target, splitPartKid(text ?? '')[0], 'user')?.residentId;

export type HeldKey = KeyObject & { readonly kind: KeyKind };

export const toHeldKey = ({ resident_id, key_number, kind }: StoredResidentKey): HeldKey => ({
  residentId: resident_id,
  number: key_number,
  kind: kind as KeyKind,
});

export type KeyChange = {
  /** None for a new key. */
  readonly removed: HeldKey | undefined;
  readonly added: HeldKey;
};

/** What a row makes of the key; undefined if it changes nothing, or lacks what a new key needs. */
export function toKeyChange(
  target: ImportTarget,
  values: RowValues,
  stored: StoredResidentKey | undefined,
): KeyChange | undefined {
  const defaults: RowValues = stored === undefined ? { kind: 'Tag' } : writeValues(keyFields, stored, target);
  const { resident = '', number = '', kind } = { ...defaults, ...values };
  if (resident === '' || number === '') return undefined;
  // 0 is the GDPR user, who has no keys.
  const added = { residentId: parseResidentKid(target, resident) ?? 0, number, kind: kind as KeyKind };
  const removed = stored && toHeldKey(stored);
  const isSame =
    removed?.residentId === added.residentId && removed.number === added.number && removed.kind === added.kind;
  return isSame ? undefined : { removed, added };
}

export type KeyConditions = {
  readonly residents: ReadonlyMap<number, ResidentRow>;
  /** Numbers that somebody of the tenant has. */
  readonly held: ReadonlySet<string>;
  /** Resident -> number of keys: after the rows before this one. */
  readonly counts: Map<number, number>;
  readonly now: number;
};

/** Why a key cannot be changed, by the rules of RemoveKey and AddKey. Counts it if it can. */
export function listKeyErrors({ removed, added }: KeyChange, conditions: KeyConditions): RowError[] {
  const { residents, held, counts, now } = conditions;
  const countOf = (residentId: number): number => counts.get(residentId) ?? 0;
  const wanted = residents.get(added.residentId);
  if (wanted === undefined || (wanted.expired_at ?? Infinity) <= now)
    return [fieldError('resident', 'unknown-reference', 'must be a resident of the bank')];
  const former = removed && residents.get(removed.residentId);
  if (former !== undefined && residentStateOf(former) === 'deleted') return [deletedError];
  const keyCount = countOf(added.residentId) - (removed?.residentId === added.residentId ? 1 : 0);
  const refusal = findCommandRefusal('AddKey', { state: residentStateOf(wanted), keyCount, isVisible: true });
  if (refusal === 'deleted') return [deletedError];
  if (refusal !== undefined) return [fieldError('resident', refusal, 'has as many keys as a resident can have')];
  if (held.has(added.number) && removed?.number !== added.number)
    return [fieldError('number', 'taken', 'is that of a key that a resident has already')];
  if (removed !== undefined) counts.set(removed.residentId, countOf(removed.residentId) - 1);
  counts.set(added.residentId, countOf(added.residentId) + 1);
  return [];
}

export const deletedError: RowError = fieldError('resident', 'deleted', 'has been deleted');
