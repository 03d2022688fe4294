// The types that the schemas of operations are built from: KIDs, 64-bit integers, instants, enumerations.

import { Type, type TSchema, type TUnsafe } from 'typebox';
import type { JsonInt64 } from '../../lib/values/int64.ts';
import { formatKid, kidFormatOf, type KidOf, type KidType } from '../../lib/kid.ts';
import { documentedAs, nameKeyword, namedBody, namedEnum, useOf } from './named-schemas.ts';

/** The keyword that marks a KID in a request, with the types it may have. */
export const kidKeyword = 'x-kid';

const exampleIds = {
  tenant: 'sund',
  bankId: 1001,
  locationId: 1,
  unitId: 1,
  residentId: 1001,
  postingId: 123456n,
  eventId: 9876n,
  documentId: 5551n,
  computerId: 1,
  heldLineId: 1,
  importId: 12,
  managerId: 1001,
  installerId: 2001,
  serviceId: 3,
};

const kidExamples = (type: KidType): string[] => [formatKid({ type, ...exampleIds })];

/** A KID of one of these types in a request; `run` receives it parsed. */
export function kidInput<const T extends KidType>(...types: [T, ...T[]]): TUnsafe<KidOf<T>> {
  const [first] = types;
  return Type.Unsafe<KidOf<T>>({
    type: 'string',
    maxLength: 2048,
    description: `Canonical KID (${types.join(' or ')}) of this tenant.`,
    examples: kidExamples(first),
    [kidKeyword]: types,
  });
}

/** `UnitKid`: the component for all KIDs of a type. */
export const kidSchema = (type: KidType) =>
  Type.String({
    ...kidFormatOf(type),
    description: `Canonical KID (${type}).`,
    examples: kidExamples(type),
    [nameKeyword]: `${type.charAt(0).toUpperCase()}${type.slice(1)}Kid`,
  });

/** A KID in a response. */
export const kidOutput = (type: KidType, description?: string) =>
  description === undefined ? kidSchema(type) : useOf(kidSchema(type), { description });

/** A signed 64-bit integer, exact in JSON. */
export const int64 = (description: string) => Type.Unsafe<JsonInt64>({ type: 'integer', format: 'int64', description });

/** The zone in which the times of an object are shown. */
export const timeZoneOutput = (description: string) =>
  Type.String({ description: `IANA name of its time zone: ${description}`, examples: ['Europe/Copenhagen'] });

/** The zone of what has a location, or might have one. */
export const timeZoneOfLocation = timeZoneOutput('that of its location, or of the tenant if it has none.');

/** The body of an operation that takes octets: the content of a file, as it arrives. */
export const octets = (description: string) =>
  Type.Unsafe<AsyncIterable<Uint8Array>>({ type: 'string', format: 'binary', description });

export const minorAmount = (description: string) => int64(`${description} Minor units of the currency.`);

export const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} RFC 3339, UTC.` });

/** A time of a query: a rule parses it, since ISO 8601 has more spellings than `date-time`. */
export const timeInput = (description: string) => {
  const documented = Type.String({ format: 'date-time', description, examples: ['2026-06-15T06:00:00+02:00'] });
  return Type.Unsafe<string>({ ...documentedAs(documented), maxLength: 64 });
};

export const int32 = (options: {
  minimum: number;
  maximum?: number;
  default?: number;
  description: string;
  examples?: number[];
}) => Type.Integer({ format: 'int32', maximum: 2_147_483_647, ...options });

export const closedObject = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

/** The revision that a write expects. */
export const expectedRevision = Type.String({
  maxLength: 64,
  description: 'Revision of the object from the last read. Required unless the request has `If-Match`.',
});

/** The body of a write that accepts no other members. */
export const ExpectedRevision = namedBody('ExpectedRevision', { expectedRevision });

/** One of a few strings. */
export const stringEnum = <const T extends string>(
  values: readonly T[],
  description: string,
  options: { default?: T } = {},
) => Type.Unsafe<T>({ type: 'string', enum: values, description, ...options });

export const Environment = namedEnum('Environment', ['production', 'beta'], 'The environment of the request host.');
