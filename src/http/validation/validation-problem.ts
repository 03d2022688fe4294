// Creates the problem of an invalid request: its code and the list of invalid fields.

import type { ErrorObject } from 'ajv/dist/2020.js';
import { missing, tooLong, type FieldFault } from '../../lib/values/field-faults.ts';
import { toFieldError } from '../../lib/values/field-problem.ts';
import { Problem, type FieldError } from '../../lib/problem.ts';
import { validationCode, validationCodeOfField, validationCodeOfPart } from '../operations/operation-properties.ts';
import type { Operation, RequestPart } from '../operations/operation.ts';

const maxErrors = 20;

/** Longer field names are cut in errors. */
const maxNameLength = 64;

/** The first part with an error decides the code. */
const requestParts: readonly RequestPart[] = ['path', 'query', 'body'];

type CreateValidationProblemInput = {
  readonly errors: readonly FieldError[];
  readonly kidErrors: readonly FieldError[];
};

export function createValidationProblem(
  { errors, kidErrors }: CreateValidationProblemInput,
  operation: Operation,
): Problem {
  const all = [...kidErrors, ...errors].slice(0, maxErrors);
  // A KID in the path names the object of the request, so that its error precedes all others.
  const aboutKid = errors.length === 0 || kidErrors.some(({ path }) => path.startsWith('path.'));
  const part = requestParts.find((each) => all.some(({ path }) => path.split('.', 1)[0] === each)) ?? 'body';
  const first = all.find(({ path }) => path.split('.', 1)[0] === part)?.path ?? part;
  const code =
    validationCodeOfField(operation, first) ??
    validationCodeOfPart(operation, part) ??
    (aboutKid ? 'invalid-kid' : validationCode(operation, part));
  return new Problem(code, { detail: all.map(({ path, message }) => `${path} ${message}`)[0] ?? '', errors: all });
}

/** The errors of a schema. They repeat no input except the names of unknown fields. */
export function formatSchemaErrors(part: RequestPart, errors: readonly ErrorObject[]): FieldError[] {
  return errors.slice(0, maxErrors).map((error) => {
    const path = [part, ...error.instancePath.split('/').slice(1)].join('.');
    const { additionalProperty, missingProperty } = error.params as Record<string, unknown>;
    if (error.keyword === 'additionalProperties')
      return {
        path: `${path}.${String(additionalProperty).slice(0, maxNameLength)}`,
        message: 'is not a known field',
        code: 'unknown-field',
      };
    if (error.keyword === 'required') return toFieldError(`${path}.${String(missingProperty)}`, missing);
    return toFieldError(path, schemaFault(error));
  });
}

const formatFaults: Readonly<Record<string, FieldFault>> = {
  date: { reason: 'must be a date, YYYY-MM-DD', code: 'not-a-date' },
  'date-time': { reason: 'must be an instant, such as 2026-05-31T22:00:00Z', code: 'not-an-instant' },
};

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

/** What the schema expects of the value. */
function schemaFault({ keyword, params, message }: ErrorObject): FieldFault {
  const { allowedValues, format, limit, pattern, type } = params as Record<string, unknown>;
  const bound = String(limit);
  switch (keyword) {
    case 'enum':
      return { reason: `must be one of ${(allowedValues as unknown[]).join(', ')}`, code: 'not-in-list' };
    case 'format':
      return formatFaults[String(format)] ?? { reason: `must be ${String(format)}` };
    case 'type':
      return { reason: `must be ${[type].flat().map(nameOfType).join(' or ')}`, code: 'wrong-type' };
    case 'minimum':
      return { reason: `must be at least ${bound}`, code: 'too-small', limit: bound };
    case 'maximum':
      return { reason: `must be at most ${bound}`, code: 'too-large', limit: bound };
    case 'minLength':
      return { reason: `must have at least ${formatCount(limit, 'character')}`, code: 'too-short', limit: bound };
    case 'maxLength':
      return { ...tooLong(Number(limit)), reason: `must have at most ${formatCount(limit, 'character')}` };
    case 'minItems':
      return { reason: `must have at least ${formatCount(limit, 'item')}`, code: 'too-few-items', limit: bound };
    case 'maxItems':
      return { reason: `must have at most ${formatCount(limit, 'item')}`, code: 'too-many-items', limit: bound };
    case 'pattern':
      return { reason: `must match the pattern ${String(pattern)}`, code: 'wrong-pattern' };
    default:
      return { reason: message ?? 'is invalid' };
  }
}

const nameOfType = (type: unknown): string => typeNames[String(type)] ?? String(type);

const formatCount = (count: unknown, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
