// From the text of a request to the typed input of an operation, or to one list of what is wrong with it.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import { parseKid, type KidType } from '../lib/kid.ts';
import { Problem, type FieldError } from '../lib/problem.ts';
import { kidKeyword } from './schema-types.ts';
import { validationCodeOfPart, validationCode, type Operation, type RequestPart } from './operation.ts';

type InputValues = Record<string, unknown>;

const maxErrors = 20;

/** In the order in which they decide what a refusal is called. */
const requestParts: readonly RequestPart[] = ['path', 'query', 'body'];

/** Compiles schemas; made once for an application. */
export function createSchemaCompiler(): (schema: TSchema) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false, useDefaults: true, coerceTypes: false, messages: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  return (schema) => ajv.compile(schema);
}

export type Validator = (
  request: { params: unknown; search: string; body: unknown },
  tenant: string,
) => { params: InputValues; query: InputValues; body: unknown };

export function createValidator(operation: Operation, compile: (schema: TSchema) => ValidateFunction): Validator {
  const params = createPartValidator('path', operation.params, compile);
  const query = createPartValidator('query', operation.query, compile);
  const parseQuery = createQueryParser(operation.query);
  const body = createBodyValidator(operation.body, compile);
  return (request, tenant) => {
    const errors: FieldError[] = [];
    const kidErrors: FieldError[] = [];
    const input = {
      params: params({ ...(request.params as InputValues) }, tenant, errors, kidErrors),
      query: query(parseQuery(request.search, errors), tenant, errors, kidErrors),
      body: body(request.body, tenant, errors, kidErrors),
    };
    if (errors.length + kidErrors.length > 0) throw createValidationProblem(errors, kidErrors, operation);
    return input;
  };
}

function createValidationProblem(
  errors: readonly FieldError[],
  kidErrors: readonly FieldError[],
  operation: Operation,
): Problem {
  const all = [...kidErrors, ...errors].slice(0, maxErrors);
  // A KID in the path decides what is talked about; without it nothing else matters.
  const aboutKid = errors.length === 0 || kidErrors.some(({ path }) => path.startsWith('path.'));
  const first = requestParts.find((each) => all.some(({ path }) => path.split('.', 1)[0] === each)) ?? 'body';
  const code = validationCodeOfPart(operation, first) ?? (aboutKid ? 'invalid-kid' : validationCode(operation, first));
  return new Problem(code, { detail: all.map(({ path, message }) => `${path} ${message}`)[0] ?? '', errors: all });
}

function createPartValidator(
  name: 'path' | 'query',
  schema: TObject | undefined,
  compile: (schema: TSchema) => ValidateFunction,
) {
  const validate = schema === undefined ? undefined : compile(schema);
  const parseKids = createKidParser(name, schema);
  return (values: InputValues, tenant: string, errors: FieldError[], kidErrors: FieldError[]): InputValues => {
    if (validate === undefined) return values;
    if (!validate(values)) errors.push(...formatSchemaErrors(name, validate.errors ?? []));
    return parseKids(values, tenant, kidErrors);
  };
}

function createBodyValidator(schema: TSchema | undefined, compile: (schema: TSchema) => ValidateFunction) {
  const validate = schema === undefined ? undefined : compile(schema);
  const parseKids = createKidParser('body', schema);
  return (body: unknown, tenant: string, errors: FieldError[], kidErrors: FieldError[]): unknown => {
    if (validate !== undefined) {
      if (body === undefined) errors.push({ path: 'body', message: 'is missing' });
      else if (!validate(body)) errors.push(...formatSchemaErrors('body', validate.errors ?? []));
      else if (isObject(body)) return parseKids(body, tenant, kidErrors);
    } else if (body !== undefined && !(isObject(body) && Object.keys(body).length === 0)) {
      errors.push({ path: 'body', message: 'must be empty: this operation takes none' });
    }
    return body;
  };
}

/** Puts parsed KIDs in the place of their texts, at the top level of a part; the part that came in stays as it is. */
function createKidParser(name: 'path' | 'query' | 'body', schema: TSchema | undefined) {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { [kidKeyword]?: readonly KidType[] }> };
  const kids = Object.entries(properties).flatMap(([key, { [kidKeyword]: types }]) =>
    types === undefined ? [] : [{ key, types }],
  );
  return (texts: InputValues, tenant: string, kidErrors: FieldError[]): InputValues => {
    if (kids.length === 0) return texts;
    const values = { ...texts };
    for (const { key, types } of kids) {
      const text = values[key];
      if (typeof text !== 'string') continue;
      const kid = parseKid(text, tenant, types);
      if (kid === undefined)
        kidErrors.push({
          path: `${name}.${key}`,
          message: `is no KID of this tenant naming ${types.map(withArticle).join(' or ')}`,
        });
      else values[key] = kid;
    }
    return values;
  };
}

const withArticle = (noun: string): string =>
  `${/^[aeiou]/.test(noun) && noun !== 'unit' && noun !== 'user' ? 'an' : 'a'} ${noun}`;

const isObject = (value: unknown): value is InputValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// ajv's messages tell schema words, never values, so nothing of the input is echoed but the names of unknown fields.
function formatSchemaErrors(name: string, errors: readonly ErrorObject[]): FieldError[] {
  return errors.slice(0, maxErrors).map(({ instancePath, keyword, params, message }) => {
    const at = [name, ...instancePath.split('/').slice(1)].join('.');
    if (keyword === 'additionalProperties')
      return { path: `${at}.${String(params['additionalProperty']).slice(0, 64)}`, message: 'is not a known field' };
    if (keyword === 'required') return { path: `${at}.${String(params['missingProperty'])}`, message: 'is missing' };
    if (keyword === 'enum')
      return { path: at, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` };
    return { path: at, message: message ?? 'is invalid' };
  });
}

/**
 * Names match case-insensitively; an unknown name and a single value given twice are refused. Text becomes the type
 * its schema declares, where it spells one exactly; otherwise it stays text and the schema refuses it.
 */
function createQueryParser(schema: TObject | undefined): (search: string, errors: FieldError[]) => InputValues {
  const properties = new Map(
    Object.entries(schema?.properties ?? {}).map(([name, property]) => [
      name.toLowerCase(),
      { name, type: (property as { type?: unknown }).type },
    ]),
  );
  return (search, errors) => {
    const values: InputValues = {};
    if (search === '') return values;
    if (!isPercentEncoded(search)) {
      errors.push({ path: 'query', message: 'is not percent-encoded UTF-8' });
      return values;
    }
    for (const [key, text] of new URLSearchParams(`?${search}`)) {
      const property = properties.get(key.toLowerCase());
      if (property === undefined)
        errors.push({ path: `query.${key.slice(0, 64)}`, message: 'is not a known query parameter' });
      else if (property.name in values)
        errors.push({ path: `query.${property.name}`, message: 'is given more than once' });
      else values[property.name] = parseQueryValue(text, property.type);
    }
    return values;
  };
}

/** What is not would be read as other characters than were meant. */
function isPercentEncoded(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function parseQueryValue(text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?(0|[1-9]\d{0,9})$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}
