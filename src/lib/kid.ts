// Parses and formats KIDs, the canonical identifiers of objects. Each object has exactly one spelling, and only this
// file knows the spelling.

import { int64Max } from './values/int64.ts';

/** The HTTP layer parses a KID once, against the tenant of the request. Other code passes the parsed value on. */
export type Kid =
  | { type: 'tenant'; tenant: string }
  | { type: 'bank'; tenant: string; bankId: number }
  | { type: 'location'; tenant: string; bankId: number; locationId: number }
  | { type: 'unit'; tenant: string; bankId: number; locationId: number; unitId: number }
  | { type: 'user'; tenant: string; bankId: number; residentId: number }
  | { type: 'posting'; tenant: string; bankId: number; postingId: bigint }
  | { type: 'event'; tenant: string; bankId: number; eventId: bigint }
  | { type: 'document'; tenant: string; bankId: number; locationId: number; unitId: number; documentId: bigint }
  | { type: 'computer'; tenant: string; bankId: number; computerId: number }
  | { type: 'heldLine'; tenant: string; bankId: number; heldLineId: number }
  | { type: 'import'; tenant: string; importId: number }
  | { type: 'manager'; tenant: string; managerId: number }
  | { type: 'installer'; tenant: string; installerId: number }
  | { type: 'service'; tenant: string; serviceId: number };

export type KidType = Kid['type'];
export type KidOf<T extends KidType> = Extract<Kid, { type: T }>;

/** The user that stands for everyone whose identity has expired. */
export const gdprUserId = 0;
/** The user without an account of their own; residents have the ids 1001..99999. */
export const guestId = 1000;
export const firstResidentId = guestId + 1;
export const lastResidentId = 99_999;

/** The names that a tenant may have. */
export const tenantNamePattern = '[a-z][a-z0-9]{0,30}';
const maxTenantNameLength = 31;

const maxLength = 2048;
const maxInt32 = 2 ** 31 - 1;

/** One spelling per number: no sign, no leading zero, and never longer than a signed 64-bit integer can be. */
const canonicalDigits = /^(?:0|[1-9][0-9]{0,18})$/;

/** The digits of a number in a KID: how they read, and what clients need to know of them. */
type KidDigits = {
  parse: (digits: string) => number | bigint | undefined;
  /** ECMA-262. It may match a number that is too large. */
  pattern: string;
  maxLength: number;
};

/** A part of a KID: its letter, the property its number becomes (none: it is only checked), and its digits. */
type KidPart = { letter: string; key?: string; digits: KidDigits };

const idDigits: KidDigits = { parse: createIdParser(1, maxInt32), pattern: '[1-9][0-9]{0,9}', maxLength: 10 };
const bigIntIdDigits: KidDigits = { parse: parseBigIntId, pattern: '[1-9][0-9]{0,18}', maxLength: 19 };
const zeroDigits: KidDigits = { parse: createIdParser(0, 0), pattern: '0', maxLength: 1 };
const parseGuestOrResidentId = createIdParser(guestId, lastResidentId);
// Answers show what is stored, also a user that no request could name.
const residentDigits: KidDigits = { parse: parseResidentId, pattern: '(?:0|[1-9][0-9]{0,4})', maxLength: 5 };
const managerDigits: KidDigits = {
  parse: createIdParser(1000, maxInt32),
  pattern: '[1-9][0-9]{3,9}',
  maxLength: 10,
};
const serviceDigits: KidDigits = { parse: createIdParser(1, 999), pattern: '[1-9][0-9]{0,2}', maxLength: 3 };

const bankPart: KidPart = { letter: 'B', key: 'bankId', digits: idDigits };
const locationPart: KidPart = { letter: 'L', key: 'locationId', digits: idDigits };
const unitPart: KidPart = { letter: 'U', key: 'unitId', digits: idDigits };

