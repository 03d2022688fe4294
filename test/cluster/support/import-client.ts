// Plans imports of residents, and applies them. An import that was accepted is done to its end, whichever replica is there
// to do it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import { waitUntil } from '../../support/async.ts';
import { patienceMs } from './deployment.ts';
import { isAccepted, RepeatingClient, type LoadClient, type LoadClientInput } from './load-client.ts';

type ImportInput = LoadClientInput & { readonly token: string; readonly bankId: number };

const rowsPerImport = 3;
const restMs = 500;
const deadline = { deadlineMs: 60_000 };

export class ImportClient implements LoadClient {
  done = 0;
  readonly #accepted: { readonly kid: string; readonly emails: readonly string[] }[] = [];
  readonly #input: ImportInput;
  readonly #client: RepeatingClient;

  constructor(input: ImportInput) {
    this.#input = input;
    this.#client = new RepeatingClient(input);
  }

  async run(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      await this.#import();
      await pause(restMs);
    }
  }

  async #import(): Promise<void> {
    const bank = `sund-B${this.#input.bankId}`;
    const run = randomUUID().slice(0, 8);
    const keys = Array.from({ length: rowsPerImport }, (_, at) => `${run}-${at}`);
    const emails = keys.map((key) => `import-${key}@example.org`);
    const rows = keys.map((key, at) => `${key};Demo Resident;${emails[at]};Location 1\r\n`);
    const file = `key;name;email;location\r\n${rows.join('')}`;
    // A plan changes nothing: where its outcome is unknown, another one is made.
    const path = `/api/v1/imports?kind=residents&bankKid=${bank}`;
    const plan = await this.#sendUntilAccepted({ method: 'POST', path, file });
    assert.equal(plan.state, 'planned', JSON.stringify(plan));
    const key = randomUUID();
    await this.#sendUntilAccepted(
      { method: 'POST', path: `/api/v1/imports/${plan.kid}/apply`, body: { expectedRevision: plan.revision } },
      key,
    );
    this.#accepted.push({ kid: plan.kid, emails });
    this.done += 1;
    this.#input.log.doneAtMs.push(performance.now());
  }

  async #sendUntilAccepted(request: Parameters<RepeatingClient['send']>[0], key?: string) {
    for (;;) {
      const reply = await this.#client.send(request, key === undefined ? {} : { key });
      if (isAccepted(reply)) return reply.json;
      if (!(await this.#client.waitIfTransient(reply)))
        throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`);
    }
  }

  async countLost(database: TenantDatabase): Promise<number> {
    const stored = await this.#listEmails(database);
    return this.#accepted.flatMap(({ emails }) => emails).filter((email) => !stored.includes(email)).length;
  }

  async requireStored(database: TenantDatabase): Promise<void> {
    for (const { kid } of this.#accepted) {
      let state = '';
      const isApplied = async (): Promise<boolean> => {
        state = (await this.#client.read(`/api/v1/imports/${kid}`)).state;
        return state !== 'applying';
      };
      await waitUntil(`the end of ${kid}`, isApplied, patienceMs);
      assert.equal(state, 'applied', kid);
    }
    const accepted = this.#accepted.flatMap(({ emails }) => emails);
    const stored = await this.#listEmails(database);
    assert.deepEqual(
      stored.toSorted((a, b) => a.localeCompare(b)),
      accepted.toSorted((a, b) => a.localeCompare(b)),
      'residents of imports',
    );
  }

  #listEmails(database: TenantDatabase): Promise<string[]> {
    return database.read(deadline, async (db) => {
      const rows = await db
        .selectFrom('residents')
        .select('email')
        .where('bank_id', '=', this.#input.bankId)
        .where('email', 'like', 'import-%')
        .execute();
      return rows.map(({ email }) => email ?? '');
    });
  }
}
