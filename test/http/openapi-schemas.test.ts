// The schemas of the OpenAPI documents, from which generators create types: each thing has one schema with its name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { createOperations } from '../../src/app.ts';
import { documentNames, createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import { anyTab } from '../../src/permissions/matrix.ts';
import { unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { settingGroups, stateGroups } from '../../src/features/units/catalogue/value-definition.ts';
import { allDefinitions } from '../../src/features/units/catalogue/type-catalogue.ts';

type Schema = { readonly [keyword: string]: unknown };
type PathItem = Record<string, { operationId: string; tags: string[]; description?: string; [key: string]: unknown }>;
type Document = {
  readonly tags: { readonly name: string; readonly description?: string }[];
  readonly paths: Record<string, PathItem>;
  readonly components: Record<string, Record<string, Schema>>;
};

const { operations } = createOperations(createDependenciesWithoutStorage());
const documents = Object.fromEntries(
  documentNames.map((name) => [name, createOpenApiDocument(name, operations, { version: '1.0.0' }) as unknown]),
) as Record<(typeof documentNames)[number], Document>;
const { all } = documents;

/** Keywords that are not part of a type. */
const annotations = new Set(['description', 'examples', 'default', 'x-enum-varnames']);

/** A text that is equal for equal types. */
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (annotations.has(key)) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

const keywordsOfSchemas = ['items', 'additionalProperties', 'not'];
const keywordsOfLists = ['anyOf', 'oneOf', 'allOf'];

/** The schema and all schemas inside it; references are not followed. */
function listSchemas(schema: unknown): Schema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const keywords = schema as Schema;
  const inside = [
    ...keywordsOfSchemas.map((keyword) => keywords[keyword]),
    ...keywordsOfLists.flatMap((keyword) => (keywords[keyword] ?? []) as unknown[]),
    ...Object.values(keywords['properties'] ?? {}),
  ];
  return [keywords, ...inside.flatMap(listSchemas)];
}

/** Every schema of parameters, bodies and responses that is not a named one. */
function listInlineSchemas(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
    key === 'schema' ? [each] : key === 'examples' ? [] : listInlineSchemas(each),
  );
}

const namedSchemasOf = ({ components }: Document): [name: string, schema: Schema][] =>
  Object.entries(components['schemas'] ?? {});

/** Everything except the named schemas. */
const unnamedSchemasOf = ({ paths, components }: Document): Schema[] => [
  ...listInlineSchemas([paths, { ...components, schemas: {} }]).flatMap(listSchemas),
  ...Object.values(components['schemas'] ?? {}).flatMap((schema) => listSchemas(schema).slice(1)),
];

/** The part of a problem's schema that extends the common one is not a separate type. */
const isPartOfProblem = (schema: Schema): boolean => {
  const { status, code, reason, ...others } = (schema['properties'] ?? {}) as Record<string, Schema | undefined>;
  if (status === undefined) return (reason ?? code) !== undefined && Object.keys(others).length === 0;
  return typeof code?.['const'] === 'string';
};

test('schemas with the same structure have the same name', () => {
  for (const [document, { components }] of Object.entries(documents)) {
    const nameByShape = new Map<string, string>();
    for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
      const shape = shapeOf(schema);
      assert.equal(nameByShape.get(shape), undefined, `${document}: ${name} is also ${nameByShape.get(shape)}`);
      nameByShape.set(shape, name);
    }
  }
});

test('a name means the same in every document', () => {
  // The document of computers has schemas of its own.
  const known = { ...documents['equipment'].components['schemas'], ...all.components['schemas'] };
  for (const document of Object.values(documents))
    for (const [name, schema] of namedSchemasOf(document)) assert.deepEqual(schema, known[name], name);
});

test('every object has a name, and so has every enumeration that is used twice', () => {
  for (const [name, document] of Object.entries(documents)) {
    const unnamed = unnamedSchemasOf(document);
    const objects = unnamed.filter((each) => each['type'] === 'object' || 'properties' in each);
    assert.deepEqual(
      objects.filter((each) => !isPartOfProblem(each)),
      [],
      name,
    );
    const enums = unnamed.filter((each) => ((each['enum'] ?? []) as unknown[]).length > 1).map(shapeOf);
    assert.deepEqual(
      enums.filter((shape, at) => enums.indexOf(shape) !== at),
      [],
      name,
    );
    const namedEnums = new Set(namedSchemasOf(document).flatMap(([, each]) => ('enum' in each ? [shapeOf(each)] : [])));
    assert.deepEqual(
      enums.filter((shape) => namedEnums.has(shape)),
      [],
      name,
    );
  }
});

