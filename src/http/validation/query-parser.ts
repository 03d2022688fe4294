// Parses the query string of a request into values of the types that its schema declares.

import type { TObject } from 'typebox';
import type { FieldError } from '../../lib/problem.ts';
import { parseTextValue } from './text-value.ts';

type Values = Record<string, unknown>;

/** Adds an error for a parameter that is unknown or repeated. */
type QueryParser = (search: string, errors: FieldError[]) => Values;

/** Longer parameter names are cut in errors. */
const maxNameLength = 64;

/** Names match case-insensitively. */
export function createQueryParser(schema: TObject | undefined): QueryParser {
  const properties = new Map(
    Object.entries(schema?.properties ?? {}).map(([name, property]) => [
      name.toLowerCase(),
      { name, type: (property as { type?: unknown }).type },
    ]),
  );
  return (search, errors) => {
    const values: Values = {};
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
