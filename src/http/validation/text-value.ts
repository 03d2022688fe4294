// Parses the texts of a path or query into values of the types that their schemas declare.

import type { TObject } from 'typebox';

type Values = Record<string, unknown>;

/** A text that is not a value of the declared type stays a text, which the schema then refuses. */
export function parseTextValue(text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?(0|[1-9]\d{0,9})$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** Parses the parameters of a path in place. */
export function createPathParser(schema: TObject | undefined): (values: Values) => Values {
  const integers = Object.entries(schema?.properties ?? {}).flatMap(([name, property]) =>
    (property as { type?: unknown }).type === 'integer' ? [name] : [],
  );
  return (values) => {
    for (const name of integers) values[name] = parseTextValue(String(values[name]), 'integer');
    return values;
  };
}
