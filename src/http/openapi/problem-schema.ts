// Creates the schemas of problems: a common one, and one for each code with its extension members.

import { Type, type TObject } from 'typebox';
import { fieldFaultCodes } from '../../lib/values/field-faults.ts';
import {
  problems,
  reasonsOfCode,
  statusesOfCode,
  type ProblemCode,
  type ProblemExtensions,
} from '../../lib/problem.ts';
import { permissions } from '../../permissions/matrix.ts';
import { missingPermissionReason, notHeldReason, tooNarrowReason, notGrantedReason } from '../../permissions/needs.ts';
import { nameKeyword, namedEnum, namedObject, nullable } from '../schemas/named-schemas.ts';
import { kidOutput } from '../schemas/schema-types.ts';
import type { Components, Json } from './components.ts';

const FieldError = namedObject(
  'FieldError',
  {
    path: Type.String({ description: 'For example `query.Limit`.' }),
    message: Type.String({ description: 'What is expected of the field, in English.' }),
    code: Type.Optional(
      namedEnum('FieldFaultCode', fieldFaultCodes, 'What is wrong with a field, where that has a stable code.'),
    ),
    limit: Type.Optional(Type.String({ description: 'The bound that the value breaks.', examples: ['200'] })),
  },
  { description: 'What is wrong with a field of the request.' },
);

/** The body of every error (RFC 9457). It is not a closed object, since a code may have members of its own. */
const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A URN that ends in the code.' }),
    title: Type.String({ description: 'Short text for the code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    code: Type.String({ description: 'Stable machine-readable code.' }),
    reason: Type.Optional(
      Type.String({ description: 'Stable machine-readable reason, if the code has several. Each code lists its own.' }),
    ),
    detail: Type.String({ description: 'What is wrong with this request, as a sentence.' }),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Id of the trace in the service’s log.' }),
    errors: Type.Optional(Type.Array(FieldError, { description: 'The invalid fields of the request.' })),
  },
  { [nameKeyword]: 'Problem', description: 'An error (RFC 9457).' },
);

const streamPosition = Type.Object({
  epoch: Type.String({ description: 'The epoch of the stream; empty before its first line.', examples: ['9f2c41d0'] }),
  expected: Type.Integer({ description: 'The number of the line that the stream expects.', examples: [1201] }),
});

const extensionSchemas: { readonly [Code in keyof ProblemExtensions]: TObject } = {
  'already-reversed': Type.Object({
    reversedByKid: nullable(
      kidOutput('posting', 'The posting that reverses the entry; null where the account does not show it either.'),
    ),
  }),
  'booking-conflict': Type.Object({ currentEventKid: kidOutput('event', 'Latest event of the booking.') }),
  'stream-gap': streamPosition,
  'unknown-epoch': streamPosition,
};

/** The extension members of a problem; undefined if it has none. */
const findExtensionSchema = (code: ProblemCode): TObject | undefined =>
  (extensionSchemas as Partial<Record<ProblemCode, TObject>>)[code];

/** `not-found` -> `NotFoundProblem`. */
const nameOfProblem = (code: ProblemCode): string =>
  `${code.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`;

/** The schema of the problems of one code. */
function problemSchemaOfCode(components: Components, code: ProblemCode): Json {
  const { title } = problems[code];
  const statuses = statusesOfCode(code);
  const status = { type: 'integer', ...(statuses.length === 1 ? { const: statuses[0] } : { enum: statuses }) };
  return components.reference('schemas', nameOfProblem(code), () => {
    const extension = findExtensionSchema(code) ?? Type.Object({});
    const { properties, required = [] } = components.schema(extension) as { properties: Json; required?: string[] };
    const reason = reasonSchemaOfCode(components, code);
    const own = { status, code: { type: 'string', const: code }, ...reason };
    return {
      description: title,
      allOf: [
        components.schema(Problem),
        { type: 'object', required: [...Object.keys(own), ...required], properties: { ...own, ...properties } },
      ],
    };
  });
}

/** A code with reasons always has one of them. */
function reasonSchemaOfCode(components: Components, code: ProblemCode): { reason?: Json } {
  const reasons = code === 'forbidden' ? allForbiddenReasons : reasonsOfCode(code);
  if (reasons.length === 0) return {};
  const name = nameOfProblem(code).replace(/Problem$/, 'Reason');
  return { reason: components.schema(namedEnum(name, reasons, `The reasons of \`${code}\`.`)) };
}

/** An operation has the reasons of the rights that it needs, and those that it declares. */
const allForbiddenReasons = [
  'missing-tab',
  ...permissions.map(missingPermissionReason),
  tooNarrowReason,
  notHeldReason,
  notGrantedReason,
];

/**
 * The schema of a response that has one of these problems, which differ by code. It has references only: generators make
 * a type without a name of each schema in place. The description of the response lists the operation's own reasons.
 */
export function problemSchemaOf(components: Components, codes: readonly ProblemCode[]): Json {
  const schemas = codes.map((code) => problemSchemaOfCode(components, code));
  const [first = {}] = schemas;
  if (schemas.length === 1) return first;
  const mapping = codes.map((code, index) => [code, schemas[index]?.['$ref']]);
  return { oneOf: schemas, discriminator: { propertyName: 'code', mapping: Object.fromEntries(mapping) } };
}

type ExtensionMember = { readonly name: string; readonly description: string; readonly example: unknown };

/** The extension members of a problem. */
export const listExtensionMembers = (code: ProblemCode): ExtensionMember[] =>
  Object.entries(findExtensionSchema(code)?.properties ?? {}).map(([name, member]) => {
    const { description = '', examples, anyOf } = member as AnnotatedSchema;
    return { name, description, example: (examples ?? anyOf?.[0]?.examples)?.[0] };
  });

type AnnotatedSchema = {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** In a member that may be null. */
  readonly anyOf?: readonly AnnotatedSchema[];
};
