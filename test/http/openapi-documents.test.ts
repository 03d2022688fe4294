// The OpenAPI documents that the service sends: their operations with access, parameters, responses and problems, and that
// a linter finds no fault.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { createSample } from './support/operation-samples.ts';
import { createOperations, createApp } from '../../src/app.ts';
import { version } from '../../src/version.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import type { OpenApiDocumentName, Operation } from '../../src/http/operations/operation.ts';
import {
  acceptsServiceKey,
  isOfComputers,
  needsByValue,
  needsOf,
  isManagerOperation,
} from '../../src/http/operations/operation-properties.ts';

type Media = { schema: unknown; examples?: Record<string, { $ref: string }> };
type DescribedOperation = {
  operationId: string;
  security: object[];
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Record<string, unknown> }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { $ref?: string; description?: string; headers?: object; content?: Record<string, Media> }>;
  'x-tabs'?: string[];
  'x-permissions'?: string[];
  'x-scope'?: string;
  'x-needs-by-parameter'?: Record<string, object>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string; 'x-interface-version': string };
  servers: { url: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, unknown>>;
};
type DocumentedOperation = {
  document: OpenApiDocumentName;
  method: string;
  path: string;
  described: DescribedOperation;
};

const host = 'api.sund.localhost';
const specifiedNames: OpenApiDocumentName[] = ['public', 'downloads', 'portal'];
const documentNames: OpenApiDocumentName[] = [...specifiedNames, 'equipment'];
const fileNames = [...documentNames, 'all'] as const;
const dependencies = createDependenciesWithoutStorage();
const { operations } = createOperations(dependencies);
const documents = {} as Record<(typeof fileNames)[number], Document>;
let app: Awaited<ReturnType<typeof createApp>>;

before(async () => {
  app = await createApp(dependencies);
  for (const name of fileNames) {
    const response = await app.inject({ url: `/openapi/${name}-v1.json`, headers: { host } });
    documents[name] = response.json<Document>();
  }
});
after(async () => {
  await app.close();
  await dependencies.databases.close();
});

/** Every operation of the documents. */
const listDocumentedOperations = (): DocumentedOperation[] =>
  documentNames.flatMap((name) => listOperationsOfDocument(documents[name], name));

function listOperationsOfDocument({ paths }: Document, document: OpenApiDocumentName): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ document, method, path, described })),
  );
}

const idsOf = (name: OpenApiDocumentName): string[] =>
  listOperationsOfDocument(documents[name], name).map((operation) => operation.described.operationId);

const isPublic = ({ described }: DocumentedOperation): boolean => described.security.length === 0;

/** The target of a reference; anything else unchanged. */
function resolve<T>(document: Document, value: T & { $ref?: string }): T {
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? '') ?? [];
  return value.$ref === undefined ? value : (document.components[section]?.[name] as T);
}

test('[contract.01] there are three documents: Public v1 (no login), Downloads v1, Portal integrations v1', () => {
  const titles = specifiedNames.map((name) => documents[name].info.title);
  assert.deepEqual(titles, ['Public v1 (no login)', 'Downloads v1', 'Portal integrations v1']);
});

test('[contract.09] each document says that the interface is v1', () => {
  for (const { info } of Object.values(documents)) {
    assert.match(info.title, /\bv1\b/);
    assert.equal(info['x-interface-version'], 'v1');
  }
});

test('each document says the version of the service', () => {
  for (const { info } of Object.values(documents)) assert.equal(info.version, version);
});

