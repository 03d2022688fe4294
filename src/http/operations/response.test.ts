// The declared response of an operation decides what its `run` may return: anything else does not compile. Each
// `@ts-expect-error` below is a promise: the type check fails if the line after it compiles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { toRawJson } from '../../lib/values/int64.ts';
import type { ManagerContext } from '../context/operation-context.ts';
import type { Representation } from '../representations/representation.ts';
import { PreparedJson, type Download, type PreparedFile, type StoredFile } from '../representations/results.ts';
import { closedObject, int64 } from '../schemas/schema-types.ts';
import { defineImageOperation, defineManagerOperation, definePublicOperation } from './operation.ts';
import { download, jsonMediaTypes, jsonOf, noContent, preparedFile, representation, storedFile } from './response.ts';

const common = {
  id: 'GetThing',
  method: 'GET',
  path: '/api/v1/thing',
  openApiDocuments: [],
  group: 'Test',
  summary: 'A thing',
  deadlineMs: 1000,
} as const;
const ofManagers = { ...common, access: {} } as const;

const Thing = closedObject({
  name: Type.String(),
  amountMinor: int64('An amount.'),
  note: Type.Optional(Type.String()),
  parts: Type.Array(closedObject({ size: Type.Integer() })),
});
const thing = { name: 'a', amountMinor: toRawJson('9007199254740993'), parts: [{ size: 1 }] } as const;
const { name: _name, ...nameless } = thing;
const misspelt = { ...nameless, nmae: 'a' };
const wrongName = { ...thing, name: 1 };
const extraField = { ...thing, more: 1 };
const extraInPart = { ...thing, parts: [{ size: 1, more: 1 }] };
const wrongPart = { ...thing, parts: [{ size: '1' }] };
/** Storage has this type, JSON does not. */
const bigAmount = { ...thing, amountMinor: 9007199254740993n };

const [csv, page, packed] = [{} as Download, {} as PreparedFile, {} as StoredFile];
const image = {} as Representation;

const writeOf = <T>(context: ManagerContext, answer: T) =>
  context.write({ grant: (scope) => scope, requireObject: async () => {}, work: async () => answer });

test('a manager’s operation returns JSON of its schema', () => {
  const declared = { ...ofManagers, response: jsonOf(Thing) };
  const { response } = defineManagerOperation({ ...declared, run: () => thing });
  assert.deepEqual([response.kind, response.status, response.mediaTypes], ['json', 200, jsonMediaTypes]);
  assert.equal(response.schema, Thing);
  defineManagerOperation({ ...declared, run: async () => ({ ...thing, note: 'b' }) });
  defineManagerOperation({ ...declared, run: () => new PreparedJson<typeof thing>('') });
  defineManagerOperation({ ...declared, run: (_input, context) => writeOf(context, thing) });

  // @ts-expect-error A field is missing.
  defineManagerOperation({ ...declared, run: () => nameless });
  // @ts-expect-error A field is misspelt.
  defineManagerOperation({ ...declared, run: () => misspelt });
  // @ts-expect-error A field is of another type.
  defineManagerOperation({ ...declared, run: () => wrongName });
  // @ts-expect-error A field of an item is of another type.
  defineManagerOperation({ ...declared, run: async () => wrongPart });
  // @ts-expect-error JSON has no bigint.
  defineManagerOperation({ ...declared, run: () => bigAmount });
  // @ts-expect-error There is no such field.
  defineManagerOperation({ ...declared, run: () => extraField });
  // @ts-expect-error There is no such field of an item.
  defineManagerOperation({ ...declared, run: async () => extraInPart });
  // @ts-expect-error The write answers a field that is not there.
  defineManagerOperation({ ...declared, run: (_input, context) => writeOf(context, extraInPart) });
  // @ts-expect-error There is no answer.
  defineManagerOperation({ ...declared, run: async () => {} });
  // @ts-expect-error A file is no JSON.
  defineManagerOperation({ ...declared, run: () => csv });
  // @ts-expect-error The text is of something else.
  defineManagerOperation({ ...declared, run: () => new PreparedJson<typeof nameless>('') });
  // @ts-expect-error The write answers something else.
  defineManagerOperation({ ...declared, run: (_input, context) => writeOf(context, wrongPart) });
});