const partsByType: Readonly<Record<KidType, readonly KidPart[]>> = {
  tenant: [],
  bank: [bankPart],
  location: [bankPart, locationPart],
  unit: [bankPart, locationPart, unitPart],
  user: [bankPart, { letter: 'R', key: 'residentId', digits: residentDigits }],
  posting: [bankPart, { letter: 'X', key: 'postingId', digits: bigIntIdDigits }],
  event: [bankPart, { letter: 'E', key: 'eventId', digits: bigIntIdDigits }],
  document: [bankPart, locationPart, unitPart, { letter: 'D', key: 'documentId', digits: bigIntIdDigits }],
  computer: [bankPart, { letter: 'C', key: 'computerId', digits: idDigits }],
  heldLine: [bankPart, { letter: 'H', key: 'heldLineId', digits: idDigits }],
  // The letter is that of the file that was imported.
  import: [{ letter: 'F', key: 'importId', digits: idDigits }],
  manager: [{ letter: 'M', key: 'managerId', digits: managerDigits }],
  installer: [{ letter: 'I', key: 'installerId', digits: idDigits }],
  // A service is no human: its KID has the letter of a manager, but under bank zero, and an id below every manager's.
  service: [
    { letter: 'B', digits: zeroDigits },
    { letter: 'M', key: 'serviceId', digits: serviceDigits },
  ],
};

/** All of them. */
export const kidTypes = Object.keys(partsByType) as [KidType, ...KidType[]];

const typesByLetters: ReadonlyMap<string, KidType> = new Map(
  kidTypes.map((type) => [partsByType[type].map(({ letter }) => letter).join(''), type]),
);

const maxParts = 4;

export const formatBankKid = (tenant: string, bankId: number): string => `${tenant}-B${bankId}`;

// The following append to the KID of the object that the named one belongs to.
export const formatLocationKid = (bankKid: string, locationId: number): string => `${bankKid}-L${locationId}`;
export const formatUnitKid = (locationKid: string, unitId: number): string => `${locationKid}-U${unitId}`;
export const formatDocumentKid = (unitKid: string, documentId: number | bigint): string => `${unitKid}-D${documentId}`;
export const formatUserKid = (bankKid: string, residentId: number): string =>
  createUserKidFormatter(bankKid)(residentId);

/** Returns a function that formats the KIDs of many users of a bank. */
export function createUserKidFormatter(bankKid: string): (residentId: number) => string {
  const prefix = `${bankKid}-R`;
  return (residentId) => prefix + residentId;
}

export const formatPostingKid = (bankKid: string, postingId: number | bigint): string => `${bankKid}-X${postingId}`;
export const formatEventKid = (bankKid: string, eventId: number | bigint): string => `${bankKid}-E${eventId}`;

export const formatComputerKid = (bankKid: string, computerId: number): string => `${bankKid}-C${computerId}`;
export const formatHeldLineKid = (bankKid: string, heldLineId: number): string => `${bankKid}-H${heldLineId}`;

export const formatImportKid = (tenant: string, importId: number): string => `${tenant}-F${importId}`;

/** The KID of an object. Checks nothing: ids come from the database or from {@link parseKid}. */
export function formatKid(kid: Kid): string {
  const ids: Readonly<Record<string, unknown>> = kid;
  let text = kid.tenant;
  for (const { letter, key } of partsByType[kid.type]) text += `-${letter}${key === undefined ? 0 : String(ids[key])}`;
  return text;
}

// Keys of postings that belong together, in the letters of KIDs. They are no KIDs: no request names one.

type DocumentKeyParts = {
  readonly documentId: number;
  readonly residentId: number;
  readonly locationId: number;
  readonly period: number;
  /** Empty for none. */
  readonly currency: string;
};

/** Formats the key that all postings of a document share. */
export const formatDocumentKey = ({ documentId, residentId, locationId, period, currency }: DocumentKeyParts): string =>
  `D${documentId}-R${residentId}-L${locationId}-P${period}${formatCurrencyPart(currency)}`;

