// A client that writes again and again, each write after the one before. Where it does not learn what became of a write, it
// reads whether that is stored, and repeats the request with the same Idempotency-Key until it knows.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import type { ClusterReply, ClusterRequest, SendRequest } from './send-request.ts';
import type { ReadJson, Writer } from './writers.ts';

/** What all clients of a load have seen. */
export type LoadLog = {
  /** When writes were acknowledged, by performance.now(). */
  readonly doneAtMs: number[];
  /** How many answers there were: `200`, `503 storage-unavailable`, `no answer`. */
  readonly statuses: Map<string, number>;
  /** Some of those that were no success, whole. */
  readonly failures: string[];
  /** Writes of which a client did not learn the outcome at first. */
  unknown: number;
  /** Of these, those that a read did not show and that were stored all the same: they were still under way. */
  late: number;
  reads: number;
  /** What must not happen. */
  readonly problems: string[];
};

export type LoadClient = {
  readonly done: number;
  run(ending: AbortSignal): Promise<void>;
  countLost(database: TenantDatabase): Promise<number>;
  /** Throws where an acknowledged write is missing or stored twice. */
  requireStored(database: TenantDatabase): Promise<void>;
};

export type LoadClientInput = {
  readonly send: SendRequest;
  readonly log: LoadLog;
  /** Ends every client, whatever it does. */
  readonly abandoned: AbortSignal;
};
type ManagerInput = LoadClientInput & { readonly token: string; readonly managerId: number };

const retryMs = 200;
const maxFailures = 20;
const restMs = 30;
const deadline = { deadlineMs: 60_000 };

/** Without an answer, or with one of a balancer that has lost the replica. */
const isUnknown = ({ status, json }: ClusterReply): boolean =>
  [0, 502, 504].includes(status) || (status === 503 && json.code === 'storage-outcome-unknown');

const isTransient = (reply: ClusterReply): boolean =>
  isUnknown(reply) ||
  [408, 429, 503].includes(reply.status) ||
  (reply.status === 409 && reply.json.code === 'idempotency-in-progress');

export const isAccepted = ({ status }: ClusterReply): boolean => status >= 200 && status < 300;

/** Sends requests again while they fail for a while, and counts the answers. */
export class RepeatingClient {
  readonly #input: LoadClientInput & { readonly token?: string };

  constructor(input: LoadClientInput & { readonly token?: string }) {
    this.#input = input;
  }

  async send(request: ClusterRequest, options: { readonly token?: string; readonly key?: string } = {}) {
    const { send, log, token, abandoned } = this.#input;
    abandoned.throwIfAborted();
    const reply = await send(request, { ...(token === undefined ? {} : { token }), ...options });
    const { status, json } = reply;
    const name = status === 0 ? 'no answer' : `${status} ${json.code ?? ''}`.trim();
    log.statuses.set(name, (log.statuses.get(name) ?? 0) + 1);
    if (!isAccepted(reply) && log.failures.length < maxFailures)
      log.failures.push(`${request.method} ${request.path}: ${status} ${reply.text.slice(0, 500)}`);
    return reply;
  }

  /** A transient failure, which is waited for a moment; false for every other answer. */
  async waitIfTransient(reply: ClusterReply): Promise<boolean> {
    if (!isTransient(reply)) return false;
    if (isUnknown(reply)) this.#input.log.unknown += 1;
    await pause(retryMs);
    return true;
  }

  readonly read: ReadJson = async (path) => {
    for (;;) {
      const reply = await this.send({ method: 'GET', path });
      this.#input.log.reads += 1;
      if (reply.status === 200) return reply.json;
      if (!isTransient(reply)) throw new Error(`GET ${path}: ${reply.status} ${reply.text}`);
      await pause(retryMs);
    }
  };
}

export class WriteClient implements LoadClient {
  done = 0;
  readonly #input: ManagerInput & { readonly writer: Writer };
  readonly #client: RepeatingClient;

  constructor(input: ManagerInput & { readonly writer: Writer }) {
    this.#input = input;
    this.#client = new RepeatingClient(input);
  }

  async run(ending: AbortSignal): Promise<void> {
    const { writer } = this.#input;
    await writer.begin(this.#client.read);
    while (!ending.aborted) {
      await this.#write(writer.next());
      await pause(restMs);
    }
  }

  async #write(request: ClusterRequest): Promise<void> {
    const { writer, log } = this.#input;
    const key = randomUUID();
    let isStored: boolean | undefined;
    for (;;) {
      const reply = await this.#client.send(request, { key });
      if (isAccepted(reply)) {
        if (isStored === true && !reply.isReplayed)
          log.problems.push(`${writer.operation} was stored, and done again: ${JSON.stringify(request)}`);
        if (isStored === false && reply.isReplayed) log.late += 1;
        writer.accept(reply);
        this.done += 1;
        log.doneAtMs.push(performance.now());
        return;
      }
      const wasUnknown = isUnknown(reply);
      if (!(await this.#client.waitIfTransient(reply)))
        throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`);
      if (wasUnknown) isStored = await writer.isStored(this.#client.read);
    }
  }

  async countLost(database: TenantDatabase): Promise<number> {
    return Math.max(0, this.done - (await this.#countStored(database)));
  }

  async requireStored(database: TenantDatabase): Promise<void> {
    const { writer } = this.#input;
    assert.equal(await this.#countStored(database), this.done, `${writer.operation}: stored and acknowledged`);
    if (this.done > 0) assert.ok(await writer.isStored(this.#client.read), `${writer.operation}: the last write`);
  }

  #countStored(database: TenantDatabase): Promise<number> {
    return countAudited(database, this.#input.managerId, this.#input.writer.operation);
  }
}

/** How often a manager has done this: each write appends to the audit log in its own transaction. */
export const countAudited = (database: TenantDatabase, managerId: number, operation: string): Promise<number> =>
  database.read(deadline, async (db) => {
    const { n } = await db
      .selectFrom('audit_entries')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('actor_kind', '=', 'manager')
      .where('actor_id', '=', managerId)
      .where('operation', '=', operation)
      .executeTakeFirstOrThrow();
    return n;
  });
