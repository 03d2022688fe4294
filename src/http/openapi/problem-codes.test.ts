// Which problem codes follow from the declaration of an operation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { kidInput } from '../schemas/schema-types.ts';
import { defineManagerOperation, definePublicOperation, type Operation } from '../operations/operation.ts';
import { noContent } from '../operations/response.ts';
import { problemReasonsOf, problemsByStatus } from './problem-codes.ts';
import { problemCodesOf } from '../../../test/support/problem-codes.ts';

const declared = {
  id: 'DoIt',
  method: 'GET',
  path: '/api/v1/it',
  openApiDocuments: ['portal'],
  group: 'It',
  summary: 'Do it',
  deadlineMs: 1000,
  response: noContent,
  run: () => {},
} as const;

const always = [
  'unknown-host',
  'invalid-request',
  'request-timeout',
  'too-many-requests',
  'unread-answers',
  'header-too-large',
  'internal-error',
  'unsupported-transfer-coding',
];
const storage = ['storage-timeout', 'storage-text-comparison', 'storage-unavailable'];

function assertCodes(operation: Operation, codes: readonly string[]): void {
  assert.deepEqual(problemCodesOf(operation).toSorted(), codes.toSorted());
}

test('a public operation without storage has the codes that every request can get', () => {
  assertCodes(definePublicOperation({ ...declared, storageFree: true }), always);
});

test('storage adds its failures, and a write adds the unknown outcome and the clock that is behind', () => {
  assertCodes(definePublicOperation(declared), [...always, ...storage]);
  const body = ['malformed-body', 'payload-too-large', 'unsupported-media-type'];
  const write = definePublicOperation({ ...declared, method: 'POST' });
  assertCodes(write, [...always, ...storage, ...body, 'storage-outcome-unknown', 'clock-behind']);
});

test('a token adds 401, and each need adds `forbidden` with its reason, or the group’s own code', () => {
  const ofManagers = { ...declared, managersOnly: true } as const;
  assertCodes(defineManagerOperation({ ...ofManagers, access: {} }), [...always, ...storage, 'unauthenticated']);
  const access = { tabs: ['Account2'], permissions: ['Bank.Read'], grantLevel: 'bank' } as const;
  const plain = defineManagerOperation({ ...ofManagers, access });
  assertCodes(plain, [...always, ...storage, 'unauthenticated', 'forbidden']);
  assert.deepEqual(problemReasonsOf(plain, 'forbidden'), ['missing-tab', 'missing-bank-read', 'too-narrow']);
  assert.deepEqual(problemReasonsOf(plain, 'not-found'), []);
  const refusal = ({ kind }: { kind: string }) => ({ code: 'forbidden' as const, reason: `missing-${kind}` });
  const reasoned = defineManagerOperation({ ...ofManagers, access: { ...access, missingRightProblem: refusal } });
  const reasons = ['missing-tab', 'missing-permission', 'missing-scope'];
  assert.deepEqual(problemReasonsOf(reasoned, 'forbidden'), reasons);
  assert.deepEqual(problemReasonsOf(reasoned, 'read-only-setting'), ['state', 'not-editable']);
});

test('a read that accepts a service key adds the codes that refuse a key', () => {
  const access = { tabs: ['Account2'], permissions: ['Bank.Read'], grantLevel: 'bank' } as const;
  const read = defineManagerOperation({ ...declared, access });
  assertCodes(read, [...always, ...storage, 'unauthenticated', 'forbidden', 'login-busy']);
  const reasons = ['missing-tab', 'missing-bank-read', 'too-narrow', 'operation-not-granted'];
  assert.deepEqual(problemReasonsOf(read, 'forbidden'), reasons);
  const others = [
    { ...read, method: 'POST' as const },
    { ...read, holdsSecret: true as const },
    { ...read, path: '/api/v1/session/me' },
    { ...read, access: { ...access, permissions: ['Unit.Write'] as const } },
  ];
  for (const each of others) assert.ok(!problemCodesOf(each).includes('login-busy'), each.path);
});

