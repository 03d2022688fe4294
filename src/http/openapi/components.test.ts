// How schemas become components of a document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import { definePublicOperation } from '../operation.ts';
import { Components } from './components.ts';
import { nameSchemas } from './schema-names.ts';

const operation = (id: string, answer: TSchema) =>
  definePublicOperation({
    id,
    method: 'GET',
    path: `/api/v1/${id}`,
    documents: ['public'],
    group: 'Things',
    summary: id,
    response: answer,
    deadlineMs: 1000,
    run: () => ({}),
  });

test('an answer is named after the first operation that has it, also inside of others', () => {
  const thing = Type.Object({ name: Type.String() });
  const list = Type.Object({ items: Type.Array(thing) });
  const things = [operation('GetThing', thing), operation('SetThing', thing), operation('GetThings', list)];
  const components = new Components(nameSchemas(things));
  assert.deepEqual(components.schema(list), { $ref: '#/components/schemas/GetThingsAnswer' });
  const { schemas } = components.toJson() as { schemas: Record<string, object> };
  assert.deepEqual(Object.keys(schemas), ['GetThingAnswer', 'GetThingsAnswer']);
  assert.partialDeepStrictEqual(schemas['GetThingsAnswer'], {
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/GetThingAnswer' } } },
  });
});

test('a schema with an $id is a component of that name, wherever it stands', () => {
  const money = Type.Object({ amountMinor: Type.Integer() }, { $id: 'Money' });
  const components = new Components(new Map());
  const list = components.schema(Type.Object({ total: money }));
  assert.partialDeepStrictEqual(list, { properties: { total: { $ref: '#/components/schemas/Money' } } });
  assert.doesNotMatch(JSON.stringify(components.toJson()), /\$id/);
});

test('two schemas of one name are refused', () => {
  const named = (description: string) => Type.Object({}, { $id: 'Thing', description });
  assert.throws(
    () => nameSchemas([operation('GetA', named('a')), operation('GetB', named('b'))]),
    /two schemas are named/,
  );
});

test('an object of any names is one of additionalProperties', () => {
  const rights = new Components(new Map()).schema(Type.Record(Type.String(), Type.Boolean()));
  assert.deepEqual(rights, { type: 'object', additionalProperties: { type: 'boolean' } });
});
