// How schemas become components of a document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { documentedAs, namedEnum, namedObject, namedUnion, nullable, useOf } from '../schemas/named-schemas.ts';
import { kidInput, kidOutput } from '../schemas/schema-types.ts';
import { Components } from './components.ts';

const schemasOf = (components: Components) =>
  (components.toJson() as { schemas: Record<string, Record<string, unknown>> }).schemas;

const money = namedObject('Money', { amountMinor: Type.Integer({ description: 'Cents.' }) });

test('a schema with a name is a component of that name, wherever it is used', () => {
  const components = new Components();
  const list = components.schema(Type.Object({ total: money, parts: Type.Array(money) }));
  const reference = { $ref: '#/components/schemas/Money' };
  assert.partialDeepStrictEqual(list, { properties: { total: reference, parts: { type: 'array', items: reference } } });
  assert.deepEqual(Object.keys(schemasOf(components)), ['Money']);
  assert.doesNotMatch(JSON.stringify(components.toJson()), /"x-|"~/);
});

test('a use of a named schema adds its own description, and nullable adds null', () => {
  const components = new Components();
  const price = useOf(money, { description: 'The price.' });
  const $ref = '#/components/schemas/Money';
  assert.deepEqual(components.schema(price), { $ref, description: 'The price.' });
  assert.deepEqual(components.schema(nullable(price)), {
    anyOf: [{ $ref }, { type: 'null' }],
    description: 'The price.',
  });
  assert.deepEqual(components.schema(nullable(money)), { anyOf: [{ $ref }, { type: 'null' }] });
  assert.deepEqual(components.schema(nullable(Type.String({ description: 'A text.' }))), {
    type: ['string', 'null'],
    description: 'A text.',
  });
});

test('two schemas of one name are refused', () => {
  const components = new Components();
  components.schema(namedObject('Money', { amountMinor: Type.Integer({ description: 'Cents.' }) }));
  components.schema(money);
  assert.throws(() => components.schema(namedObject('Money', {})), /two schemas are named Money/);
});

test('KIDs of requests and of responses are one schema for each type', () => {
  const components = new Components();
  const $ref = '#/components/schemas/UnitKid';
  assert.deepEqual(components.schema(kidInput('unit')), { $ref, description: 'Canonical KID (unit) of this tenant.' });
  assert.deepEqual(components.schema(kidOutput('unit')), { $ref });
  assert.deepEqual(components.schema(kidInput('unit', 'user'))['anyOf'], [
    { $ref },
    { $ref: '#/components/schemas/UserKid' },
  ]);
  assert.partialDeepStrictEqual(schemasOf(components)['UnitKid'], { type: 'string', examples: ['sund-B1001-L1-U1'] });
});

test('a union maps each value of the property to its object', () => {
  const components = new Components();
  const cash = namedObject('Cash', { kind: namedEnum('CashKind', ['coin', 'note'], 'Cash.') });
  const card = namedObject('Card', { kind: namedEnum('CardKind', ['card'], 'Card.') });
  components.schema(namedUnion('Payment', 'kind', [cash, card]));
  const [cashRef, cardRef] = ['#/components/schemas/Cash', '#/components/schemas/Card'];
  assert.deepEqual(schemasOf(components)['Payment'], {
    oneOf: [{ $ref: cashRef }, { $ref: cardRef }],
    discriminator: { propertyName: 'kind', mapping: { coin: cashRef, note: cashRef, card: cardRef } },
  });
});

test('a text that rules check is documented as what it must be', () => {
  const percent = Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.', examples: [72] });
  const components = new Components();
  assert.deepEqual(components.schema(documentedAs(percent)), components.schema(percent));
});

test('a property with a default is not required', () => {
  const schema = Type.Object({ name: Type.String(), language: Type.String({ default: 'en' }) });
  assert.deepEqual(new Components().schema(schema)['required'], ['name']);
});

test('an object with arbitrary names becomes additionalProperties', () => {
  const rights = new Components().schema(Type.Record(Type.String(), Type.Boolean()));
  assert.deepEqual(rights, { type: 'object', additionalProperties: { type: 'boolean' } });
});