test('[contract.14] each operation is in exactly the documents that it declares, in OpenAPI 3.1', () => {
  for (const name of documentNames) {
    const declared = operations.filter((operation) => operation.openApiDocuments.includes(name));
    assert.deepEqual(
      idsOf(name),
      declared.map(({ id }) => id),
    );
    assert.match(documents[name].openapi, /^3\.1\./);
  }
  assert.deepEqual(
    new Set(listDocumentedOperations().map(({ described }) => described.operationId)),
    new Set(operations.map(({ id }) => id)),
  );
  // Computers are other clients: none of what only they call is among the operations of v1 for people and their programs.
  const equipment = new Set(idsOf('equipment'));
  assert.deepEqual(
    listOperationsOfDocument(documents.all, 'portal')
      .map(({ described }) => described.operationId)
      .toSorted(compareTexts),
    operations
      .map(({ id }) => id)
      .filter((id) => !equipment.has(id))
      .toSorted(compareTexts),
  );
});

test('[contract.02] Public v1 (no login) holds the public operations: status, statistics, purchase map, images and the app download', () => {
  const isPublicId = /^(?:GetPublic|GetBrand|GetLinearGradient|GetCircle|GetIcon|GetPortalApp|DownloadPortal)/;
  assert.deepEqual(
    idsOf('public').toSorted(compareTexts),
    [...specifiedIds].filter((id) => isPublicId.test(id)).toSorted(compareTexts),
  );
  for (const operation of listOperationsOfDocument(documents.public, 'public')) assert.ok(isPublic(operation));
});

test('[contract.12] the kind of an alert is any text, so that a future kind breaks no generated client', () => {
  for (const { components } of [documents.portal, documents.all])
    for (const name of ['TenantStatusSource', 'TenantStatusItem']) {
      const schema = components['schemas']?.[name] as { properties: Record<string, object> };
      assert.deepEqual(
        { ...schema.properties['kind'], description: '', examples: [] },
        { type: 'string', description: '', examples: [] },
        name,
      );
    }
});

test('[contract.04] Portal integrations v1 holds manager login and the operations of managers', () => {
  const ofManagers = operations.filter((operation) => operation.id === 'LoginManager' || isManagerOperation(operation));
  const elsewhere = new Set(idsOf('downloads'));
  assert.deepEqual(
    idsOf('portal'),
    ofManagers.map(({ id }) => id).filter((id) => !elsewhere.has(id)),
  );
});

test('[contract.06] the manager document holds only operations that need a login, and the login itself, and none of the public document', () => {
  const open = listOperationsOfDocument(documents.portal, 'portal').filter(isPublic);
  assert.deepEqual(
    open.map(({ described }) => described.operationId),
    ['LoginManager'],
  );
  assert.deepEqual(
    listOperationsOfDocument(documents.public, 'public').filter((context) => !isPublic(context)),
    [],
  );
  const inPortal = new Set(idsOf('portal'));
  assert.deepEqual(
    idsOf('public').filter((id) => inPortal.has(id)),
    [],
  );
});

test('[contract.06] only the public document describes public operations', () => {
  const paths = specifiedNames.map((name) =>
    Object.keys((createOpenApiDocument(name, operations, { version }) as Document).paths),
  );
  assert.deepEqual(
    paths.map((each) => each.includes('/api/v1/public/status')),
    [true, false, false],
  );
});

test('[contract.05] the description of an operation changes neither its route nor its id nor its access', async () => {
  const moved = (to: OpenApiDocumentName) =>
    operations.map((operation): Operation => ({ ...operation, openApiDocuments: [to] }));
  const [first, ...others] = documentNames.map(
    (name) => (createOpenApiDocument(name, moved(name), { version }) as Document).paths,
  );
  for (const paths of others) assert.deepEqual(paths, first);
  for (const { method, described } of listDocumentedOperations()) {
    const operation = operations.find(({ id }) => id === described.operationId);
    assert.ok(operation);
    const url = createSample(operation).path;
    const reply = await app.inject({ method: method.toUpperCase() as 'GET', url, headers: { host } });
    const { statusCode } = reply;
    assert.equal(statusCode === 401, described.security.length > 0, described.operationId);
    assert.notEqual(statusCode, 405, described.operationId);
    // A missing object differs from a missing route.
    if (statusCode === 404)
      assert.notEqual(reply.json<{ code: string }>().code, 'unknown-route', described.operationId);
  }
});

