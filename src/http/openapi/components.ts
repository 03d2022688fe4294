// The shared parts of one document. A part enters when something first refers to it, so a document holds exactly
// what its operations use.

import { Type, type TSchema } from 'typebox';
import type { Operation } from '../operation.ts';

export type Json = Record<string, unknown>;

type ComponentSection = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers' | 'securitySchemes';

/** The names of the schemas that become components. */
export type SchemaComponentNames = ReadonlyMap<object, string>;

export class Components {
  readonly #names: SchemaComponentNames;
  readonly #sections = new Map<ComponentSection, Map<string, unknown>>();

  constructor(names: SchemaComponentNames) {
    this.#names = names;
  }

  /** A reference to the part, which is made when it is first asked for. */
  reference(section: ComponentSection, name: string, make: () => unknown): Json {
    const parts = this.#sections.get(section) ?? new Map<string, unknown>();
    this.#sections.set(section, parts);
    if (!parts.has(name)) {
      parts.set(name, undefined);
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** The schema as the document shows it: a reference where it has a name. */
  schema(schema: TSchema): Json {
    const name = this.#names.get(schema) ?? (schema as { $id?: string }).$id;
    return name === undefined
      ? this.#toJsonSchema(schema)
      : this.reference('schemas', name, () => this.#toJsonSchema(schema));
  }

  /** Plain JSON Schema 2020-12, by whatever library the schema was made. */
  #toJsonSchema(schema: TSchema): Json {
    const { $id: _name, patternProperties, ...keywords } = schema as Json;
    const entries = Object.entries(keywords).map(([keyword, value]) => [keyword, this.#mapKeyword(keyword, value)]);
    return {
      ...Object.fromEntries(entries),
      ...this.#mapPatternProperties(patternProperties as Record<string, TSchema> | undefined),
    };
  }

  #mapKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') return mapValues(value as Record<string, TSchema>, (each) => this.schema(each));
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return (value as TSchema[]).map((each) => this.schema(each));
    const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object';
    return isSchema ? this.schema(value as TSchema) : value;
  }

  // A pattern that every name matches is better known to generators as additionalProperties.
  #mapPatternProperties(patterns: Record<string, TSchema> | undefined): Json {
    if (patterns === undefined) return {};
    const { '^.*$': every, ...others } = patterns;
    return {
      ...(every === undefined ? {} : { additionalProperties: this.schema(every) }),
      ...(Object.keys(others).length === 0
        ? {}
        : { patternProperties: mapValues(others, (each) => this.schema(each)) }),
    };
  }

  /** All parts that were referred to, in the order of their names. */
  toJson(): Json {
    const sections = [...this.#sections].map(([section, parts]): [string, unknown] => [section, sortByName(parts)]);
    return sortByName(sections);
  }
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

const sortByName = (entries: Iterable<[string, unknown]>): Json =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Answers and bodies are named after the first operation that has them, unless they carry an `$id`: over all
 * operations, so that a schema has one name in every document.
 */
export function nameSchemas(operations: readonly Operation[]): SchemaComponentNames {
  const names = new Map<object, string>();
  const name = (schema: TSchema | undefined, fallback: string): void => {
    if (schema === undefined || names.has(schema)) return;
    const chosen = (schema as { $id?: string }).$id ?? fallback;
    if ([...names.values()].includes(chosen)) throw new Error(`two schemas are named ${chosen}`);
    names.set(schema, chosen);
  };
  for (const { id, response, body } of operations) {
    name(response, `${id}Answer`);
    name(body, `${id}Body`);
  }
  return names;
}

/** The body of every error (RFC 9457). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A URN that ends in the code.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    code: Type.String({ description: 'Stable: decide by it.' }),
    reason: Type.Optional(Type.String({ description: 'Stable as well, where a code has several causes.' })),
    detail: Type.String({ description: 'What is wrong with this request, in words.' }),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Names the request in the service’s log.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ path: Type.String({ description: 'For example `query.Limit`.' }), message: Type.String() }),
        {
          description: 'Each part of the input that was refused.',
        },
      ),
    ),
  },
  { $id: 'Problem' },
);
