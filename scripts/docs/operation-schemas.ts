// Formats schemas of the OpenAPI document as tables of docs/operations.md.

import type { Json } from '../../src/http/openapi/components.ts';
import { code, codes, table } from './markdown.ts';

/** `AccountEntry`, linked to its section; an inline type in words. */
export function formatType(schema: Json): string {
  const { $ref, type, format, items, anyOf, oneOf, enum: values } = schema as SchemaKeywords;
  if ($ref !== undefined) return linkToType(nameOf($ref));
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(formatType))].join(' or ');
  if (values !== undefined) return values.map((value) => (value === null ? 'null' : code(String(value)))).join(', ');
  const types = [type ?? 'any'].flat().map((each) => (each === 'array' ? `list of ${formatType(items ?? {})}` : each));
  return `${types.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

type SchemaKeywords = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly enum?: readonly (string | number | null)[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
};

const nameOf = (reference: string): string => reference.replace('#/components/schemas/', '');

const linkToType = (name: string): string => `[${code(name)}](#${name.toLowerCase()})`;

/** The description, range and default of a schema. */
export function describeSchema(schema: Json, otherwise = ''): string {
  const { description = otherwise, minimum, maximum, default: standard } = schema as SchemaKeywords;
  const range =
    minimum === undefined ? '' : maximum === undefined ? `At least ${minimum}.` : `${minimum} to ${maximum}.`;
  const fallback = standard === undefined ? '' : `Default ${code(String(standard))}.`;
  return [description, range, fallback].filter((part) => part !== '').join(' ');
}

/** The sections of the named types, without the problems, which docs/errors.md lists. */
export function typeSections(schemas: Readonly<Record<string, Json>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    /.(?:Problem|Reason)$/.test(name) ? [] : [`### ${name}`, ...typeSection(name, schema as SchemaKeywords)],
  );
}

/** Longer lists are in docs/settings.md. */
const maxValues = 60;

function typeSection(name: string, schema: SchemaKeywords): string[] {
  const { description, properties, required = [], enum: values, pattern, additionalProperties } = schema;
  const intro = description === undefined || description === '' ? [] : [description];
  if (properties !== undefined) {
    const rows = Object.entries(properties).map(([field, each]) => [
      required.includes(field) ? code(field) : `${code(field)} (optional)`,
      formatType(each),
      describeSchema(each),
    ]);
    return [...intro, table(['Field', 'Type', 'Meaning'], rows)];
  }
  if (values !== undefined && values.length > maxValues) return [...intro, `See [settings.md](settings.md).`];
  if (values !== undefined) return [...intro, `One of ${codes(values.map(String))}.`];
  if (pattern !== undefined) return [...intro, `String; pattern ${code(pattern)}.`];
  if (typeof additionalProperties === 'object')
    return [...intro, `An object of any names; each value is ${formatType(additionalProperties as Json)}.`];
  return [...intro, `${name === 'UnitTypeCode' ? 'See [settings.md](settings.md). ' : ''}${formatType(schema)}.`];
}
