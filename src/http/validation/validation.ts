// Validates requests: returns the typed input of an operation, or throws a problem that lists the errors.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import { Problem, type FieldError } from '../../lib/problem.ts';
import type { TextTenant } from '../schemas/parsed-text.ts';
import { createFieldParser, type ValidationErrors } from './field-parser.ts';
import type { Operation } from '../operations/operation.ts';
import { createPathParser, parseTextValue } from './text-value.ts';
import { createValidationProblem, formatSchemaErrors } from './validation-problem.ts';

type InputValues = Record<string, unknown>;

export type ValidatedInput = { params: InputValues; query: InputValues; body: unknown };

/** Throws a Problem if the request is not valid. */
export type Validator = (
  request: { params: unknown; search: string; body: unknown },
  tenant: TextTenant,
) => ValidatedInput;

type SchemaCompiler = (schema: TSchema) => () => ValidateFunction;

/**
 * Created once for an application. A schema is compiled on first use: compiling all of them takes a third of a start.
 */
export function createSchemaCompiler(): SchemaCompiler {
  // The schemas are ours. Tests check them against the metaschema; compiling that one would take a fifth of a start.
  const checks = { validateSchema: false, allErrors: true, strict: false };
  const ajv = new Ajv2020({ ...checks, useDefaults: true, coerceTypes: false, messages: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64', 'idn-email']) ajv.addFormat(format, true);
  return (schema) => {
    let compiled: ValidateFunction | undefined;
    return () => (compiled ??= ajv.compile(schema));
  };
}

export function createValidator(operation: Operation, compile: SchemaCompiler): Validator {
  const validateParams = createPartValidator('path', operation.params, compile);
  const validateQuery = createPartValidator('query', operation.query, compile);
  const parsePath = createPathParser(operation.params);
  const parseQuery = createQueryParser(operation.query);
  const validateBody = chooseBodyValidator(operation, compile);
  return ({ params, search, body }, tenant) => {
    const found: ValidationErrors = { errors: [], kidErrors: [] };
    const input = {
      params: validateParams(parsePath({ ...(params as InputValues) }), tenant, found),
      query: validateQuery(parseQuery(search, found.errors), tenant, found),
      body: validateBody(body, tenant, found),
    };
    if (found.errors.length + found.kidErrors.length > 0) throw createValidationProblem(found, operation);
    return input;
  };
}

function createPartValidator(name: 'path' | 'query', schema: TObject | undefined, compile: SchemaCompiler) {
  const getValidate = schema === undefined ? undefined : compile(schema);
  const parseFields = createFieldParser(name, schema);
  return (values: InputValues, tenant: TextTenant, found: ValidationErrors): InputValues => {
    if (getValidate === undefined) return values;
    const validate = getValidate();
    if (!validate(values)) found.errors.push(...formatSchemaErrors(name, validate.errors ?? []));
    return parseFields(values, tenant, found);
  };
}

/** Lines and octets are parsed by the operation: a single bad line refuses none of the others. */
function chooseBodyValidator({ bodyFormat, body }: Operation, compile: SchemaCompiler) {
  if (bodyFormat === undefined) return createBodyValidator(body, compile);
  return bodyFormat === 'jsonl' ? requireBytes : (octets: unknown): unknown => octets;
}

function createBodyValidator(schema: TSchema | undefined, compile: SchemaCompiler) {
  const getValidate = schema === undefined ? undefined : compile(schema);
  const parseFields = createFieldParser('body', schema);
  return (body: unknown, tenant: TextTenant, found: ValidationErrors): unknown => {
    const { errors } = found;
    if (getValidate !== undefined) {
      const validate = getValidate();
      if (body === undefined) errors.push({ path: 'body', message: 'is missing' });
      else if (!validate(body)) errors.push(...formatSchemaErrors('body', validate.errors ?? []));
      if (isObject(body)) return parseFields(body, tenant, found);
    } else if (body !== undefined && !(isObject(body) && Object.keys(body).length === 0)) {
      errors.push({ path: 'body', message: 'must be empty: this operation takes no body' });
    }
    return body;
  };
}

/** Throws where the body is JSON, whose parser does not know which operation it is for. */
function requireBytes(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) throw new Problem('unsupported-media-type');
  return body;
}

const isObject = (value: unknown): value is InputValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds an error for a parameter that is unknown or repeated. */
type QueryParser = (search: string, errors: FieldError[]) => InputValues;

/** Longer parameter names are cut in errors. */
const maxNameLength = 64;

/** Names match case-insensitively. */
function createQueryParser(schema: TObject | undefined): QueryParser {
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
      errors.push({ path: 'query', message: 'must be percent-encoded UTF-8' });
      return values;
    }
    for (const [key, text] of new URLSearchParams(`?${search}`)) {
      const property = properties.get(key.toLowerCase());
      if (property === undefined)
        errors.push({ path: `query.${key.slice(0, maxNameLength)}`, message: 'is not a known query parameter' });
      else if (property.name in values)
        errors.push({ path: `query.${property.name}`, message: 'is given more than once' });
      else values[property.name] = parseTextValue(text, property.type);
    }
    return values;
  };
}

/** Broken encoding would be decoded to characters that the client did not mean. */
function isPercentEncoded(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
