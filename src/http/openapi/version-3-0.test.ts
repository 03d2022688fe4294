// How schemas of OpenAPI 3.1 are written in version 3.0.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOpenApi30 } from './version-3-0.ts';

const $ref = '#/components/schemas/Money';

function convertSchema(schema: object): unknown {
  const info = { title: 'T', license: { name: 'MIT', identifier: 'MIT' } };
  const paths = { '/': { $ref: '#/components/schemas/It' } };
  const document = toOpenApi30({ openapi: '3.1.1', info, paths, components: { schemas: { It: schema } } });
  assert.deepEqual([document['openapi'], document['info']], ['3.0.3', { title: 'T', license: { name: 'MIT' } }]);
  return (document['components'] as { schemas: Record<string, unknown> }).schemas['It'];
}

test('null, constants, examples and the siblings of a reference are written as version 3.0 has them', () => {
  const table: [schema: object, old: object][] = [
    [
      { type: 'string', maxLength: 3 },
      { type: 'string', maxLength: 3 },
    ],
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', nullable: true, enum: ['a', null] },
    ],
    [
      { type: 'string', pattern: '^\\P{Cc}*$', maxLength: 3 },
      { type: 'string', maxLength: 3 },
    ],
    [
      { type: 'string', pattern: '^p{2}$' },
      { type: 'string', pattern: '^p{2}$' },
    ],
    [{ type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
    [{ type: ['boolean', 'number', 'null'], description: 'Any.' }, { description: 'Any.' }],
    [
      { type: 'string', const: 'x' },
      { type: 'string', enum: ['x'] },
    ],
    [
      { type: 'string', examples: ['x', 'y'] },
      { type: 'string', example: 'x' },
    ],
    [{ $ref }, { $ref }],
    [
      { $ref, description: 'It.' },
      { allOf: [{ $ref }], description: 'It.' },
    ],
    [{ anyOf: [{ $ref }, { type: 'null' }] }, { $ref: '#/components/schemas/NullableMoney' }],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }], description: 'Any.' },
      { description: 'Any.' },
    ],
    [{ anyOf: [{ $ref }, { $ref }] }, { anyOf: [{ $ref }, { $ref }] }],
    [
      { type: 'object', properties: { examples: { type: 'array', items: { type: 'string', const: 'x' } } } },
      { type: 'object', properties: { examples: { type: 'array', items: { type: 'string', enum: ['x'] } } } },
    ],
    [
      { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
      { type: 'object', additionalProperties: { type: 'integer', nullable: true } },
    ],
    [{ oneOf: [{ $ref, description: 'a' }] }, { oneOf: [{ allOf: [{ $ref }], description: 'a' }] }],
  ];
  for (const [schema, old] of table) assert.deepEqual(convertSchema(schema), old);
});

test('a schema that can be null somewhere has a second one that always can', () => {
  const nullable = (name: string) => ({ anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] });
  const schemas = {
    Money: { type: 'object', properties: { kind: nullable('Kind'), code: nullable('Code') } },
    Kind: { type: 'string', enum: ['a'] },
    Code: {
      anyOf: [
        { type: 'integer', enum: [1] },
        { type: 'integer', minimum: 2 },
      ],
    },
  };
  const paths = { '/': [{ $ref: '#/components/schemas/Money' }, { $ref: '#/components/schemas/Code' }] };
  const document = toOpenApi30({ openapi: '3.1.1', info: { license: {} }, paths, components: { schemas } });
  const { NullableKind, NullableCode, ...others } = (document['components'] as { schemas: Record<string, object> })
    .schemas;
  assert.deepEqual(Object.keys(others), ['Money', 'Code']);
  assert.deepEqual(NullableKind, { type: 'string', enum: ['a', null], nullable: true });
  const codes = [
    { type: 'integer', enum: [1, null], nullable: true },
    { type: 'integer', minimum: 2, nullable: true },
  ];
  assert.deepEqual(NullableCode, { anyOf: codes });
});

test('examples of bodies are not taken for schemas', () => {
  const examples = { recorded: { value: { schema: { type: ['x'] }, const: 1 } } };
  const info = { license: {} };
  const document = toOpenApi30({ openapi: '3.1.1', info, components: { examples } });
  assert.deepEqual(document['components'], { examples, schemas: {} });
});