test('[contract.07] operation ids are unique and spelled as specified', () => {
  const ids = operations.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const name of documentNames) assert.equal(new Set(idsOf(name)).size, idsOf(name).length);
});

test('[contract.07] all 92 specified operations are mounted, and no others except those that the service adds', () => {
  assert.equal(specifiedIds.size, 92);
  const expected = [...specifiedIds, ...ownIds];
  assert.deepEqual(operations.map(({ id }) => id).toSorted(compareTexts), expected.toSorted(compareTexts));
});

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);

test('[contract.08] every route begins with /api/v1/, except those of the app download and of computers', () => {
  for (const { path } of listDocumentedOperations())
    assert.match(path, /^\/(?:(?:api|equipment)\/v1\/|download(?:\/|$))/);
});

test('[contract.10] operations of managers declare ManagerBearer, those of computers their key, and all others no security', () => {
  for (const { document, described } of listDocumentedOperations()) {
    const operation = operations.find(({ id }) => id === described.operationId);
    const isOfManagers = operation !== undefined && isManagerOperation(operation);
    const ofOthers = operation?.access === 'computer' ? { ComputerKey: [] } : undefined;
    const [first, second] = described.security;
    assert.deepEqual(first, isOfManagers ? { ManagerBearer: [] } : ofOthers, described.operationId);
    const takesKeys = operation !== undefined && acceptsServiceKey(operation);
    assert.deepEqual(second, takesKeys ? { ServiceKey: [] } : undefined, described.operationId);
    const scheme = documents[document].components['securitySchemes']?.['ManagerBearer'];
    if (isOfManagers) assert.partialDeepStrictEqual(scheme, { type: 'http', scheme: 'bearer' });
  }
});

test('the description of an operation lists its required rights', () => {
  for (const { described } of listDocumentedOperations()) {
    const operation = operations.find(({ id }) => id === described.operationId);
    if (operation === undefined || !isManagerOperation(operation)) continue;
    const { tabs, permissions, grantLevel } = needsOf(operation.access);
    assert.deepEqual(
      [described['x-tabs'], described['x-permissions'], described['x-scope']],
      [tabs, permissions, grantLevel],
    );
    const byParameter = Object.entries(needsByValue(operation.access)).map(([type, needs]) => [
      type,
      { 'x-tabs': needs.tabs, 'x-permissions': needs.permissions, 'x-scope': needs.grantLevel },
    ]);
    assert.deepEqual(Object.entries(described['x-needs-by-parameter'] ?? {}), byParameter);
  }
});

test('query parameters show their defaults, and only those without a default are required', () => {
  const account = documents.portal.paths['/api/v1/banks/{bankKid}/account']?.['get'];
  const parameter = (name: string) => account?.parameters?.find((each) => each.name === name);
  assert.partialDeepStrictEqual(parameter('bankKid'), { in: 'path', required: true, example: 'sund-B1001' });
  const limit = { type: 'integer', default: 50, minimum: 1, maximum: 200 };
  assert.partialDeepStrictEqual(parameter('Limit'), { in: 'query', required: false, schema: limit });
  assert.partialDeepStrictEqual(parameter('From'), { in: 'query', required: false, schema: { format: 'date' } });
});

test('a localised read with a revision accepts Accept-Language and If-None-Match, and answers their header fields', () => {
  const { portal } = documents;
  const account = portal.paths['/api/v1/banks/{bankKid}/account']?.['get'];
  const taken = account?.parameters?.map((each) => resolve(portal, each)).filter((each) => each.in === 'header');
  assert.deepEqual(
    taken?.map(({ name }) => name),
    ['Accept-Language', 'If-None-Match'],
  );
  const fields = Object.keys(account?.responses['200']?.headers ?? {});
  for (const field of ['X-Request-Id', 'ETag', 'Content-Language', 'Cache-Control'])
    assert.ok(fields.includes(field), field);
  assert.equal(account?.responses['304']?.content, undefined);
});

