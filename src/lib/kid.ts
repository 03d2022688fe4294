// The canonical identifiers of objects (KIDs). The edge parses one once, against the tenant of the request, and passes
// only the typed value on; every answer spells its objects with formatKid. Each object has exactly one spelling.

import { int64Max } from './int64.ts';

export type Kid =
  | { type: 'tenant'; tenant: string }
  | { type: 'bank'; tenant: string; bankId: number }
  | { type: 'location'; tenant: string; bankId: number; locationId: number }
  | { type: 'unit'; tenant: string; bankId: number; locationId: number; unitId: number }
  | { type: 'user'; tenant: string; bankId: number; userId: number }
  | { type: 'posting'; tenant: string; bankId: number; postingId: bigint }
  | { type: 'event'; tenant: string; bankId: number; eventId: bigint }
  | { type: 'document'; tenant: string; bankId: number; locationId: number; unitId: number; documentId: bigint }
  | { type: 'manager'; tenant: string; managerId: number }
  | { type: 'installer'; tenant: string; installerId: number }
  | { type: 'service'; tenant: string; serviceId: number };

export type KidType = Kid['type'];
export type KidOf<T extends KidType> = Extract<Kid, { type: T }>;

/** The user that stands for everyone whose identity has expired. */
export const gdprUserId = 0;
/** The user without an account of their own; residents have the ids 1001..99999. */
export const guestUserId = 1000;

const maxLength = 2048;
const maxInt32 = 2 ** 31 - 1;

/** One spelling per number: no sign, no leading zero, and never longer than a signed 64-bit integer can be. */
const canonicalDigits = /^(?:0|[1-9][0-9]{0,18})$/;

/** A part of a KID: its letter, the property its number becomes (none: it is only checked), and how its digits read. */
type Part = { letter: string; key?: string; read: (digits: string) => number | bigint | undefined };

const from1 = within(1, maxInt32);
const guestOrResidentId = within(guestUserId, 99_999);

const bank: Part = { letter: 'B', key: 'bankId', read: from1 };
const bankZero: Part = { letter: 'B', read: within(0, 0) };
const location: Part = { letter: 'L', key: 'locationId', read: from1 };
const unit: Part = { letter: 'U', key: 'unitId', read: from1 };

const shapes: ReadonlyMap<string, { type: KidType; parts: readonly Part[] }> = new Map([
  shape('tenant'),
  shape('bank', bank),
  shape('location', bank, location),
  shape('unit', bank, location, unit),
  shape('user', bank, { letter: 'R', key: 'userId', read: userId }),
  shape('posting', bank, { letter: 'X', key: 'postingId', read: bigFrom1 }),
  shape('event', bank, { letter: 'E', key: 'eventId', read: bigFrom1 }),
  shape('document', bank, location, unit, { letter: 'D', key: 'documentId', read: bigFrom1 }),
  shape('manager', { letter: 'M', key: 'managerId', read: within(1000, maxInt32) }),
  shape('installer', { letter: 'I', key: 'installerId', read: from1 }),
  // A service is no human: its KID has the letter of a manager, but under bank zero, and an id below every manager's.
  shape('service', bankZero, { letter: 'M', key: 'serviceId', read: within(1, 999) }),
]);

const maxParts = 4;

/** Spells a KID. It checks nothing: ids come from the database or from {@link parseKid}. */
export function formatKid(kid: Kid): string {
  switch (kid.type) {
    case 'tenant':
      return kid.tenant;
    case 'bank':
      return `${kid.tenant}-B${kid.bankId}`;
    case 'location':
      return `${kid.tenant}-B${kid.bankId}-L${kid.locationId}`;
    case 'unit':
      return `${kid.tenant}-B${kid.bankId}-L${kid.locationId}-U${kid.unitId}`;
    case 'user':
      return `${kid.tenant}-B${kid.bankId}-R${kid.userId}`;
    case 'posting':
      return `${kid.tenant}-B${kid.bankId}-X${kid.postingId}`;
    case 'event':
      return `${kid.tenant}-B${kid.bankId}-E${kid.eventId}`;
    case 'document':
      return `${kid.tenant}-B${kid.bankId}-L${kid.locationId}-U${kid.unitId}-D${kid.documentId}`;
    case 'manager':
      return `${kid.tenant}-M${kid.managerId}`;
    case 'installer':
      return `${kid.tenant}-I${kid.installerId}`;
    default:
      return `${kid.tenant}-B0-M${kid.serviceId}`;
  }
}

/** Reads a KID of this tenant; undefined = malformed, foreign tenant, or of a type not asked for. */
export function parseKid<T extends KidType>(text: string, tenant: string, types: readonly T[]): KidOf<T> | undefined {
  if (text.length > maxLength || !text.startsWith(tenant)) return undefined;

  // A longer tenant name that begins like this one leaves a rest before the first separator.
  const [rest, ...parts] = text.slice(tenant.length).split('-', 1 + maxParts + 1);
  if (rest !== '') return undefined;

  const found = shapes.get(parts.map((part) => part.charAt(0)).join(''));
  if (found === undefined || found.parts.length !== parts.length || !isOneOf(found.type, types)) return undefined;

  const kid: Record<string, string | number | bigint> = { type: found.type, tenant };
  for (const [index, { key, read }] of found.parts.entries()) {
    const id = read(parts[index]!.slice(1));
    if (id === undefined) return undefined;
    if (key !== undefined) kid[key] = id;
  }
  // The table of shapes gives each type exactly the properties its member of Kid has.
  return kid as KidOf<T>;
}

function isOneOf(type: KidType, types: readonly KidType[]): boolean {
  return types.includes(type);
}

function shape(type: KidType, ...parts: Part[]): [letters: string, { type: KidType; parts: readonly Part[] }] {
  return [parts.map((part) => part.letter).join(''), { type, parts }];
}

function within(min: number, max: number): (digits: string) => number | undefined {
  return (digits) => {
    if (!canonicalDigits.test(digits)) return undefined;
    const id = Number(digits);
    return id >= min && id <= max ? id : undefined;
  };
}

function userId(digits: string): number | undefined {
  return digits === '0' ? gdprUserId : guestOrResidentId(digits);
}

function bigFrom1(digits: string): bigint | undefined {
  if (!canonicalDigits.test(digits)) return undefined;
  const id = BigInt(digits);
  return id >= 1n && id <= int64Max ? id : undefined;
}
