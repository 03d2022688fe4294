// LoginManager, LogoutManager and GetCurrentManager.

import type { DatabaseAccess } from '../../database/database-access.ts';
import { PreparedJson } from '../../http/send-result.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import { defineManagerOperation, needsOf, definePublicOperation, type Operation } from '../../http/operation.ts';
import type { Principal } from '../../http/context/principal.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { findMissingRight } from '../../permissions/needs.ts';
import { createScope } from '../../permissions/scope.ts';
import { listGrantedBanks, listCoveredLocations } from '../places/queries/granted-places.ts';
import type { DatabaseAccessIndicator } from '../../database/database-access.ts';
import type { PrincipalCache } from './principal-cache.ts';
import type { Login } from './operations/login-manager.ts';
import { deleteSession } from './queries/sessions.ts';
import { CurrentManager, LoginAnswer, LoginBody, formatCurrentManager } from './schemas.ts';

type SessionDependencies = {
  readonly principalCache: PrincipalCache;
  readonly login: Login;
  readonly databaseAccess: DatabaseAccessIndicator;
  /** Every operation of the service, for what the manager may call. */
  readonly allOperations: () => readonly Operation[];
};

const sessionDeadlineMs = 10_000;

export function sessionRoutes({
  principalCache,
  login,
  databaseAccess,
  allOperations,
}: SessionDependencies): Operation[] {
  // A principal is a snapshot of at most 60 seconds, so what is made of it may live as long as it does.
  const currentManagerCache = new WeakMap<Principal, { readonly state: DatabaseAccess; readonly json: string }>();

  const getCurrentManagerJson = (context: OperationContext, principal: Principal): string | Promise<string> => {
    const state = databaseAccess.getAccess(context.tenant.name);
    const cachedJson = currentManagerCache.get(principal);
    return cachedJson !== undefined && cachedJson.state === state
      ? cachedJson.json
      : buildCurrentManagerJson(context, principal);
  };
  const buildCurrentManagerJson = async (context: OperationContext, principal: Principal): Promise<string> => {
    const state = await databaseAccess.getAccess(context.tenant.name);
    const scope = createScope(context.tenant.name, context.environment, principal.grants, principal.retentionDays);
    const { banks, locations } = await context.read(async (db) => {
      const visible = await listGrantedBanks(db, scope);
      return {
        banks: visible,
        locations: await listCoveredLocations(
          db,
          scope,
          visible.map(({ bank_id }) => bank_id),
        ),
      };
    });
    const operations = listOperationRights(allOperations(), principal);
    const { tenant, environment } = context;
    const json = JSON.stringify(
      formatCurrentManager({ tenant, environment, principal, banks, locations, operations, databaseAccess: state }),
    );
    currentManagerCache.set(principal, { state, json });
    return json;
  };

  return [
    definePublicOperation({
      id: 'LoginManager',
      method: 'POST',
      path: '/api/v1/session/login',
      documents: ['portal'],
      group: 'Session',
      summary: 'Log in with manager credentials',
      description: 'The token works on this tenant host and in this environment alone, for 12 hours.',
      body: LoginBody,
      response: LoginAnswer,
      problemCodes: ['invalid-credentials', 'too-many-attempts', 'login-busy'],
      deadlineMs: sessionDeadlineMs,
      maxBodyBytes: 8192,
      run: async ({ body }, context) => {
        const { token, principal } = await login(body, context);
        const tokenFields = { accessToken: token, tokenType: 'Bearer', expiresAtUtc: formatUtc(principal.expiresAt) };
        const json = JSON.stringify(tokenFields);
        return new PreparedJson(`${json.slice(0, -1)},"manager":${await getCurrentManagerJson(context, principal)}}`);
      },
    }),
    defineManagerOperation({
      id: 'LogoutManager',
      method: 'POST',
      path: '/api/v1/session/logout',
      documents: ['portal'],
      group: 'Session',
      summary: 'End this session',
      description: 'The token is dead at once; other sessions of the manager live on.',
      access: {},
      deadlineMs: sessionDeadlineMs,
      run: async (_input, context) => {
        const { tokenHash } = context.principal;
        try {
          await context.write({ grant: (scope) => scope, work: (db) => deleteSession(db, tokenHash) });
        } finally {
          // Also where the outcome is unknown: what is remembered may be gone.
          principalCache.invalidateToken(context.tenant.name, tokenHash);
        }
      },
    }),
    defineManagerOperation({
      id: 'GetCurrentManager',
      method: 'GET',
      path: '/api/v1/session/me',
      documents: ['portal'],
      group: 'Session',
      summary: 'The manager of this session and what they may do',
      description:
        'The first call after login: profile, Tabs, bank and location access, permissions and operation rights.',
      access: {},
      response: CurrentManager,
      deadlineMs: sessionDeadlineMs,
      run: (_input, context) => {
        const json = getCurrentManagerJson(context, context.principal);
        return typeof json === 'string' ? new PreparedJson(json) : json.then((text) => new PreparedJson(text));
      },
    }),
  ];
}

function listOperationRights(operations: readonly Operation[], principal: Principal): Record<string, boolean> {
  const rights = operations.map(({ id, access }): [string, boolean] => [
    id,
    access === 'anyone' || findMissingRight(needsOf(access), principal) === undefined,
  ]);
  return Object.fromEntries(rights);
}
