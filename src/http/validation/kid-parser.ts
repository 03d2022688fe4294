// Parses the KIDs of a validated part of a request.

import type { TSchema } from 'typebox';
import { parseKid, type KidType } from '../../lib/kid.ts';
import type { FieldError } from '../../lib/problem.ts';
import type { RequestPart } from '../operations/operation.ts';
import { kidKeyword } from '../schemas/schema-types.ts';

type Values = Record<string, unknown>;

/** Returns a copy of the part with the KIDs of its top level parsed; adds an error for each invalid one. */
type KidParser = (values: Values, tenant: string, kidErrors: FieldError[]) => Values;

export function createKidParser(part: RequestPart, schema: TSchema | undefined): KidParser {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { [kidKeyword]?: readonly KidType[] }> };
  const kidProperties = Object.entries(properties).flatMap(([name, { [kidKeyword]: types }]) =>
    types === undefined ? [] : [{ name, types }],
  );
  return (values, tenant, kidErrors) => {
    if (kidProperties.length === 0) return values;
    const parsed = { ...values };
    for (const { name, types } of kidProperties) {
      const text = parsed[name];
      if (typeof text !== 'string') continue;
      const kid = parseKid(text, tenant, types);
      if (kid === undefined) kidErrors.push({ path: `${part}.${name}`, message: `must be ${describeKid(types)}` });
      else parsed[name] = kid;
    }
    return parsed;
  };
}

const describeKid = (types: readonly KidType[]): string =>
  `the KID of ${types.map(withArticle).join(' or ')} of this tenant`;

const withArticle = (type: KidType): string =>
  `${/^[aeiou]/.test(type) && type !== 'unit' && type !== 'user' ? 'an' : 'a'} ${type}`;
