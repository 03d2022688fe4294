// Turns an OpenAPI 3.1 document into one of version 3.0.3, for generators that cannot read 3.1. Version 3.0 has its own
// kind of schema: no lists of types, no null, no constants, and a reference has no siblings.

import type { Json } from './components.ts';

export function toOpenApi30(document: Json): Json {
  const { license, ...info } = document['info'] as Json;
  const { identifier: _, ...oldLicense } = license as Json;
  const converted = convert({ ...document, info: {} }) as Json;
  return addNullableSchemas({ ...converted, openapi: '3.0.3', info: { ...info, license: oldLicense } });
}

/**
 * A reference cannot be null in version 3.0: each schema that can be null somewhere has a second one that always can.
 * The first one is left out where nothing else uses it.
 */
function addNullableSchemas(document: Json): Json {
  const { schemas = {}, ...components } = (document['components'] ?? {}) as { schemas?: Record<string, Json> };
  const found = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const used = new Set([...found].map(([, name = '']) => name));
  const listed = Object.entries(schemas).flatMap(([name, schema]) => [
    ...(used.has(name) ? [[name, schema] as const] : []),
    ...(used.has(`Nullable${name}`) ? [[`Nullable${name}`, toNullable(schema)] as const] : []),
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(listed) } };
}

function toNullable(schema: Json): Json {
  const { anyOf, enum: values } = schema as { anyOf?: Json[]; enum?: unknown[] };
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map(toNullable) };
  return { ...schema, nullable: true, ...(values === undefined ? {} : { enum: [...values, null] }) };
}

/** Whatever is not a schema stays as it is, except for the schemas inside it. */
function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convertMember(key, each)]));
}

function convertMember(key: string, value: unknown): unknown {
  if (key === 'example' || key === 'examples' || key === 'value') return value;
  if (key === 'schema') return convertSchema(value as Json);
  return key === 'schemas' ? mapSchemas(value as Record<string, Json>) : convert(value);
}

const mapSchemas = (schemas: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convertSchema(schema)]));

function convertSchema({ anyOf: alternatives, ...schema }: Json): Json {
  const { others: anyOf, nullableReference } = readAlternatives(alternatives as Json[] | undefined);
  const { $ref = nullableReference, type, const: constant, examples, ...others } = schema;
  if ($ref !== undefined) {
    const annotations = convertSchemaMembers(others);
    return Object.keys(annotations).length === 0 ? { $ref } : { allOf: [{ $ref }], ...annotations };
  }
  return {
    ...convertType(type),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(convertSchema) }),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(examples === undefined ? {} : { example: (examples as unknown[])[0] }),
    ...convertSchemaMembers(others),
  };
}

const schemaListKeywords = new Set(['allOf', 'oneOf']);

/**
 * Patterns of version 3.0 are those of ECMAScript 5, without classes of Unicode characters: such a pattern is left out.
 */
const isUnicodePattern = (keyword: string, value: unknown): boolean =>
  keyword === 'pattern' && /\\p\{/i.test(String(value));

function convertSchemaMembers(schema: Json): Json {
  const members = Object.entries(schema).filter(([keyword, value]) => !isUnicodePattern(keyword, value));
  const entries = members.map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties') return [keyword, mapSchemas(value as Record<string, Json>)];
    if (schemaListKeywords.has(keyword)) return [keyword, (value as Json[]).map(convertSchema)];
    const isSchema = keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object');
    return [keyword, isSchema ? convertSchema(value as Json) : value];
  });
  return Object.fromEntries(entries);
}

/** Version 3.0 has one type, or any: several types besides null become any. */
function convertType(type: unknown): Json {
  if (type === undefined) return {};
  if (type === 'null') return { type: 'string', nullable: true, enum: [null] };
  const types = [type].flat();
  const [first, ...rest] = types.filter((each) => each !== 'null');
  if (rest.length > 0) return {};
  return types.includes('null') ? { type: first, nullable: true } : { type: first };
}

type Alternatives = { readonly others?: readonly Json[]; readonly nullableReference?: string };

/** The alternative to null is one named schema, or there are several types. */
function readAlternatives(anyOf: readonly Json[] | undefined): Alternatives {
  if (anyOf === undefined) return {};
  const others = anyOf.filter(({ type }) => type !== 'null');
  if (others.length === anyOf.length) return { others };
  // Any value is allowed, as with a list of types.
  if (others.length > 1) return {};
  return { nullableReference: String(others[0]?.['$ref']).replace('/schemas/', '/schemas/Nullable') };
}
