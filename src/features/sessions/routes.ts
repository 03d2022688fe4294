// LoginManager, LogoutManager and GetCurrentManager.

import { PreparedJson } from '../../http/answer.ts';
import type { Door } from '../../http/door.ts';
import { managerOperation, needsOf, publicOperation, type Operation } from '../../http/operation.ts';
import type { Principal } from '../../http/principal.ts';
import { utcText } from '../../lib/ms2000.ts';
import { firstMissing } from '../../permissions/needs.ts';
import { makeScope } from '../../permissions/scope.ts';
import { listBanks, listLocations } from '../places/queries/granted.ts';
import type { DatabaseAccessIndicator } from './database-access.ts';
import type { Sessions } from './directory.ts';
import type { Login } from './login.ts';
import { deleteSession } from './queries.ts';
import { CurrentManager, LoginAnswer, LoginBody, currentManager, type DatabaseAccess } from './schemas.ts';

type Parts = {
  readonly sessions: Sessions;
  readonly login: Login;
  readonly databaseAccess: DatabaseAccessIndicator;
  /** Every operation of the service, for what the manager may call. */
  readonly allOperations: () => readonly Operation[];
};

const deadlineMs = 10_000;

export function sessionRoutes({ sessions, login, databaseAccess, allOperations }: Parts): Operation[] {
  // A principal is a snapshot of at most 60 seconds, so what is made of it may live as long as it does.
  const made = new WeakMap<Principal, { readonly state: DatabaseAccess; readonly json: string }>();

  const describe = (door: Door, principal: Principal): string | Promise<string> => {
    const state = databaseAccess.of(door.tenant.name);
    const known = made.get(principal);
    return known !== undefined && known.state === state ? known.json : describeAnew(door, principal);
  };
  const describeAnew = async (door: Door, principal: Principal): Promise<string> => {
    const state = await databaseAccess.of(door.tenant.name);
    const scope = makeScope(door.tenant.name, door.environment, principal.grants, principal.retentionDays);
    const { banks, locations } = await door.read(async (db) => {
      const visible = await listBanks(db, scope);
      return {
        banks: visible,
        locations: await listLocations(
          db,
          scope,
          visible.map(({ bank_id }) => bank_id),
        ),
      };
    });
    const operations = operationRights(allOperations(), principal);
    const { tenant, environment } = door;
    const json = JSON.stringify(
      currentManager({ tenant, environment, principal, banks, locations, operations, databaseAccess: state }),
    );
    made.set(principal, { state, json });
    return json;
  };

  return [
    publicOperation({
      id: 'LoginManager',
      method: 'POST',
      path: '/api/v1/session/login',
      documents: ['portal'],
      group: 'Session',
      summary: 'Log in with manager credentials',
      description: 'The token works on this tenant host and in this environment alone, for 12 hours.',
      body: LoginBody,
      answer: LoginAnswer,
      problems: ['invalid-credentials', 'too-many-attempts', 'login-busy'],
      deadlineMs,
      maxBodyBytes: 8192,
      run: async ({ body }, door) => {
        const { token, principal } = await login(body, door);
        const head = { accessToken: token, tokenType: 'Bearer', expiresAtUtc: utcText(principal.expiresAt) };
        const json = JSON.stringify(head);
        return new PreparedJson(`${json.slice(0, -1)},"manager":${await describe(door, principal)}}`);
      },
    }),
    managerOperation({
      id: 'LogoutManager',
      method: 'POST',
      path: '/api/v1/session/logout',
      documents: ['portal'],
      group: 'Session',
      summary: 'End this session',
      description: 'The token is dead at once; other sessions of the manager live on.',
      access: {},
      deadlineMs,
      run: async (_input, door) => {
        const { tokenHash } = door.principal;
        try {
          await door.write((db) => deleteSession(db, tokenHash));
        } finally {
          // Also where the outcome is unknown: what is remembered may be gone.
          sessions.forgetToken(door.tenant.name, tokenHash);
        }
      },
    }),
    managerOperation({
      id: 'GetCurrentManager',
      method: 'GET',
      path: '/api/v1/session/me',
      documents: ['portal'],
      group: 'Session',
      summary: 'The manager of this session and what they may do',
      description:
        'The first call after login: profile, Tabs, bank and location access, permissions and operation rights.',
      access: {},
      answer: CurrentManager,
      deadlineMs,
      run: (_input, door) => {
        const json = describe(door, door.principal);
        return typeof json === 'string' ? new PreparedJson(json) : json.then((text) => new PreparedJson(text));
      },
    }),
  ];
}

function operationRights(operations: readonly Operation[], principal: Principal): Record<string, boolean> {
  const rights = operations.map(({ id, access }): [string, boolean] => [
    id,
    access === 'anyone' || firstMissing(needsOf(access), principal) === undefined,
  ]);
  return Object.fromEntries(rights);
}
