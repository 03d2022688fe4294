// Checking a manager's credentials: equal cost and equal answer whatever is wrong, and throttled by account and address.

import { randomBytes } from 'node:crypto';
import type { PublicDoor } from '../../http/door.ts';
import { FixedWindow } from '../../http/fixed-window.ts';
import type { Principal } from '../../http/principal.ts';
import { Problem } from '../../lib/problem.ts';
import type { Passwords } from '../managers/passwords.ts';
import { findAccount, userNameKey } from '../managers/queries.ts';
import { hashToken, readPrincipal } from './directory.ts';
import { insertSession } from './queries.ts';

const sessionMs = 12 * 3600 * 1000;
const tokenBytes = 32;

const windowSeconds = 300;
const failuresOfAccount = 10;
const failuresOfAddress = 100;

/** Known to everybody, so it opens nothing but demo data. */
export const demoPassword = 'demo-Password-1';

type Credentials = { readonly userName: string; readonly password: string };

export type Login = (credentials: Credentials, door: PublicDoor) => Promise<{ token: string; principal: Principal }>;

export function managerLogin(passwords: Passwords, demo: boolean): Login {
  const accounts = new FixedWindow(failuresOfAccount, windowSeconds);
  const addresses = new FixedWindow(failuresOfAddress, windowSeconds);

  // The attempts on one account go one after the other: however many come at once, no more than the limit are checked.
  const lanes = new Map<string, Promise<unknown>>();
  const inTurn = <T>(account: string, attempt: () => Promise<T>): Promise<T> => {
    const turn = (lanes.get(account) ?? Promise.resolve()).then(attempt);
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (lanes.get(account) === settled) lanes.delete(account);
      });
    lanes.set(account, settled);
    return turn;
  };

  return ({ userName, password }, door) => {
    const key = userNameKey(userName);
    const account = `${door.tenant.name}/${key}`;
    return inTurn(account, async () => {
      // Counted before the check, so that those of other accounts at once are counted too; only failures stay counted.
      const counts: [FixedWindow, string][] = [
        [accounts, account],
        [addresses, door.address],
      ];
      const taken = counts.map(([window, counted]) => ({
        giveBack: () => window.giveBack(counted),
        ...window.take(counted),
      }));
      const refused = taken.filter(({ allowed }) => !allowed);
      if (refused.length > 0) {
        for (const { allowed, giveBack } of taken) if (allowed) giveBack();
        throw new Problem('too-many-attempts', {
          retryAfterSeconds: Math.max(...refused.map(({ resetSeconds }) => resetSeconds)),
        });
      }
      try {
        const session = await open(key, password, door);
        accounts.forget(account);
        addresses.giveBack(door.address);
        return session;
      } catch (error) {
        const failed = error instanceof Problem && error.code === 'invalid-credentials';
        if (!failed) for (const { giveBack } of taken) giveBack();
        throw error;
      }
    });
  };

  async function open(
    key: string,
    password: string,
    door: PublicDoor,
  ): Promise<{ token: string; principal: Principal }> {
    const known = await door.read((db) => findAccount(db, key));
    const right = await passwords.verify(password, known?.password_hash);
    const usable = known !== undefined && known.active === 1 && known.deleted_at === null;
    if (!right || !usable || (password === demoPassword && !demo)) throw new Problem('invalid-credentials');
    const token = randomBytes(tokenBytes).toString('base64url');
    const tokenHash = hashToken(token);
    const { environment } = door;
    const principal = await door.write(async (db) => {
      const now = door.now();
      await insertSession(db, {
        tokenHash,
        managerId: known.manager_id,
        environment,
        credentialStamp: known.credential_stamp,
        createdAt: now,
        expiresAt: now + sessionMs,
      });
      // Read back inside the transaction: the account may have changed while the password was being checked.
      return readPrincipal(db, tokenHash, environment, now);
    });
    if (principal === undefined) throw new Problem('invalid-credentials');
    return { token, principal };
  }
}