test('a schema is named for its content, not for an operation or a position in one', () => {
  const ids = operations.map(({ id }) => id);
  for (const [name] of namedSchemasOf(all)) {
    assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
    assert.doesNotMatch(name, /^(?:Get|Set|List|Execute|Check|Download|Reverse)[A-Z]/);
    assert.doesNotMatch(name, /(?:Answer|Body|Response|Request|Dto|Schema)$/);
    assert.ok(!ids.some((id) => name.includes(id)), name);
  }
  for (const name of ['AccountEntry', 'AccountPage', 'Booking', 'BookingPage', 'CurrencyTotal', 'Receipt', 'Unit'])
    assert.ok(all.components['schemas']?.[name] !== undefined, name);
});

test('the combined document holds every operation of the others once', () => {
  const idsOf = ({ paths }: Document): string[] =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const others = [documents.public, documents.downloads, documents.portal].flatMap(idsOf);
  assert.equal(new Set(idsOf(all)).size, idsOf(all).length);
  assert.deepEqual(new Set(idsOf(all)), new Set(others));
});

test('every operation and every tag has a description', () => {
  for (const { tags, paths } of Object.values(documents)) {
    for (const { name, description = '' } of tags) assert.ok(description.length > 10, name);
    const names = new Set(tags.map(({ name }) => name));
    for (const methods of Object.values(paths))
      for (const { operationId, description = '', tags: used } of Object.values(methods)) {
        assert.ok(description.length > 10, operationId);
        assert.ok(used.length === 1 && names.has(used[0] ?? ''), operationId);
      }
  }
});

type Parameter = { name: string; in: string; required: boolean; example?: unknown; schema: Schema };

/** The schema of a parameter, or of the component that it refers to. */
function parameterSchema(path: string, name: string): Schema {
  const [operation] = Object.values(all.paths[path] ?? {});
  const parameter = (operation?.['parameters'] as Parameter[] | undefined)?.find((each) => each.name === name);
  assert.ok(parameter !== undefined, `${path} has no ${name}`);
  const { $ref = '' } = parameter.schema as { $ref?: string };
  const [, component = ''] = /([^/]+)$/.exec($ref) ?? [];
  return all.components['schemas']?.[component] ?? parameter.schema;
}

test('parameters of a path have their types, bounds, patterns and lengths', () => {
  for (const [path, methods] of Object.entries(all.paths))
    for (const name of [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => String(each))) {
      const schema = parameterSchema(path, name);
      const isBounded =
        'enum' in schema || schema['type'] !== 'string' || (schema['pattern'] !== undefined && 'maxLength' in schema);
      assert.ok(isBounded, `${path} ${name} is any text`);
      for (const { operationId, parameters = [] } of Object.values(methods) as {
        operationId: string;
        parameters?: Parameter[];
      }[])
        assert.ok(
          parameters.some((each) => each.name === name && each.in === 'path' && each.required),
          operationId,
        );
    }
  const period = parameterSchema('/api/v1/banks/{bankKid}/settlements/{period}', 'period');
  assert.deepEqual([period['type'], period['minimum'], period['maximum']], ['integer', 0, 2_147_483_647]);
  const width = parameterSchema('/api/v1/circles/running/{color}/{width}x{height}.svg', 'width');
  assert.deepEqual([width['type'], width['minimum'], width['maximum']], ['integer', 16, 4096]);
  const unit = parameterSchema('/api/v1/units/{unitKid}', 'unitKid');
  assert.equal(unit['pattern'], '^[a-z][a-z0-9]{0,30}-B[1-9][0-9]{0,9}-L[1-9][0-9]{0,9}-U[1-9][0-9]{0,9}$');
});

