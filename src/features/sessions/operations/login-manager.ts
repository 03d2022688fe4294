// LoginManager: starts a session for valid credentials. Whatever is wrong with them, response and cost are the same.

import { randomBytes } from 'node:crypto';
import type { PublicContext } from '../../../http/context/operation-context.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { PreparedJson } from '../../../http/send-result.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { demoPassword } from '../../credentials/demo-password.ts';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { findManagerCredentials, type ManagerCredentials } from '../../credentials/queries/managers.ts';
import { readPrincipal } from '../../credentials/queries/principal.ts';
import { isActiveManager } from '../../credentials/rules/active-manager.ts';
import { normalizeUserName } from '../../credentials/rules/user-name.ts';
import type { CurrentManagerCache } from '../current-manager-cache.ts';
import type { LoginThrottle } from '../login-throttle.ts';
import { insertSession } from '../queries/sessions.ts';
import { hashToken } from '../rules/session-token.ts';

const sessionLifetimeMs = 12 * 3600 * 1000;
const tokenBytes = 32;

type LoginManagerInput = { readonly userName: string; readonly password: string };

export type LoginManagerDependencies = {
  readonly passwordHasher: PasswordHasher;
  readonly throttle: LoginThrottle;
  readonly currentManagers: CurrentManagerCache;
  /** Whether the demo password is accepted. */
  readonly demo: boolean;
};

type StartedSession = { readonly token: string; readonly principal: Principal };

export async function loginManager(
  context: PublicContext,
  { userName, password }: LoginManagerInput,
  dependencies: LoginManagerDependencies,
): Promise<PreparedJson> {
  const userNameKey = normalizeUserName(userName);
  const attempt = { account: `${context.tenant.name}/${userNameKey}`, address: context.clientAddress };
  const { token, principal } = await dependencies.throttle.run(attempt, async () =>
    startSession(context, await checkCredentials(context, { userNameKey, password }, dependencies)),
  );
  const tokenFields = { accessToken: token, tokenType: 'Bearer', expiresAtUtc: formatUtc(principal.expiresAt) };
  const manager = await dependencies.currentManagers.getJson(context, principal);
  return new PreparedJson(`${JSON.stringify(tokenFields).slice(0, -1)},"manager":${manager}}`);
}

/** Throws `invalid-credentials` where the password is wrong or the manager may not log in. */
async function checkCredentials(
  context: PublicContext,
  { userNameKey, password }: { readonly userNameKey: string; readonly password: string },
  { passwordHasher, demo }: LoginManagerDependencies,
): Promise<ManagerCredentials> {
  const credentials = await context.read((db) => findManagerCredentials(db, userNameKey));
  const passwordMatches = await passwordHasher.verify(password, credentials?.password_hash);
  const isAccepted = passwordMatches && (password !== demoPassword || demo);
  if (credentials === undefined || !isAccepted || !isActiveManager(credentials))
    throw new Problem('invalid-credentials');
  return credentials;
}

async function startSession(context: PublicContext, credentials: ManagerCredentials): Promise<StartedSession> {
  const { environment, now } = context;
  const token = randomBytes(tokenBytes).toString('base64url');
  const tokenHash = hashToken(token);
  const principal = await context.write(async (db) => {
    await insertSession(db, {
      tokenHash,
      managerId: credentials.manager_id,
      environment,
      credentialStamp: credentials.credential_stamp,
      createdAt: now,
      expiresAt: now + sessionLifetimeMs,
    });
    // Read inside the transaction: the manager may have changed while the password was being checked.
    return readPrincipal(db, { tokenHash, environment, now });
  });
  if (principal === undefined) throw new Problem('invalid-credentials');
  return { token, principal };
}
