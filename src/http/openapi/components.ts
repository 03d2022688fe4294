// Collects the shared parts of one document. A part is added when something first refers to it, so that a document has
// exactly the parts that its operations use.

import type { TSchema } from 'typebox';
import type { SchemaComponentNames } from './schema-names.ts';

export type Json = Record<string, unknown>;

type ComponentSection = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers' | 'securitySchemes';

export class Components {
  readonly #names: SchemaComponentNames;
  readonly #sections = new Map<ComponentSection, Map<string, unknown>>();

  constructor(names: SchemaComponentNames) {
    this.#names = names;
  }

  /** A reference to the part, which is made on its first use. */
  reference(section: ComponentSection, name: string, make: () => unknown): Json {
    const parts = this.#sections.get(section) ?? new Map<string, unknown>();
    this.#sections.set(section, parts);
    if (!parts.has(name)) {
      parts.set(name, undefined);
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** The schema as it stands in the document: a reference if it has a name. */
  schema(schema: TSchema): Json {
    const name = this.#names.get(schema) ?? (schema as { $id?: string }).$id;
    return name === undefined
      ? this.#toJsonSchema(schema)
      : this.reference('schemas', name, () => this.#toJsonSchema(schema));
  }

  /** Plain JSON Schema 2020-12, without what the schema library adds. */
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

  // Generators of clients understand a pattern that every name matches better as additionalProperties.
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

  /** All parts, sorted by name. */
  toJson(): Json {
    const sections = [...this.#sections].map(([section, parts]): [string, unknown] => [section, sortByName(parts)]);
    return sortByName(sections);
  }
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

const sortByName = (entries: Iterable<[string, unknown]>): Json =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