test('a request is described with the limits of its rules, and demands no field that has a default', () => {
  const schemaOf = (name: string) => all.components['schemas']?.[name] as { required: string[]; properties: object };
  const { required, properties } = schemaOf('NewResident');
  assert.deepEqual(required, ['name']);
  assert.partialDeepStrictEqual(properties, {
    name: { minLength: 1, maxLength: 200 },
    email: { maxLength: 254, default: '' },
    phone: { maxLength: 32 },
    apartment: { maxLength: 64 },
  });
  const { value } = schemaOf('ResidentChange').properties as { value: { description: string } };
  for (const command of ['SetName: 1 to 200', 'SetApartment: at most 64', 'SetPin: 4 to 8 digits'])
    assert.ok(value.description.includes(command), command);
  const { email } = schemaOf('UnverifiedEmail').properties as { email: object };
  assert.partialDeepStrictEqual(email, { maxLength: 254, format: 'idn-email' });
  const size = parameterSchema('/api/v1/icon/{iconSet}/{kid}/{size}.{format}', 'size');
  assert.deepEqual([size['minimum'], size['maximum'], size['format']], [16, 4096, 'int32']);
  assert.equal(parameterSchema('/api/v1/banks/{bankKid}/documents', 'from')['format'], 'date-time');
});

test('every email address has the length of its column, and the format of an image is one of those that are drawn', () => {
  const emails = Object.entries(all.components['schemas'] ?? {}).flatMap(([name, schema]) =>
    listSchemas(schema).flatMap(({ properties = {} }) =>
      Object.entries(properties as Record<string, unknown>)
        .filter(([field]) => /^(?:pendingE|e)mail$/.test(field))
        .map(([field, each]) => ({ name: `${name}.${field}`, schemas: listSchemas(each) })),
    ),
  );
  assert.ok(emails.length >= 7, `${emails.length} addresses`);
  for (const { name, schemas } of emails)
    assert.ok(
      schemas.some(({ maxLength }) => maxLength === 254),
      name,
    );
  assert.deepEqual(
    new Set(parameterSchema('/api/v1/icon/{iconSet}/{kid}/{size}.{format}', 'format')['enum'] as string[]),
    new Set(['svg', 'png', 'jpg', 'jpeg', 'gif', 'bmp', 'tif', 'tiff', 'webp', 'ppm', 'tga', 'ico']),
  );
});

test('the value of a setting is exact over 64 bits', () => {
  const alternatives = all.components['schemas']?.['SettingValue']?.['anyOf'] as Schema[];
  assert.ok(alternatives.some(({ type, format }) => type === 'integer' && format === 'int64'));
});

test('Tabs, types of units, groups and settings are enumerations', () => {
  const enumOf = (name: string): unknown => all.components['schemas']?.[name]?.['enum'];
  const visible = allDefinitions.filter((each) => each.visible);
  assert.deepEqual(enumOf('Tab'), anyTab);
  assert.deepEqual(enumOf('UnitGroupName'), [...settingGroups, ...stateGroups]);
  for (const kind of ['Setting', 'State'] as const)
    assert.deepEqual(
      enumOf(`${kind}Name`),
      visible.filter((each) => each.kind === kind).map(({ name }) => name),
    );
  const [known, later] = (all.components['schemas']?.['UnitTypeCode']?.['anyOf'] ?? []) as Schema[];
  assert.deepEqual(
    known?.['enum'],
    unitTypes.map((_, at) => at + 1),
  );
  // A unit can be of a type that is newer than the document.
  assert.equal(later?.['minimum'], unitTypes.length + 1);
});

test('text is a string, and any other body is binary', () => {
  const contents = Object.values(all.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.values(responses as Record<string, { content?: Record<string, { schema: Schema }> }>).flatMap(
        ({ content = {} }) => Object.entries(content),
      ),
    ),
  );
  const formats = new Map(
    contents.flatMap(([type, { schema }]) =>
      /json|text\/plain/.test(type) ? [] : [[type, schema['format']] as const],
    ),
  );
  assert.equal(formats.get('image/svg+xml'), undefined);
  for (const [type, format] of formats)
    assert.equal(format, type.startsWith('text/') || type === 'image/svg+xml' ? undefined : 'binary', type);
  assert.ok(formats.has('text/csv') && formats.has('application/zip') && formats.has('image/png'));
});

test('the documents have GET, PUT, POST and DELETE only', () => {
  const methods = Object.values(all.paths).flatMap((item) => Object.keys(item));
  assert.deepEqual(new Set(methods).difference(new Set(['get', 'put', 'post', 'delete'])), new Set());
});
