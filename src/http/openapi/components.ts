// Collects the shared parts of one document. A part is added on the first reference to it, so that a document has
// exactly the parts that its operations use.

import { isDeepStrictEqual } from 'node:util';
import type { TObject, TSchema } from 'typebox';
import type { KidType } from '../../lib/kid.ts';
import { documentedAsKeyword, nameKeyword, useOfKeyword } from '../schemas/named-schemas.ts';
import { kidKeyword, kidSchema } from '../schemas/schema-types.ts';

export type Json = Record<string, unknown>;

type ComponentSection = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers' | 'securitySchemes';

type SchemaKeywords = Json & {
  readonly [nameKeyword]?: string;
  readonly [useOfKeyword]?: TSchema;
  readonly [documentedAsKeyword]?: TSchema;
  readonly [kidKeyword]?: readonly KidType[];
  readonly patternProperties?: Record<string, TSchema>;
};

type Discriminator = { readonly propertyName: string };

export class Components {
  readonly #sections = new Map<ComponentSection, Map<string, unknown>>();
  readonly #namedSchemas = new Map<string, TSchema>();

  /** Returns a reference to the part, which is created on its first use. */
  reference(section: ComponentSection, name: string, make: () => unknown): Json {
    const parts = this.#sections.getOrInsertComputed(section, () => new Map());
    if (!parts.has(name)) {
      parts.set(name, undefined);
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** The schema as the document shows it: a reference if it has a name. */
  schema(schema: TSchema): Json {
    const keywords = schema as SchemaKeywords;
    const { [documentedAsKeyword]: documented, [useOfKeyword]: base, [nameKeyword]: name } = keywords;
    if (documented !== undefined) return this.schema(documented);
    if (base !== undefined) return { ...this.schema(base), ...differingAnnotations(keywords, base as Json) };
    if (name !== undefined) return this.#namedSchema(name, schema);
    const { [kidKeyword]: kidTypes, ...others } = keywords;
    return kidTypes === undefined ? this.#toJsonSchema(others) : this.#kidInput(kidTypes, others);
  }

  /** A name belongs to one schema: no other schema may have it. */
  #namedSchema(name: string, schema: TSchema): Json {
    const known = this.#namedSchemas.getOrInsert(name, schema);
    if (known !== schema && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are named ${name}`);
    const { [nameKeyword]: _name, ...keywords } = schema as SchemaKeywords;
    return this.reference('schemas', name, () => this.#toJsonSchema(keywords));
  }

  #kidInput(types: readonly KidType[], { description }: Json): Json {
    const kids = types.map((type) => this.schema(kidSchema(type)));
    return { ...(kids.length === 1 ? kids[0] : { anyOf: kids }), description };
  }

  /** Plain JSON Schema 2020-12, without what the schema library adds. */
  #toJsonSchema({ patternProperties, ...keywords }: SchemaKeywords): Json {
    const entries = Object.entries(keywords).map(([keyword, value]) => [keyword, this.#mapKeyword(keyword, value)]);
    const mapped: Json = {
      ...Object.fromEntries(entries),
      ...requiredOf(keywords),
      ...this.#mapPatternProperties(patternProperties),
    };
    const { oneOf, discriminator } = keywords as { oneOf?: TObject[]; discriminator?: Discriminator };
    return oneOf === undefined || discriminator === undefined
      ? mapped
      : { ...mapped, discriminator: { ...discriminator, mapping: this.#mappingOf(oneOf, discriminator) } };
  }

  /** Maps each value of the discriminating property to the object that has it. */
  #mappingOf(objects: readonly TObject[], { propertyName }: Discriminator): Json {
    return Object.fromEntries(
      objects.flatMap((object) => {
        const { enum: values = [] } = object.properties[propertyName] as { enum?: string[] };
        return values.map((value) => [value, this.schema(object)['$ref']]);
      }),
    );
  }

  #mapKeyword(keyword: string, value: unknown): unknown {
    // A body without it is complete if the request has If-Match.
    if (keyword === 'required') return (value as string[]).filter((name) => name !== 'expectedRevision');
    if (keyword === 'properties') return mapValues(value as Record<string, TSchema>, (each) => this.schema(each));
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return (value as TSchema[]).map((each) => this.schema(each));
    const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object';
    return isSchema ? this.schema(value as TSchema) : value;
  }

  // Client generators understand additionalProperties better than a pattern that every name matches.
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

/** A property with a default may be left out. */
function requiredOf({ required, properties }: Json): Json {
  if (required === undefined) return {};
  const byName = properties as Record<string, object>;
  return { required: (required as string[]).filter((name) => !('default' in (byName[name] ?? {}))) };
}

const annotations = ['description', 'default', 'examples'] as const;

/**
 * The annotations of a use of a named schema that differ from the schema's own (JSON Schema allows siblings of `$ref`
 * since 2019-09).
 */
function differingAnnotations(use: Json, base: Json): Json {
  const differing = annotations.filter((keyword) => keyword in use && !isDeepStrictEqual(use[keyword], base[keyword]));
  return Object.fromEntries(differing.map((keyword) => [keyword, use[keyword]]));
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

const sortByName = (entries: Iterable<[string, unknown]>): Json =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
