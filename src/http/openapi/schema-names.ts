// Names the schemas that become components of the documents.

import type { TSchema } from 'typebox';
import type { Operation } from '../operation.ts';

export type SchemaComponentNames = ReadonlyMap<object, string>;

/**
 * A schema is named by its `$id`, or after the first operation that has it as a response or a body. Over all operations,
 * so that it has the same name in every document.
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
