// Parses the KIDs of a part of a request, and the texts whose schema names the rule that parses them.

import type { TSchema } from 'typebox';
import { toFieldError } from '../../lib/values/field-problem.ts';
import { parseKid, type KidType } from '../../lib/kid.ts';
import type { FieldError } from '../../lib/problem.ts';
import type { RequestPart } from '../operations/operation.ts';
import { kidKeyword } from '../schemas/schema-types.ts';
import { parserKeyword, type TextParser, type TextTenant } from '../schemas/parsed-text.ts';

type Values = Record<string, unknown>;

export type ValidationErrors = { readonly errors: FieldError[]; readonly kidErrors: FieldError[] };

/**
 * Returns a copy of the part with the fields of its top level parsed; adds an error for each invalid one. A text that
 * already has an error gets no second one.
 */
type FieldParser = (values: Values, tenant: TextTenant, errors: ValidationErrors) => Values;

type FieldKeywords = {
  readonly [kidKeyword]?: readonly KidType[];
  readonly [parserKeyword]?: TextParser<unknown>;
  /** The schema of an array's items. */
  readonly items?: { readonly [parserKeyword]?: TextParser<unknown> };
};

export function createFieldParser(part: RequestPart, schema: TSchema | undefined): FieldParser {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, FieldKeywords> };
  const fields = Object.entries(properties).flatMap(([name, keywords]) => {
    const { [kidKeyword]: types, items, [parserKeyword]: parse = items?.[parserKeyword] } = keywords;
    return types === undefined && parse === undefined ? [] : [{ name, types, parse }];
  });
  return (values, tenant, { errors, kidErrors }) => {
    if (fields.length === 0) return values;
    const parseText = (path: string, text: string, parse: TextParser<unknown>): unknown => {
      const result = parse(text, tenant);
      if (!('reason' in result)) return result.value;
      errors.push(toFieldError(path, result));
      return undefined;
    };
    const parsed = { ...values };
    for (const { name, types, parse } of fields) {
      const { [name]: text } = parsed;
      const path = `${part}.${name}`;
      const hasError = errors.some((error) => error.path === path || error.path.startsWith(`${path}.`));
      if (Array.isArray(text) && parse !== undefined && !hasError)
        parsed[name] = text.map((each: string, index) => parseText(`${path}.${index}`, each, parse));
      if (typeof text !== 'string') continue;
      if (types !== undefined) {
        const kid = parseKid(text, tenant.name, types);
        if (kid === undefined) kidErrors.push({ path, message: `must be ${describeKid(types)}`, code: 'not-a-kid' });
        else parsed[name] = kid;
      } else if (parse !== undefined && !hasError) parsed[name] = parseText(path, text, parse);
    }
    return parsed;
  };
}

const describeKid = (types: readonly KidType[]): string =>
  `the KID of ${types.map(withArticle).join(' or ')} of this tenant`;

const withArticle = (type: KidType): string =>
  `${/^[aeiou]/.test(type) && type !== 'unit' && type !== 'user' ? 'an' : 'a'} ${type}`;
