// Makes requests of an operation in which one identifier at a time is replaced: by that of an object that exists, of one
// that does not, and by texts that are no identifiers. All of it follows from the declared operation and its example.

import type { TObject } from 'typebox';
import { readExample } from '../../../src/http/openapi/examples.ts';
import type { Operation } from '../../../src/http/operations/operation.ts';
import type { KidType } from '../../../src/lib/kid.ts';

/** What a request consists of, before it is sent. */
export type Parts = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

export type SentRequest = {
  readonly method: Operation['method'];
  readonly url: string;
  readonly payload?: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Where a request has an identifier: `path.bankKid`, `body.unitKids.0`. */
export type Place = readonly (string | number)[];

/** The bank of all objects that requests name, unless they are to name others. */
export const namedBankId = 1001;

const kidPattern = /sund(?:-[A-Z]\d+)+/g;
const wholeKidPattern = new RegExp(`^${kidPattern.source}$`);

/** One object of each type that the demo data and the examples have. */
const existingKids: Readonly<Record<KidType, string>> = {
  tenant: 'sund',
  bank: 'sund-B1001',
  location: 'sund-B1001-L1',
  unit: 'sund-B1001-L1-U1',
  user: 'sund-B1001-R1001',
  posting: 'sund-B1001-X11930',
  event: 'sund-B1001-E6',
  document: 'sund-B1001-L1-U1-D5310',
  computer: 'sund-B1001-C1',
  heldLine: 'sund-B1001-H1',
  import: 'sund-F1',
  manager: 'sund-M1004',
  installer: 'sund-I2001',
  service: 'sund-B0-M3',
};

/** Texts that are no KID of any object, by what is wrong with them. */
export const wrongTexts: readonly string[] = [
  'sund-B01001',
  'sund-b1001',
  'SUND-B1001',
  'sund-B1001-',
  'sund-B1001 ',
  'sund-B+1001',
  'sund-B1001.0',
  'sund-B１００１',
  'ѕund-B1001',
  'sund-B1001\0',
  'sund-B9223372036854775808',
  'sund-B1001-L1-U1-D1-X1',
  'fjord-B1001',
  '*',
  "sund-B1001' or '1'='1",
  '{{7*7}}${7*7}',
  `sund-B1001${'0'.repeat(2040)}`,
];

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
};

const changeTexts = (parts: Parts, change: (text: string) => string): Parts => mapTexts(parts, change) as Parts;

/** The request of the example, in which every object is of the same bank. */
export function examplePartsOf(operation: Operation): Parts {
  const { path = {}, query = {}, body } = readExample(operation.id)?.request ?? {};
  return changeTexts({ path, query, body }, (text) => text.replaceAll(/(?<=sund-B)100[23]\b/g, String(namedBankId)));
}

/** The same objects of another bank. */
export const inBank = (parts: Parts, bankId: number): Parts =>
  changeTexts(parts, (text) => text.replaceAll(`sund-B${namedBankId}`, `sund-B${bankId}`));

type DeclaredField = { readonly 'x-kid'?: readonly KidType[]; readonly items?: DeclaredField };

/** The parts with every optional identifier of the declaration that the example leaves out, one at a time. */
export function listPartsWithIdentifiers(operation: Operation): Parts[] {
  const example = examplePartsOf(operation);
  const { properties = {} } = (operation.query ?? {}) as Partial<TObject>;
  const others = Object.entries(properties).flatMap(([name, schema]) => {
    const [type] = (schema as DeclaredField)['x-kid'] ?? [];
    if (type === undefined || name in example.query) return [];
    return [{ ...example, query: { ...example.query, [name]: existingKids[type] } }];
  });
  return [example, ...others];
}

export function listIdentifierPlaces(parts: Parts): Place[] {
  const places: Place[] = [];
  const visit = (value: unknown, place: Place): void => {
    if (typeof value === 'string' && value.match(kidPattern) !== null) places.push(place);
    if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, [...place, name]);
  };
  visit(parts, []);
  return places;
}

export const textAt = (parts: Parts, place: Place): string =>
  String(place.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], parts));

export function replaceAt(parts: Parts, place: Place, text: string): Parts {
  const copy = structuredClone(parts);
  const last = place.at(-1) ?? '';
  const holder = place.slice(0, -1).reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[last] = text;
  return copy;
}

/** Ids that no object of the demo data has, each valid for its letter. */
const missingIds: Readonly<Record<string, string>> = { R: '47110', M: '471100', X: '4711000000', D: '4711000000' };

/** The same text with the KID of an object that does not exist: of a bank that exists, and of one that does not. */
export function missingTextsOf(parts: Parts, place: Place): string[] {
  const text = textAt(parts, place);
  const [kid = ''] = text.match(kidPattern) ?? [];
  // The services of a tenant are fixed; all other ids below 1000 are of services too.
  if (kid.startsWith('sund-B0-')) return [text.replace(/\d+$/, '999')];
  const lastMissing = kid.replace(/([A-Z])\d+$/, (_, letter: string) => letter + (missingIds[letter] ?? '4711'));
  const bankMissing = kid.replace(/-B\d+/, '-B4711');
  return [...new Set([lastMissing, bankMissing])]
    .filter((other) => other !== kid)
    .map((other) => text.replace(kid, other));
}

export const isWholeKid = (parts: Parts, place: Place): boolean => wholeKidPattern.test(textAt(parts, place));

export function toRequest(operation: Operation, { path, query, body }: Parts): SentRequest {
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const { method, bodyFormat } = operation;
  const url = search === '' ? target : `${target}?${search}`;
  if (body === undefined) return { method, url, headers: {} };
  if (bodyFormat === 'octets') return { method, url, payload: body as string, headers: { 'content-type': 'text/csv' } };
  if (bodyFormat === 'jsonl') {
    const lines = (body as readonly unknown[]).map((line) => `${JSON.stringify(line)}\n`);
    return { method, url, payload: lines.join(''), headers: { 'content-type': 'application/jsonl' } };
  }
  return { method, url, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}