/** The key of a posting that belongs to no document. */
export const formatPostingKey = (postingId: number): string => `X${postingId}`;

type ReceiptKeyParts = Pick<DocumentKeyParts, 'locationId' | 'period' | 'currency'> & {
  readonly date: string;
  readonly kind: string;
};

/** Formats the key that all postings of a receipt share. */
export const formatReceiptKey = ({ date, locationId, period, kind, currency }: ReceiptKeyParts): string =>
  `${date}-L${locationId}-P${period}-${kind}${formatCurrencyPart(currency)}`;

const formatCurrencyPart = (currency: string): string => (currency === '' ? '' : `-${currency}`);

// For texts that hold KIDs of objects that exist: they find more than KIDs.
export const bankIdInPath = /\/[a-z][a-z\d]*-B([1-9]\d{0,9})(?=[-/]|$)/;
export const residentIdInPath = /\/[a-z][a-z\d]*-B\d{1,10}-R(\d{1,5})(?=\/|$)/;
export const userKidsInText = /[a-z\d]+-B\d+-R\d+/g;

export const tenantOfKid = (kid: string): string => kid.split('-', 1)[0] ?? '';

/** The KID of the object that a KID's object belongs to. */
export const parentKidOf = (kid: string): string => kid.slice(0, kid.lastIndexOf('-'));

/** Parses a KID of this tenant; undefined if it is malformed, of another tenant or of another type. */
export function parseKid<T extends KidType>(text: string, tenant: string, types: readonly T[]): KidOf<T> | undefined {
  if (text.length > maxLength || !text.startsWith(tenant)) return undefined;

  // A longer tenant name that begins like this one leaves a rest before the first separator.
  const [rest, ...parts] = text.slice(tenant.length).split('-', 1 + maxParts + 1);
  if (rest !== '') return undefined;

  const type = typesByLetters.get(parts.map((part) => part.charAt(0)).join(''));
  const isWanted = types.some((each) => each === type);
  if (type === undefined || !isWanted || partsByType[type].length !== parts.length) return undefined;

  const kid: Record<string, string | number | bigint> = { type, tenant };
  for (const [index, { key, digits }] of partsByType[type].entries()) {
    const id = digits.parse(parts[index]!.slice(1));
    if (id === undefined) return undefined;
    if (key !== undefined) kid[key] = id;
  }
  // The table of parts gives each type exactly the properties its member of Kid has.
  return kid as KidOf<T>;
}

/**
 * What every KID of a type looks like: an ECMA-262 pattern and the greatest length. Only {@link parseKid}
 * decides whether a text is a KID.
 */
export function kidFormatOf(type: KidType): { readonly pattern: string; readonly maxLength: number } {
  const parts = partsByType[type];
  const patterns = parts.map(({ letter, digits }) => `-${letter}${digits.pattern}`);
  const lengths = parts.map(({ digits }) => '-L'.length + digits.maxLength);
  return {
    pattern: `^${tenantNamePattern}${patterns.join('')}$`,
    maxLength: lengths.reduce((sum, length) => sum + length, maxTenantNameLength),
  };
}

/** The letter of the last part of a type's KIDs. */
export const kidLetterOf = (type: KidType): string => partsByType[type].at(-1)?.letter ?? '';

function createIdParser(min: number, max: number): (digits: string) => number | undefined {
  return (digits) => {
    if (!canonicalDigits.test(digits)) return undefined;
    const id = Number(digits);
    return id >= min && id <= max ? id : undefined;
  };
}

function parseResidentId(digits: string): number | undefined {
  return digits === '0' ? gdprUserId : parseGuestOrResidentId(digits);
}

function parseBigIntId(digits: string): bigint | undefined {
  if (!canonicalDigits.test(digits)) return undefined;
  const id = BigInt(digits);
  return id >= 1n && id <= int64Max ? id : undefined;
}
