// Writes charges as the lines of a profile: all of them, or none.

import { createCurrencyDigits } from '../../../lib/values/decimal-amount.ts';
import { Problem } from '../../../lib/problem.ts';
import { createTextEncoder, type TextEncoder } from '../../import-profiles/formats/encode-text.ts';
import type { ImportedFields } from '../../import-profiles/rules/profile-reader.ts';
import { writeHeader, writeWith } from '../../import-profiles/rules/profile-writer.ts';
import type { Profile } from '../../import-profiles/rules/profile.ts';
import type { Charge } from './charges.ts';

/** A charge of a resident who is shown. */
export type ShownCharge = Charge & {
  readonly kid: string;
  /** The key of the resident in the rent system, or the KID. */
  readonly tenancy: string;
  readonly name: string;
};

/** Local days, both included: `2026-03-31`. */
type ChargedDays = { readonly from: string; readonly through: string };

const lineBreak = '\r\n';
const linesOfChunk = 500;

/** Chunks of the file. Throws 422 `charges-not-writable`: a file that lacks a charge would be taken for all of them. */
export function* formatCharges(
  profile: Profile,
  charges: readonly ShownCharge[],
  days: ChargedDays,
): Generator<Uint8Array> {
  const encoder = createTextEncoder(profile.encoding ?? 'utf-8');
  const digitsOf = createCurrencyDigits();
  const header = writeHeader(profile);
  let lines: Buffer[] = header === null ? [] : [encodeLine(encoder, header, refuse(profile, 'The header'))];
  for (const charge of charges) {
    const refusal = refuse(profile, `The charge of ${charge.kid}`);
    const fields = fitName(
      profile,
      encoder,
      scaleAmounts(profile, toFields(charge, days), { charge, digitsOf, refusal }),
    );
    const written = writeWith(profile, fields);
    if ('problems' in written) throw refusal(written.problems.map(({ text }) => text).join('; '));
    lines.push(encodeLine(encoder, written.line, refusal));
    if (lines.length < linesOfChunk) continue;
    yield Buffer.concat(lines);
    lines = [];
  }
  if (lines.length > 0) yield Buffer.concat(lines);
}

type Refuse = (reason: string) => Problem;

const refuse =
  ({ name }: Profile, what: string): Refuse =>
  (reason) =>
    new Problem('charges-not-writable', { detail: `${what} cannot be written by the profile ${name}: ${reason}.` });

function encodeLine(encoder: TextEncoder, line: string, refusal: Refuse): Buffer {
  const bytes = encoder.encode(`${line}${lineBreak}`);
  if (bytes === undefined) throw refusal('its encoding lacks a character');
  return bytes;
}

/** What a charge has. Other fields of a profile stay empty, unless they have a constant. */
function toFields(charge: ShownCharge, days: ChargedDays): ReadonlyMap<string, string | bigint> {
  const { kid, tenancy, name, currency, amountMinor, costsMinor, paidMinor } = charge;
  return new Map<string, string | bigint>([
    ['tenancy', tenancy],
    ['kid', kid],
    ['name', name],
    ['periodFrom', days.from],
    ['periodThrough', days.through],
    ['currency', currency],
    ['amountMinor', amountMinor],
    ['totalMinor', costsMinor],
    ['prepaidMinor', paidMinor],
    ['balanceMinor', amountMinor],
  ]);
}

/** Into the units of the columns: those of a profile need not be those of the currency. */
function scaleAmounts(
  { columns }: Profile,
  fields: ImportedFields,
  { charge, digitsOf, refusal }: { charge: Charge; digitsOf: (currency: string) => number; refusal: Refuse },
): Map<string, string | bigint> {
  const scaled = new Map(fields);
  if (charge.currency === '') throw refusal('its currency is not known');
  const digits = digitsOf(charge.currency);
  for (const { field = '', decimals } of columns) {
    const amount = fields.get(field);
    if (typeof amount !== 'bigint' || decimals === undefined) continue;
    const factor = 10n ** BigInt(Math.abs(decimals - digits));
    if (decimals < digits && amount % factor !== 0n)
      throw refusal(`${field} has more decimals than the ${decimals} of its column`);
    scaled.set(field, decimals < digits ? amount / factor : amount * factor);
  }
  return scaled;
}

/** A name says whose charge it is, which the tenancy says as well: what its column has no place for is left out. */
function fitName({ columns }: Profile, encoder: TextEncoder, fields: Map<string, string | bigint>): ImportedFields {
  const name = fields.get('name');
  const { from } = columns.find(({ field }) => field === 'name') ?? {};
  if (typeof name !== 'string') return fields;
  const width = typeof from === 'object' && 'length' in from ? from.length : Number.POSITIVE_INFINITY;
  const fitted = Array.from(encoder.toEncodable(name)).slice(0, width).join('');
  return fields.set('name', fitted.trimEnd());
}