test('JSON bodies and answers are described with each of their media types', () => {
  const login = documents.portal.paths['/api/v1/session/login']?.['post'];
  assert.deepEqual(Object.keys(login?.requestBody?.content ?? {}), [
    'application/json',
    'text/json',
    'application/*+json',
  ]);
  assert.deepEqual(Object.keys(login?.responses['200']?.content ?? {}), [
    'application/json',
    'text/json',
    'text/plain',
  ]);
});

test('an error status lists its codes with their titles, in its schema and as recorded examples', async () => {
  const { portal } = documents;
  const login = portal.paths['/api/v1/session/login']?.['post'];
  const response = resolve(portal, login?.responses['400'] ?? {});
  const codes = ['unknown-host', 'invalid-request', 'malformed-body'];
  for (const code of codes) assert.ok(response.description?.includes(`\`${code}\``));
  const media = response.content?.['application/problem+json'];
  const names = ['UnknownHostProblem', 'InvalidRequestProblem', 'MalformedBodyProblem'];
  const references = names.map((name) => `#/components/schemas/${name}`);
  assert.deepEqual(media?.schema, {
    oneOf: references.map(($ref) => ({ $ref })),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, at) => [code, references[at]])),
    },
  });
  assert.partialDeepStrictEqual(portal.components['schemas']?.['UnknownHostProblem'], {
    allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { const: 'unknown-host' } } }],
  });
  const example = resolve<{ value?: object }>(portal, media?.examples?.['unknown-host'] ?? {}).value;
  const answer = await app.inject({ url: '/api/v1/session/me', headers: { host: 'api.nowhere.localhost' } });
  assert.deepEqual({ ...answer.json<object>(), traceId: '' }, { ...example, traceId: '' });
});

test('a code with extension members has a schema of its own, which requires them', () => {
  const { portal } = documents;
  const conflictOf = (path: string, method: string) =>
    resolve(portal, portal.paths[path]?.[method]?.responses['409'] ?? {}).content?.['application/problem+json'];
  const commands = '/api/v1/banks/{bankKid}/bookings/{eventKid}/commands/{command}';
  const conflict = { $ref: '#/components/schemas/BookingConflictProblem' };
  assert.deepEqual(conflictOf(`${commands}/check`, 'get')?.schema, conflict);
  const schema = conflictOf(commands, 'post')?.schema as { oneOf: object[] } | undefined;
  const others = ['BookingOverlapProblem', 'IdempotencyInProgressProblem'];
  const otherConflicts = others.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  assert.deepEqual(schema?.oneOf, [conflict, ...otherConflicts]);
  for (const [name, code, member] of [
    ['BookingConflictProblem', 'booking-conflict', 'currentEventKid'],
    ['AlreadyReversedProblem', 'already-reversed', 'reversedByKid'],
  ] as const) {
    const parts = portal.components['schemas']?.[name] as { allOf: object[] } | undefined;
    const [problem, own] = parts?.allOf ?? [];
    assert.deepEqual(problem, { $ref: '#/components/schemas/Problem' });
    assert.partialDeepStrictEqual(own, { required: ['status', 'code', member], properties: { code: { const: code } } });
    const example = portal.components['examples']?.[code] as { value: Record<string, unknown> } | undefined;
    assert.match(String(example?.value[member]), /^sund-B1001-/);
  }
});

test('a path that is not percent-encoded UTF-8 is a 400 that its operations declare', async () => {
  const { all } = documents;
  for (const { method, path, described } of listOperationsOfDocument(all, 'portal')) {
    if (!path.includes('{')) continue;
    const url = path.replaceAll(/\{\w+\}/g, '%ff');
    const { statusCode, ...response } = await app.inject({ method: method as 'get', url, headers: { host } });
    const declared = resolve(all, described.responses['400'] ?? {}).description ?? '';
    const { code } = response.json<{ code: string }>();
    assert.deepEqual([statusCode, code], [400, 'invalid-request'], url);
    assert.ok(declared.includes(`\`${code}\``), `${described.operationId} does not declare ${code}`);
  }
});