test('a public operation returns JSON of its schema', () => {
  const declared = { ...common, response: jsonOf(Thing) };
  const operation = definePublicOperation({
    ...declared,
    run: () => thing,
    knownAnswer: () => new PreparedJson<typeof thing>(''),
  });
  assert.deepEqual([operation.access, operation.response], ['anyone', declared.response]);

  // @ts-expect-error A field is missing.
  definePublicOperation({ ...declared, run: () => nameless });
  // @ts-expect-error A field is misspelt.
  definePublicOperation({ ...declared, run: async () => misspelt });
  // @ts-expect-error A field is of another type.
  definePublicOperation({ ...declared, run: () => wrongName });
  // @ts-expect-error There is no such field.
  definePublicOperation({ ...declared, run: async () => extraField });
  // @ts-expect-error A page is no JSON.
  definePublicOperation({ ...declared, run: () => page });
  // @ts-expect-error What is known is something else.
  definePublicOperation({ ...declared, run: () => thing, knownAnswer: () => new PreparedJson<typeof nameless>('') });
});

test('an operation must declare its success', () => {
  // @ts-expect-error It declares nothing.
  defineManagerOperation({ ...ofManagers, run: () => thing });
  // @ts-expect-error It declares nothing.
  definePublicOperation({ ...common, run: () => {} });
  const created = jsonOf(Thing, { status: 201, locationOf: ({ name }) => `/api/v1/things/${name}` });
  assert.deepEqual(
    [created.status, created.headers, created.locationOf?.(thing)],
    [201, ['Location'], '/api/v1/things/a'],
  );
  // @ts-expect-error There is no such field to make the path of.
  jsonOf(Thing, { locationOf: ({ id }) => `/api/v1/things/${id}` });
});

test('an operation without content returns nothing', () => {
  const declared = { ...ofManagers, response: noContent };
  const { response } = defineManagerOperation({ ...declared, run: async () => {} });
  assert.deepEqual([response.kind, response.status, response.mediaTypes], ['noContent', 204, []]);
  defineManagerOperation({ ...declared, run: (_input, context) => writeOf(context, undefined) });
  definePublicOperation({ ...common, response: noContent, run: () => {} });

  // @ts-expect-error There is an answer.
  defineManagerOperation({ ...declared, run: () => thing });
  // @ts-expect-error The write has an answer.
  defineManagerOperation({ ...declared, run: (_input, context) => writeOf(context, thing) });
  // @ts-expect-error There is an answer.
  definePublicOperation({ ...common, response: noContent, run: async () => csv });
});

test('an operation whose success is a file returns that kind of file', () => {
  const ofCsv = { ...ofManagers, response: download(['text/csv']) };
  const ofPage = { ...ofManagers, response: preparedFile(['text/html']) };
  const ofPackage = { ...common, response: storedFile(['application/msix']) };
  const operations = [
    defineManagerOperation({ ...ofCsv, run: () => csv }),
    defineManagerOperation({ ...ofPage, run: async () => page }),
    definePublicOperation({ ...ofPackage, run: () => packed }),
  ];
  const kinds = operations.map(({ response: { kind, mediaTypes } }) => [kind, ...mediaTypes]);
  assert.deepEqual(kinds, [
    ['download', 'text/csv'],
    ['preparedFile', 'text/html'],
    ['storedFile', 'application/msix'],
  ]);

  // @ts-expect-error It is finished, and not streamed.
  defineManagerOperation({ ...ofCsv, run: () => page });
  // @ts-expect-error It is JSON.
  defineManagerOperation({ ...ofCsv, run: () => thing });
  // @ts-expect-error It is streamed.
  defineManagerOperation({ ...ofPage, run: async () => csv });
  // @ts-expect-error It lies on disk.
  defineManagerOperation({ ...ofPage, run: () => packed });
  // @ts-expect-error It does not lie on disk.
  definePublicOperation({ ...ofPackage, run: () => page });
});

test('only an image is a representation that every cache may store', () => {
  const declared = { ...common, response: representation(['image/svg+xml']) };
  const { response } = defineImageOperation({ ...declared, render: () => image });
  assert.deepEqual([response.kind, response.mediaTypes], ['representation', ['image/svg+xml']]);

  // @ts-expect-error It is a file.
  defineImageOperation({ ...declared, render: () => page });
  // @ts-expect-error It has no such headers.
  definePublicOperation({ ...declared, run: () => image });
  // @ts-expect-error An image is none of these.
  defineImageOperation({ ...common, response: download(['image/svg+xml']), render: () => image });
});
