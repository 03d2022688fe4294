// Creates the problem of an invalid request: its code and the list of invalid fields.

import type { ErrorObject } from 'ajv/dist/2020.js';
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
      return { path: `${path}.${String(additionalProperty).slice(0, maxNameLength)}`, message: 'is not a known field' };
    if (error.keyword === 'required') return { path: `${path}.${String(missingProperty)}`, message: 'is missing' };
    return { path, message: formatSchemaError(error) };
  });
}

const formatNames: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD',
  'date-time': 'an instant, such as 2026-05-31T22:00:00Z',
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
function formatSchemaError({ keyword, params, message }: ErrorObject): string {
  const { allowedValues, format, limit, pattern, type } = params as Record<string, unknown>;
  switch (keyword) {
    case 'enum':
      return `must be one of ${(allowedValues as unknown[]).join(', ')}`;
    case 'format':
      return `must be ${formatNames[String(format)] ?? String(format)}`;
    case 'type':
      return `must be ${[type]
        .flat()
        .map((each) => typeNames[String(each)] ?? String(each))
        .join(' or ')}`;
    case 'minimum':
      return `must be at least ${String(limit)}`;
    case 'maximum':
      return `must be at most ${String(limit)}`;
    case 'minLength':
      return `must have at least ${formatCount(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${formatCount(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${formatCount(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${formatCount(limit, 'item')}`;
    case 'pattern':
      return `must match the pattern ${String(pattern)}`;
    default:
      return message ?? 'is invalid';
  }
}

const formatCount = (count: unknown, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