test('references have targets, and every schema is valid JSON Schema', () => {
  for (const document of Object.values(documents)) {
    const text = JSON.stringify(document);
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      assert.ok(document.components[section]?.[name] !== undefined, `${section}/${name}`);
    }
    assert.doesNotMatch(text, /"~|\$id/);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const format of ['int32', 'int64', 'idn-email']) ajv.addFormat(format, true);
    ajv.addSchema({ $id: 'document', components: document.components });
    for (const name of Object.keys(document.components['schemas'] ?? {})) {
      ajv.compile({ $ref: `document#/components/schemas/${name}` });
    }
  }
});

test('each document also has a variant of version 3.0, with the same operations and schemas', async () => {
  for (const name of fileNames) {
    const response = await app.inject({ url: `/openapi/${name}-v1-openapi-3.0.json`, headers: { host } });
    const old = response.json<Document>();
    assert.equal(old.openapi, '3.0.3');
    assert.deepEqual(old.servers, documents[name].servers);
    const idsIn = ({ paths }: Document): string[] =>
      Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    assert.deepEqual(idsIn(old), idsIn(documents[name]));
    const names = Object.keys(old.components['schemas'] ?? {}).map((each) => each.replace(/^Nullable/, ''));
    assert.deepEqual(new Set(names), new Set(Object.keys(documents[name].components['schemas'] ?? {})));
  }
});

test('a choice of schemas refers to named ones, so that every generated type has a name', () => {
  const choices = [...JSON.stringify(documents.all).matchAll(/"oneOf":(\[.*?\])/g)].map(([, list = '']) => list);
  assert.ok(choices.length > 50);
  for (const list of choices)
    for (const choice of JSON.parse(list) as object[]) assert.deepEqual(Object.keys(choice), ['$ref']);
});

test('bodies of requests are closed, and objects of answers are open', () => {
  const { schemas = {} } = documents.all.components as Record<string, Record<string, Record<string, unknown>>>;
  const bodies = new Set(
    listOperationsOfDocument(documents.all, 'portal').flatMap(({ described }) => {
      const { $ref = '' } = (described.requestBody?.content['application/json']?.schema ?? {}) as { $ref?: string };
      return $ref === '' ? [] : [$ref.slice('#/components/schemas/'.length)];
    }),
  );
  assert.ok(bodies.size > 15);
  for (const name of bodies)
    for (const { $ref } of (schemas[name]?.['oneOf'] ?? []) as { $ref: string }[])
      bodies.add($ref.slice('#/components/schemas/'.length));
  for (const [name, schema] of Object.entries(schemas))
    if ('properties' in schema)
      assert.equal(schema['additionalProperties'], bodies.has(name) ? false : undefined, name);
});