test('a group has its own codes for fields, and instead of general codes, whose status stays', () => {
  const operation = defineManagerOperation({
    ...declared,
    managersOnly: true,
    method: 'POST',
    access: {},
    validationProblem: { 'query.filter': 'invalid-filter' },
    replacedProblems: { 'storage-timeout': 'services-unavailable', 'payload-too-large': 'invalid-service-profile' },
  });
  const byStatus = new Map(problemsByStatus(operation));
  assert.ok(byStatus.get(400)?.includes('invalid-filter'));
  assert.deepEqual(byStatus.get(413), ['invalid-service-profile']);
  assert.ok(byStatus.get(503)?.includes('services-unavailable'));
  assert.ok(!byStatus.get(503)?.includes('storage-timeout'));
});

test('KIDs and path parameters add their codes, an Idempotency-Key those of idempotency, and secrets that of hashing', () => {
  const params = Type.Object({ bankKid: kidInput('bank') });
  assertCodes(definePublicOperation({ ...declared, storageFree: true, params }), [
    ...always,
    'invalid-kid',
    'uri-too-long',
  ]);
  const keyedOperation = defineManagerOperation({
    ...declared,
    method: 'PUT',
    access: {},
    acceptsIdempotencyKey: true,
  });
  const keyed = problemCodesOf(keyedOperation);
  const ofKeys = ['invalid-idempotency-key', 'idempotency-in-progress', 'idempotency-mismatch'] as const;
  for (const code of ofKeys) assert.ok(keyed.includes(code), code);
  assert.ok(!keyed.includes('login-busy'));
  assert.deepEqual(
    problemCodesOf({ ...keyedOperation, takesSecret: () => true }).toSorted(),
    [...keyed, 'login-busy'].toSorted(),
  );
});

test('a body adds the code of its validation, with the status 400', () => {
  const write = defineManagerOperation({
    ...declared,
    method: 'PUT',
    access: {},
    body: Type.Object({ bankKid: kidInput('bank') }),
    validationProblem: { body: 'invalid-service-profile' },
    replacedProblems: { 'payload-too-large': 'invalid-service-profile' },
  });
  const byStatus = new Map(problemsByStatus(write));
  assert.ok(byStatus.get(400)?.includes('invalid-service-profile'));
  assert.ok(byStatus.get(413)?.includes('invalid-service-profile'));
  assert.ok(problemCodesOf({ ...write, validationProblem: {} }).includes('invalid-kid'));
});

test('a part’s own code replaces those of its validation', () => {
  const params = Type.Object({ userKid: kidInput('user') });
  const query = Type.Object({ placeKid: Type.Optional(kidInput('location')) });
  const shaped = { ...declared, storageFree: true, params } as const;
  const both = definePublicOperation({
    ...shaped,
    query,
    validationProblem: { path: 'invalid-user', query: 'invalid-page' },
  });
  // A path that is not percent-encoded UTF-8 is refused before its parts are known.
  assertCodes(both, [...always, 'invalid-user', 'invalid-page', 'uri-too-long']);
  const noPath = definePublicOperation({ ...declared, storageFree: true, query, validationProblem: 'invalid-page' });
  assertCodes(noPath, [...always, 'invalid-page', 'invalid-kid']);
  const path = definePublicOperation({ ...shaped, query, validationProblem: { path: 'invalid-user' } });
  assertCodes(path, [...always, 'invalid-user', 'invalid-kid', 'uri-too-long']);
});

test('codes are grouped by ascending status, including those that the operation declares', () => {
  const operation = definePublicOperation({
    ...declared,
    storageFree: true,
    problemCodes: ['login-busy', 'not-found'],
  });
  assert.deepEqual(problemsByStatus(operation), [
    [400, ['unknown-host', 'invalid-request']],
    [404, ['not-found']],
    [408, ['request-timeout']],
    [429, ['too-many-requests', 'unread-answers']],
    [431, ['header-too-large']],
    [500, ['internal-error']],
    [501, ['unsupported-transfer-coding']],
    [503, ['login-busy']],
  ]);
});
