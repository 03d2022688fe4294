// LoginManager: starts a session for valid credentials. Response and cost are the same whatever is wrong with them.

import { randomBytes, randomUUID } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { PublicContext } from '../../../http/context/operation-context.ts';
import { createPrincipalScope } from '../../../http/context/principal-scope.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { PreparedJson } from '../../../http/representations/results.ts';
import { formatKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createRequestAuditContext } from '../../audit/rules/audit-context.ts';
import { demoPassword, normalizePassword } from '../../passwords/rules/password.ts';
import type { PasswordHasher } from '../../passwords/process/password-hasher.ts';
import type { ManagerCredentials } from '../../managers/queries/manager-credentials.ts';
import { readPrincipalOf } from '../../managers/queries/principal.ts';
import { isActiveManager } from '../../managers/rules/active-manager.ts';
import { normalizeUserName } from '../../managers/rules/user-name.ts';
import { listGrantedPlaces, type GrantedPlaces } from '../../places/queries/granted-places.ts';
import type { CurrentManagerCache } from '../process/current-manager-cache.ts';
import type { LoginThrottle } from '../process/login-throttle.ts';
import { storeKnownAddress, listLoginCandidate } from '../queries/known-addresses.ts';
import { deleteOldSessions, insertSession } from '../queries/sessions.ts';
import type { Login } from '../schemas.ts';
import { hashAddress } from '../rules/known-address.ts';
import { hashToken } from '../rules/session-token.ts';

const sessionLifetimeMs = 12 * 3600 * 1000;
const tokenBytes = 32;

type LoginManagerDependencies = {
  readonly passwordHasher: PasswordHasher;
  readonly throttle: LoginThrottle;
  readonly currentManagers: CurrentManagerCache;
  /** Whether the demo password is accepted. */
  readonly demo: boolean;
};

type LoginCandidate = {
  /** Undefined where there is no such manager. */
  readonly credentials: ManagerCredentials | undefined;
  /** Whether the manager has logged in from the client's address before. */
  readonly isKnownAddress: boolean;
};

type CheckedLogin = {
  readonly credentials: ManagerCredentials;
  readonly isKnownAddress: boolean;
  /** Part of the transaction in which the session begins. */
  readonly settle: (db: WriteDb) => Promise<void>;
};

type StartedSession = { readonly token: string; readonly principal: Principal; readonly places: GrantedPlaces };

// For a login to an unknown account: its address is hashed as well, and is never a known one.
const nobody = { credential_stamp: randomUUID() };

export async function loginManager(
  context: PublicContext,
  { userName, password }: { readonly userName: string; readonly password: string },
  dependencies: LoginManagerDependencies,
): Promise<PreparedJson<Login>> {
  const userNameKey = normalizeUserName(userName);
  const attempt = { tenant: context.tenant.name, userNameKey, address: context.clientAddress, now: context.now };
  const { token, principal, places } = await dependencies.throttle.run(attempt, {
    find: () => context.readStatement((db) => findCandidate(db, userNameKey, context)),
    check: async (candidate, settle) =>
      startSession(context, {
        credentials: await checkCredentials(context, { candidate, password }, dependencies),
        isKnownAddress: candidate.isKnownAddress,
        settle,
      }),
  });
  const tokenFields = { accessToken: token, tokenType: 'Bearer', expiresAtUtc: formatUtc(principal.expiresAt) };
  const manager = await dependencies.currentManagers.makeJson(context, principal, places);
  return new PreparedJson(`${JSON.stringify(tokenFields).slice(0, -1)},"manager":${manager.text}}`);
}

async function findCandidate(
  db: Db,
  userNameKey: string,
  { clientAddress: address, now }: PublicContext,
): Promise<LoginCandidate> {
  const rows = await listLoginCandidate(db, userNameKey, now);
  const [credentials] = rows;
  const addressHash = hashAddress((credentials ?? nobody).credential_stamp, address);
  return { credentials, isKnownAddress: rows.some((row) => row.address_hash === addressHash) };
}

/** Throws `invalid-credentials` if the password is wrong or the manager may not log in. */
async function checkCredentials(
  { clientAddress }: PublicContext,
  { candidate, password }: { readonly candidate: LoginCandidate; readonly password: string },
  { passwordHasher, demo }: LoginManagerDependencies,
): Promise<ManagerCredentials> {
  const { credentials, isKnownAddress: isPreferred } = candidate;
  const passwordMatches = await passwordHasher.verify(password, credentials?.password_hash, {
    key: [clientAddress],
    isPreferred,
  });
  const isAccepted = passwordMatches && (normalizePassword(password) !== demoPassword || demo);
  if (credentials === undefined || !isAccepted || !isActiveManager(credentials))
    throw new Problem('invalid-credentials');
  return credentials;
}

async function startSession(
  context: PublicContext,
  { credentials, isKnownAddress: isKnown, settle }: CheckedLogin,
): Promise<StartedSession> {
  const { environment, now, clientAddress: address } = context;
  const { manager_id: managerId, credential_stamp: credentialStamp } = credentials;
  const token = randomBytes(tokenBytes).toString('base64url');
  const tokenHash = hashToken(token);
  const object = formatKid({ type: 'manager', tenant: context.tenant.name, managerId });
  const started = await context.write(async (db) => {
    const session = {
      tokenHash,
      managerId,
      environment,
      credentialStamp,
      createdAt: now,
      expiresAt: now + sessionLifetimeMs,
    };
    // Read inside the transaction: the manager may have changed while the password was being checked.
    const readStarted = async (): Promise<Omit<StartedSession, 'token'>> => {
      const principal = await readPrincipalOf(db, managerId, { tokenHash, environment, now });
      if (principal === undefined) throw new Problem('invalid-credentials');
      return { principal, places: await listGrantedPlaces(db, createPrincipalScope(context, principal)) };
    };
    // These statements are sent together, and run in this order. Sessions that begin at the same time wait for each
    // other at the audit log.
    const [, , read] = await Promise.all([
      appendAudit(db, createRequestAuditContext('manager', managerId, context), { object, before: null, after: null }),
      insertSession(db, session),
      readStarted(),
      deleteOldSessions(db, session),
      storeKnownAddress(db, { managerId, credentialStamp, address, now, isKnown }),
      settle(db),
    ]);
    return read;
  });
  return { token, ...started };
}
