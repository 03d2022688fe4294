// Creates schemas with a name: each is one component of the OpenAPI documents, and one type of a generated client.

import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/** The keyword that holds the name of a schema. */
export const nameKeyword = 'x-name';

/** The keyword that holds the named schema that this one uses, with its own description or default. */
export const useOfKeyword = 'x-use-of';

/** The keyword that holds the schema that the documents show instead of this one. */
export const documentedAsKeyword = 'x-documented-as';

type Keywords = { readonly description?: string; readonly default?: unknown; readonly [keyword: string]: unknown };

/** The named schema that a schema is or uses. */
function namedSchemaOf(schema: TSchema): TSchema | undefined {
  const { [useOfKeyword]: base, [nameKeyword]: name } = schema as Keywords;
  return (base as TSchema | undefined) ?? (name === undefined ? undefined : schema);
}

/** An object of an answer: a later version may add properties, so that clients must not refuse others. */
export const namedObject = <T extends TProperties>(name: string, properties: T, options: Keywords = {}) =>
  Type.Object(properties, { ...options, [nameKeyword]: name });

/** The body of a request: any other property is refused. */
export const namedBody = <T extends TProperties>(name: string, properties: T) =>
  namedObject(name, properties, { additionalProperties: false });

/** One of a few strings. */
export const namedEnum = <const T extends string>(name: string, values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description, [nameKeyword]: name });

/** A use of a named schema with a more specific meaning. */
export function useOf<T extends TSchema>(named: T, keywords: Keywords): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ ...named, ...keywords, [useOfKeyword]: named });
}

/** One of several objects, which differ in the value of one property. */
export const namedUnion = <const T extends readonly TSchema[]>(
  name: string,
  propertyName: string,
  objects: T,
  options: Keywords = {},
) =>
  Type.Unsafe<Static<T[number]>>({ ...options, oneOf: objects, discriminator: { propertyName }, [nameKeyword]: name });

/** A value of the schema's type, or null. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const named = namedSchemaOf(schema);
  const {
    description,
    type,
    enum: values,
    [documentedAsKeyword]: documented,
    ...rest
  } = schema as unknown as Keywords & { type?: string; enum?: unknown[]; [documentedAsKeyword]?: TSchema };
  const described = description === undefined ? {} : { description };
  if (named !== undefined)
    return Type.Unsafe({ anyOf: [named, { type: 'null' }], ...(named === schema ? {} : described) });
  const widened = values === undefined ? {} : { enum: [...values, null] };
  const shown = documented === undefined ? {} : { [documentedAsKeyword]: nullable(documented) };
  return Type.Unsafe({ ...described, ...rest, type: [type, 'null'], ...widened, ...shown });
}

/** A text that `rules/` parse or the database checks: the documents describe what it must be. */
export function documentedAs(documented: TSchema): TUnsafe<string> {
  const { description, examples, default: byDefault } = documented as Keywords;
  const defaults = byDefault === undefined ? {} : { default: byDefault };
  return Type.Unsafe({ type: 'string', description, examples, ...defaults, [documentedAsKeyword]: documented });
}
