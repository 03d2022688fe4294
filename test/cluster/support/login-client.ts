// Logs in and out, and reads with the new session at once, which another replica may answer.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import { countAudited, isAccepted, RepeatingClient, type LoadClient, type LoadClientInput } from './load-client.ts';

type LoginInput = LoadClientInput & {
  readonly managerId: number;
  readonly userName: string;
  readonly password: string;
  /** Whose account is read. */
  readonly bankId: number;
};

/** A login is expensive. */
const restMs = 300;

export class LoginClient implements LoadClient {
  done = 0;
  /** Logins without an answer: a login has no Idempotency-Key. */
  #unknown = 0;
  readonly #tokens: string[] = [];
  readonly #input: LoginInput;
  readonly #client: RepeatingClient;

  constructor(input: LoginInput) {
    this.#input = input;
    this.#client = new RepeatingClient(input);
  }

  async run(ending: AbortSignal): Promise<void> {
    const { userName, password, log } = this.#input;
    const login = { method: 'POST', path: '/api/v1/session/login', body: { userName, password } } as const;
    while (!ending.aborted) {
      const reply = await this.#client.send(login);
      if (isAccepted(reply)) {
        const token = String(reply.json.accessToken);
        this.done += 1;
        log.doneAtMs.push(performance.now());
        await this.#requireServed(token);
        this.#tokens.push(token);
      } else {
        // Any failure may be one of the transaction after which nobody knows.
        this.#unknown += 1;
        if (!(await this.#client.waitIfTransient(reply))) throw new Error(`a login: ${reply.status} ${reply.text}`);
      }
      await pause(restMs);
    }
  }

  async #requireServed(token: string): Promise<void> {
    const { bankId, log } = this.#input;
    const own = new RepeatingClient({ ...this.#input, token });
    const bank = `/api/v1/banks/sund-B${bankId}`;
    for (const path of ['/api/v1/session/me', `${bank}/account`, `${bank}/users`, '/api/v1/tenant/status'])
      await own.read(path).catch((error: unknown) => log.problems.push(`with a new session: ${String(error)}`));
  }

  async countLost(database: TenantDatabase): Promise<number> {
    const { managerId } = this.#input;
    return Math.max(0, this.done - (await countAudited(database, managerId, 'LoginManager')));
  }

  async requireStored(database: TenantDatabase): Promise<void> {
    const stored = await countAudited(database, this.#input.managerId, 'LoginManager');
    const most = this.done + this.#unknown;
    assert.ok(this.done <= stored && stored <= most, `${stored} logins of ${this.done} to ${most}`);
    for (const token of this.#tokens.slice(-newest)) await this.#requireServed(token);
  }
}

/** A manager has a limited number of sessions. */
const newest = 3;
