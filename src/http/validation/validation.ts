// Validates requests: returns the typed input of an operation, or throws a problem that lists the errors.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import type { FieldError } from '../../lib/problem.ts';
import { createKidParser } from './kid-parser.ts';
import type { Operation } from '../operations/operation.ts';
import { createQueryParser } from './query-parser.ts';
import { createPathParser } from './text-value.ts';
import { createValidationProblem, formatSchemaErrors } from './validation-problem.ts';

type InputValues = Record<string, unknown>;

export type ValidatedInput = { params: InputValues; query: InputValues; body: unknown };

/** Throws a Problem if the request is not valid. */
export type Validator = (request: { params: unknown; search: string; body: unknown }, tenant: string) => ValidatedInput;

type ValidationErrors = { readonly errors: FieldError[]; readonly kidErrors: FieldError[] };

type SchemaCompiler = (schema: TSchema) => () => ValidateFunction;

/**
 * Created once for an application. A schema is compiled on first use: compiling all of them takes a third of a start.
 */
export function createSchemaCompiler(): SchemaCompiler {
  // The schemas are ours. Tests check them against the metaschema; compiling that one would take a fifth of a start.
  const checks = { validateSchema: false, allErrors: true, strict: false };
  const ajv = new Ajv2020({ ...checks, useDefaults: true, coerceTypes: false, messages: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
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
  const validateBody = createBodyValidator(operation.body, compile);
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
  const parseKids = createKidParser(name, schema);
  return (values: InputValues, tenant: string, { errors, kidErrors }: ValidationErrors): InputValues => {
    if (getValidate === undefined) return values;
    const validate = getValidate();
    if (!validate(values)) errors.push(...formatSchemaErrors(name, validate.errors ?? []));
    return parseKids(values, tenant, kidErrors);
  };
}

function createBodyValidator(schema: TSchema | undefined, compile: SchemaCompiler) {
  const getValidate = schema === undefined ? undefined : compile(schema);
  const parseKids = createKidParser('body', schema);
  return (body: unknown, tenant: string, { errors, kidErrors }: ValidationErrors): unknown => {
    if (getValidate !== undefined) {
      const validate = getValidate();
      if (body === undefined) errors.push({ path: 'body', message: 'is missing' });
      else if (!validate(body)) errors.push(...formatSchemaErrors('body', validate.errors ?? []));
      else if (isObject(body)) return parseKids(body, tenant, kidErrors);
    } else if (body !== undefined && !(isObject(body) && Object.keys(body).length === 0)) {
      errors.push({ path: 'body', message: 'must be empty: this operation takes no body' });
    }
    return body;
  };
}

const isObject = (value: unknown): value is InputValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
