// Calls operations of which a test has only the declaration: makes a path, tokens in every state, and rights that are just
// enough or lack one thing.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { upsertLastSeen } from '../../src/features/sessions/queries/manager-activity.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import type { ManagerOperation, Operation } from '../../src/http/operations/operation.ts';
import { listAccessByValue, needsOf } from '../../src/http/operations/operation-properties.ts';
import { closedObject, kidInput, stringEnum } from '../../src/http/schemas/schema-types.ts';
import type { KidType } from '../../src/lib/kid.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { permissions, tabs, type Permission, type Tab } from '../../src/permissions/matrix.ts';
import type { GrantLevel } from '../../src/permissions/needs.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';
import { hourMs } from './times.ts';
import { problemCodesOf } from './problem-codes.ts';

export type Grant = { readonly bankId: number; readonly locationId: number };
export type ManagerRights = {
  readonly tabs: readonly Tab[];
  readonly permissions: readonly Permission[];
  readonly grants: readonly Grant[];
};

export const tenantWide: Grant = { bankId: 0, locationId: 0 };
export const bankWide: Grant = { bankId: 1001, locationId: 0 };
export const oneLocation: Grant = { bankId: 1001, locationId: 1 };

/** From the widest grant to the narrowest. */
const grantsFromWidest: readonly (readonly [GrantLevel, Grant])[] = [
  ['tenant', tenantWide],
  ['bank', bankWide],
  ['location', oneLocation],
];

export const allRights: ManagerRights = { tabs, permissions, grants: [tenantWide] };

/** The operation, for each type of object or word if its needs depend on that: each has one set of needs. */
/** Describes the parameter of an operation that is called with one word. */
const chosenWord = 'The word on which the needs depend.';

export function listByValue(operation: ManagerOperation): ManagerOperation[] {
  const { access, params, query } = operation;
  const { byParameter, ...others } = access;
  if (byParameter === undefined) return [operation];
  const isWord = 'byWord' in byParameter;
  const properties = 'in' in byParameter ? query?.properties : params?.properties;
  const { enum: words = [] } = (properties?.[byParameter.parameter] ?? {}) as { enum?: string[] };
  const otherWords = isWord ? words.filter((word) => byParameter.byWord[word] === undefined) : [];
  // Where every word has needs of its own, there is no other one.
  const hasOthers = words.length === 0 || otherWords.length > 0;
  const byValue = listAccessByValue(access).filter(([value]) => value !== undefined || hasOthers);
  return byValue.map(([value, each]) => {
    if (value === undefined && otherWords.length === 0) return { ...operation, access: others };
    const ownWords = value === undefined ? otherWords.slice(0, 1) : [value];
    const schema = isWord ? stringEnum(ownWords, chosenWord) : kidInput(value as KidType);
    const chosen = { [byParameter.parameter]: schema };
    return 'in' in byParameter
      ? { ...operation, access: each, query: closedObject({ ...query?.properties, ...chosen }) }
      : { ...operation, access: each, params: closedObject({ ...params?.properties, ...chosen }) };
  });
}

/** Whether the guard accepted the caller, whatever the operation then answered. */
export const isAuthorized = ({ status }: HttpReply): boolean => status !== 401 && status !== 403 && status < 500;

/** Exactly what an operation needs. */
export function minimalRights({ access }: ManagerOperation): ManagerRights {
  const needs = needsOf(access);
  const grant = grantsFromWidest.find(([breadth]) => breadth === needs.grantLevel)?.[1];
  return { tabs: needs.tabs.slice(0, 1), permissions: needs.permissions, grants: grant === undefined ? [] : [grant] };
}

/** Grants that suffice for an operation, each on its own. */
export function sufficientGrants({ access }: ManagerOperation): Grant[][] {
  const { grantLevel } = needsOf(access);
  if (grantLevel === 'none') return [[], ...grantsFromWidest.map(([, grant]) => [grant])];
  return grantsFromWidest
    .slice(0, grantsFromWidest.findIndex(([each]) => each === grantLevel) + 1)
    .map(([, grant]) => [grant]);
}

/** Grants that do not suffice. */
export function insufficientGrants(operation: ManagerOperation): Grant[][] {
  const accepted = sufficientGrants(operation).length;
  return accepted > grantsFromWidest.length
    ? []
    : [[], ...grantsFromWidest.slice(accepted).map(([, grant]) => [grant])];
}

/** A request target: the operation's path with a bank's KID, and for any other parameter the schema's own example. */
export function exampleTargetOf(operation: Operation, bankId = 1001): string {
  const { path, params, query } = operation;
  // The needs can depend on a word of the query.
  const chosen = Object.entries(query?.properties ?? {}).flatMap(
    ([name, { enum: words = [], description }]: [string, { enum?: unknown[]; description?: string }]) =>
      description === chosenWord ? [`${name}=${String(words[0])}`] : [],
  );
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = (params?.properties[name] ?? {}) as { enum?: unknown[]; examples?: unknown[] };
    const value = name === 'bankKid' ? `sund-B${bankId}` : (schema.enum ?? schema.examples)?.[0];
    assert.ok(typeof value === 'string' || typeof value === 'number', `${path}: there is no example of ${name}`);
    return encodeURIComponent(value);
  });
  return chosen.length === 0 ? target : `${target}?${chosen.join('&')}`;
}

/** Calls an operation, with an empty body where it could have one, and checks that its refusal is a declared one. */
export async function callOperation(
  service: Pick<TestService, 'call'>,
  operation: Operation,
  options: CallOptions = {},
  bankId?: number,
): Promise<HttpReply> {
  const reply = await service.call(operation.method, exampleTargetOf(operation, bankId), options);
  const declared: readonly string[] = problemCodesOf(operation);
  if (reply.json?.code !== undefined)
    assert.ok(declared.includes(reply.json.code), `${operation.id} answers ${reply.json.code}`);
  return reply;
}

type TestSession = {
  readonly credentialStamp: string;
  readonly environment?: Environment;
  readonly livesMs?: number;
};

/** One more session of a manager whose credential stamp is known. */
export async function insertTestSession(
  service: TestService,
  managerId: number,
  session: TestSession,
): Promise<string> {
  const [token = ''] = await insertTestSessions(service, managerId, 1, session);
  return token;
}

/** So many sessions more, at once. */
export async function insertTestSessions(
  service: TestService,
  managerId: number,
  count: number,
  { credentialStamp, environment = 'production', livesMs = hourMs }: TestSession,
): Promise<string[]> {
  const now = toMs2000(service.dependencies.clock());
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const rows = tokens.map((token) => ({
    token_hash: hashToken(token),
    manager_id: managerId,
    environment,
    credential_stamp: credentialStamp,
    created_at: now,
    expires_at: now + livesMs,
  }));
  await service.write('sund', async (db) => {
    await db.insertInto('sessions').values(rows).execute();
    await upsertLastSeen(db, [{ managerId, lastSeenAt: now }]);
  });
  return tokens;
}
