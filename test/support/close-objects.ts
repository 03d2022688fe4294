// Closes the schema of an answer: clients must accept properties that they do not know, but the service sends none that
// is not declared.

import type { TSchema } from 'typebox';

/** A copy in which every object has only its declared properties. */
export const closeObjects = (schema: TSchema): TSchema => closeValue(schema) as TSchema;

function closeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closeValue);
  const closed = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closeValue(each)]));
  return closed['type'] === 'object' && 'properties' in closed ? { ...closed, additionalProperties: false } : closed;
}