test('a linter finds no fault in the documents', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-openapi-'));
  try {
    const files = fileNames.map((name) => join(folder, `${name}-v1.json`));
    await Promise.all(fileNames.map((name, at) => writeFile(files[at] ?? '', JSON.stringify(documents[name]))));
    for (const name of fileNames) {
      const { body } = await app.inject({ url: `/openapi/${name}-v1-openapi-3.0.json`, headers: { host } });
      files.push(join(folder, `${name}-3.0.json`));
      await writeFile(files.at(-1) ?? '', body);
    }
    const root = join(import.meta.dirname, '../..');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    await promisify(execFile)(process.execPath, [redocly, 'lint', ...files], { cwd: root, env });
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Operations that the service adds to those specified. */
const ownIds = new Set([
  'ApplyImport',
  'CancelImport',
  'CreateImport',
  'ExportData',
  'GetImport',
  'GetImportEvents',
  'GetImportKinds',
  'GetImportRows',
  'GetImportTemplate',
  'GetImports',
  'UndoImport',
  'AuthoriseUse',
  'BeginStreamEpoch',
  'CheckBankBookingCommand',
  'CreateComputer',
  'EnrolComputer',
  'GetAuditLog',
  'GetBankBooking',
  'GetBankSettlementHtml',
  'GetComputer',
  'GetComputers',
  'GetDesired',
  'GetDeviceSyncs',
  'GetHeldLines',
  'GetImportProfile',
  'GetImportProfiles',
  'GetSnapshot',
  'GetStreams',
  'GetUnitCommands',
  'GetUserReceiptsHtml',
  'RenewComputerCode',
  'RenewComputerKey',
  'ResolveHeldLine',
  'RetryDeviceSync',
  'RevokeComputer',
  'SendStreamLines',
  'SendUnitCommand',
  'SetImportProfile',
  'SetServiceReadAccess',
  'TryImportProfile',
]);

/** The operation ids, which clients, permissions, logs and documents share. */
const specifiedIds = new Set(
  `ChangeMyManagerPassword ConfirmMyManagerEmail CreateBankUser DownloadBankSettlement
  DownloadPortalWindowsAppInstaller DownloadPortalWindowsPackage DownloadUnitDocumentCsv DownloadUnitDocumentXls
  ExecuteBankBookingCommand ExecuteBankUserCommand ExportBankAccount ExportBankUsers GenerateServiceApiKey
  GetBankAccount GetBankAccountRevision GetBankBookings GetBankDocuments GetBankIcons GetBankLocations
  GetBankSettlementPeriod GetBankSettlements GetBankUserActivation GetBankUserWorkspace GetBankUsers GetBrandLogo
  GetBrandLogoSized GetBrandLogoText GetBrandLogoTextSized GetBrandLogoTextWithBackground
  GetBrandLogoWithBackground GetBrandText GetBrandTextSized GetBrandTextWithBackground GetCircleGradient GetCircleGradientSized GetCircleProgress GetCircleProgressSized
  GetCircleRunning GetCircleRunningSized GetCurrentManager GetHostingLogs GetHostingMetrics GetIconAssetCatalog
  GetIconFromSet GetIconImageFromSet GetIconImageWithBackgroundFromSet GetIconPresentation GetInstaller GetInstallers
  GetLinearGradient GetLinearGradientSized GetLiveLogs GetLocationBookingRules GetLocationIcons
  GetLocationOpeningHours GetLocationUnits GetManager GetManagers GetMyManagerProfile GetObjectAddress
  GetPortalAppDownloadPage GetPublicActiveUsers GetPublicPurchaseMap GetPublicPurchases GetPublicStatus GetService
  GetServices GetTenantStatus GetTenantStatusPage GetUnitDocumentHtml GetUnitDocumentSvg GetUnitDocumentTable
  GetUnitGroup GetUnitIcons GetUnitOverview GetUnitSettingHistory GetUserReceipts LoginManager LogoutManager
  LookupObjectCoordinates RequestMyManagerEmailVerification ReverseBankAccountEntry SetCurrentManagerTheme
  SetInstallerIcon SetManagerPermission SetManagerPermissionRole SetMyManagerProfileField
  SetObjectCoordinateProvenance SetObjectCoordinates SetServiceProfileField SetUnitSetting UpdateObjectAddress`.split(
    /\s+/,
  ),
);

test('a write that accepts no Idempotency-Key says so, except login and logout', () => {
  const without = operations.filter(
    (operation) =>
      operation.method !== 'GET' &&
      operation.acceptsIdempotencyKey !== true &&
      !['LoginManager', 'LogoutManager'].includes(operation.id) &&
      !isOfComputers(operation),
  );
  assert.equal(without.length, 8);
  for (const { id, description } of without) assert.ok(description?.includes('Takes no `Idempotency-Key`.'), id);
});
