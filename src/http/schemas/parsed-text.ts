// Creates the schema of a text that a rule checks and parses, so that one answer names every wrong field of a request.

import { Type, type TSchema, type TUnsafe } from 'typebox';
import type { FieldResult } from '../../lib/values/field-values.ts';
import { documentedAs } from './named-schemas.ts';

/** The keyword that holds the rule. */
export const parserKeyword = 'x-parser';

/** What of the tenant a rule can depend on. */
export type TextTenant = { readonly name: string; readonly country: string };

export type TextParser<T> = (text: string, tenant: TextTenant) => FieldResult<T>;

/**
 * A text of a request; `run` receives what the rule makes of it. The documents show `documented`, whose limits are those
 * of the rule.
 */
export const parsedText = <T>(documented: TSchema, parse: TextParser<T>): TUnsafe<T> =>
  Type.Unsafe<T>({ ...documentedAs(documented), [parserKeyword]: parse });
