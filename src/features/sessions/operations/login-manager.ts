// Checking a manager's credentials: equal cost and equal answer whatever is wrong, and throttled by account and address.

import { randomBytes } from 'node:crypto';
import type { PublicContext } from '../../../http/context/operation-context.ts';
import { FixedWindow } from '../../../http/fixed-window.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { Problem } from '../../../lib/problem.ts';
import type { PasswordHasher } from '../../credentials/password-hasher.ts';
import { findManagerCredentials, normalizeUserName } from '../../credentials/queries/managers.ts';
import { hashToken, readPrincipal } from '../principal-cache.ts';
import { insertSession } from '../queries/sessions.ts';

const sessionLifetimeMs = 12 * 3600 * 1000;
const tokenBytes = 32;

const failureWindowSeconds = 300;
const maxFailuresPerUserName = 10;
const maxFailuresPerAddress = 100;

/** Known to everybody, so it opens nothing but demo data. */
export const demoPassword = 'demo-Password-1';

type LoginManagerInput = { readonly userName: string; readonly password: string };

export type Login = (
  credentials: LoginManagerInput,
  context: PublicContext,
) => Promise<{ token: string; principal: Principal }>;

export function createLogin(passwords: PasswordHasher, demo: boolean): Login {
  const failuresByUserName = new FixedWindow(maxFailuresPerUserName, failureWindowSeconds);
  const failuresByAddress = new FixedWindow(maxFailuresPerAddress, failureWindowSeconds);

  // The attempts on one account go one after the other: however many come at once, no more than the limit are checked.
  const queueByUserName = new Map<string, Promise<unknown>>();
  const runInSequence = <T>(failureKey: string, attempt: () => Promise<T>): Promise<T> => {
    const queuedAttempt = (queueByUserName.get(failureKey) ?? Promise.resolve()).then(attempt);
    const settled = queuedAttempt
      .catch(() => {})
      .then(() => {
        if (queueByUserName.get(failureKey) === settled) queueByUserName.delete(failureKey);
      });
    queueByUserName.set(failureKey, settled);
    return queuedAttempt;
  };

  return ({ userName, password }, context) => {
    const userNameKey = normalizeUserName(userName);
    const failureKey = `${context.tenant.name}/${userNameKey}`;
    return runInSequence(failureKey, async () => {
      // Counted before the check, so that those of other accounts at once are counted too; only failures stay counted.
      const failureCounters: [FixedWindow, string][] = [
        [failuresByUserName, failureKey],
        [failuresByAddress, context.clientAddress],
      ];
      const countedFailures = failureCounters.map(([window, counted]) => ({
        giveBack: () => window.giveBack(counted),
        ...window.take(counted),
      }));
      const exceededLimits = countedFailures.filter(({ allowed }) => !allowed);
      if (exceededLimits.length > 0) {
        for (const { allowed, giveBack } of countedFailures) if (allowed) giveBack();
        throw new Problem('too-many-attempts', {
          retryAfterSeconds: Math.max(...exceededLimits.map(({ resetSeconds }) => resetSeconds)),
        });
      }
      try {
        const session = await startSession(userNameKey, password, context);
        failuresByUserName.forget(failureKey);
        failuresByAddress.giveBack(context.clientAddress);
        return session;
      } catch (error) {
        const failed = error instanceof Problem && error.code === 'invalid-credentials';
        if (!failed) for (const { giveBack } of countedFailures) giveBack();
        throw error;
      }
    });
  };

  async function startSession(
    userNameKey: string,
    password: string,
    context: PublicContext,
  ): Promise<{ token: string; principal: Principal }> {
    const credentials = await context.read((db) => findManagerCredentials(db, userNameKey));
    const passwordMatches = await passwords.verify(password, credentials?.password_hash);
    const isActive = credentials !== undefined && credentials.active === 1 && credentials.deleted_at === null;
    if (!passwordMatches || !isActive || (password === demoPassword && !demo)) throw new Problem('invalid-credentials');
    const token = randomBytes(tokenBytes).toString('base64url');
    const tokenHash = hashToken(token);
    const { environment } = context;
    const principal = await context.write(async (db) => {
      const now = context.now;
      await insertSession(db, {
        tokenHash,
        managerId: credentials.manager_id,
        environment,
        credentialStamp: credentials.credential_stamp,
        createdAt: now,
        expiresAt: now + sessionLifetimeMs,
      });
      // Read back inside the transaction: the account may have changed while the password was being checked.
      return readPrincipal(db, tokenHash, environment, now);
    });
    if (principal === undefined) throw new Problem('invalid-credentials');
    return { token, principal };
  }
}
