// The clock of the machine jumps forwards and backwards and passes the changes of summer time while a service runs: no
// request fails as a defect or hangs, no session lives on, and all chains of entries stay sound.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperations } from '../../src/app.ts';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { insertKey } from '../../src/features/resident-administration/queries/write-resident.ts';
import type { Round, RoundFigures } from '../rounds/run-rounds.ts';
import { waitUntil } from '../support/async.ts';
import { createBookableBank } from '../support/bookings.ts';
import { createCaller, type Call, type HttpReply } from '../support/call.ts';
import { computersPath } from '../support/computers.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { insertTestManager } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { runPortal, startServeProcess } from '../support/portal-process.ts';
import { findProgram } from '../support/programs.ts';
import { createStorage, startService } from '../support/service.ts';
import { tagOf } from '../support/streams.ts';
import { dayMs, hourMs, minuteMs } from '../support/times.ts';
import { unitIds, unitPath } from '../support/unit-settings.ts';

const bankId = 1001;
const login = { userName: 'anna', password: 'violet teapots sing' };
const longestAnswerMs = 20_000;
/** Both are at 01:00 UTC. */
const springChange = Date.parse('2026-03-29T01:00:00Z');
const autumnChange = Date.parse('2026-10-25T01:00:00Z');

export const clockJumps: Round = {
  name: 'clock jumps',
  needs: ['faketime'],
  run: async () => {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'portal-clock-'));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const clock = createFakeClock(folder);
    clock.moveTo(springChange - 2 * hourMs);
    const storage = await createStorage('sqlite');
    stack.defer(() => storage.release());
    const { key, operations } = await insertData(storage, () => clock.now());
    const tenants = join(folder, 'tenants.json');
    const sund = { name: 'sund', displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
    writeFileSync(tenants, JSON.stringify([sund]));
    const settings = {
      PORTAL_STORAGE: storage.storageUrl,
      PORTAL_TENANTS: tenants,
      PORTAL_RATE_LIMIT: 'off',
      PORTAL_LOG_LEVEL: 'error',
      ...clock.environment,
    };
    const child = await startServeProcess(settings);
    stack.defer(() => child.kill());
    const probe = new ClockProbe(clock, createCaller(child.port, operations), key);
    await passTimes(clock, probe);
    const failures = child.lines().filter((line) => line.includes('internal-error'));
    assert.deepEqual(failures, []);
    for (const argv of [['verify'], ['verify', 'ledger'], ['verify', 'audit'], ['verify', 'inflow']]) {
      const { code, stdout, stderr } = await runPortal(argv, settings);
      assert.equal(code, 0, `${argv.join(' ')}: ${stdout}${stderr}`);
    }
    return probe.figures();
  },
};

type FakeClock = {
  readonly environment: Readonly<Record<string, string>>;
  now(): number;
  /** Epoch milliseconds. */
  moveTo(at: number): void;
};

/** Of the machine, not the monotonic one, which no jump moves. */
function createFakeClock(folder: string): FakeClock {
  const { stdout } = spawnSync(findProgram('faketime') ?? '', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], {
    encoding: 'utf8',
  });
  const file = join(folder, 'offset');
  let offsetSeconds = 0;
  return {
    environment: {
      LD_PRELOAD: stdout.trim(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    now: () => Date.now() + offsetSeconds * 1000,
    moveTo: (at) => {
      offsetSeconds = Math.round((at - Date.now()) / 1000);
      // The service never reads half of it.
      writeFileSync(`${file}.new`, `${offsetSeconds < 0 ? '-' : '+'}${Math.abs(offsetSeconds)}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}

async function insertData(storage: Awaited<ReturnType<typeof createStorage>>, clock: () => number) {
  const service = await startService('sqlite', { storage, clock });
  const { operations } = createOperations(service.dependencies);
  const passwordHash = await createPasswordHasher().hash(login.password);
  await createBookableBank(service, { bankId });
  const key = await service.write('sund', async (db) => {
    await insertTestManager(db, { userName: login.userName, passwordHash });
    await insertKey(db, grantBank(bankId), 1001, { kind: 'Tag', number: tagOf(bankId) }, 0);
    return insertEnrolledComputer(db, { bankId, computerId: 1, units: [[1, 1]] });
  });
  await service.stop();
  return { key, operations };
}

/** Asks the service for everything that knows the time. */
class ClockProbe {
  readonly #clock: FakeClock;
  readonly #call: Call;
  readonly #key: string;
  readonly #counts = { requests: 0, refused: 0, jumps: 0, lines: 0, longestMs: 0 };

  constructor(clock: FakeClock, call: Call, key: string) {
    this.#clock = clock;
    this.#call = call;
    this.#key = key;
  }

  async logIn(): Promise<{ readonly token: string; readonly expiresAt: number }> {
    const { status, json, text } = await this.#timed(() =>
      this.#call('POST', '/api/v1/session/login', { body: login }),
    );
    assert.equal(status, 200, text);
    return { token: json.accessToken, expiresAt: Date.parse(json.expiresAtUtc) };
  }

  async readSession(token: string): Promise<number> {
    return (await this.#timed(() => this.#call('GET', '/api/v1/session/me', { token }))).status;
  }

  /** After a jump; `isBehind` where the clock is before what is stored. */
  async askAll(token: string, isBehind = false): Promise<void> {
    this.#counts.jumps += 1;
    const reads = [
      '/api/v1/session/me',
      computersPath(bankId),
      `/api/v1/banks/sund-B${bankId}/account?limit=5`,
      `/api/v1/banks/sund-B${bankId}/bookings`,
      '/api/v1/tenant-status',
      '/api/v1/circles/running/Running.svg',
      `${unitPath(unitIds(bankId))}/opening-hours`,
    ];
    for (const path of reads) {
      const { status, text } = await this.#timed(() => this.#call('GET', path, { token }));
      assert.ok(status === 200 || status === 404, `${path}: ${status} ${text}`);
    }
    const command = await this.#timed(() =>
      this.#call('POST', unitPath(unitIds(bankId), '/commands'), { token, body: { name: 'Restart' } }),
    );
    this.#requireWritten(command, isBehind);
    const line = await this.#timed(() => this.#sendLine());
    if (line.status === 200) this.#counts.lines += 1;
    this.#requireWritten(line, isBehind);
    // The check runs now and then.
    await waitUntil('/readyz tells whether the clock is behind', async () => {
      const { status } = await this.#timed(() => this.#call('GET', '/readyz', { host: '127.0.0.1' }));
      return status === (isBehind ? 503 : 200);
    });
  }

  figures(): RoundFigures {
    const { jumps, requests, refused, lines, longestMs } = this.#counts;
    return {
      jumps,
      requests,
      'refused while the clock was behind': refused,
      'lines of equipment': lines,
      'longest answer, ms': Math.round(longestMs),
      'answers 500': 0,
    };
  }

  #requireWritten({ status, json, text }: HttpReply, isBehind: boolean): void {
    if (!isBehind) assert.ok(status < 300, text);
    else if (status >= 300) {
      assert.deepEqual([status, json.code], [503, 'clock-behind'], text);
      this.#counts.refused += 1;
    }
  }

  #sendLine(): Promise<HttpReply> {
    const at = new Date(this.#clock.now()).toISOString();
    const first = this.#counts.lines + 1;
    const use = { t: 'use', at, unit: `sund-B${bankId}-L1-U1`, key: tagOf(bankId), amountMinor: '-1500' };
    const line = { n: first, ...use, currency: 'DKK', document: String(first), text: 'wash' };
    return this.#call('POST', '/equipment/v1/streams/money', {
      token: this.#key,
      headers: { 'content-type': 'application/jsonl' },
      rawBody: `${JSON.stringify({ epoch: 'e1', first, sentAt: at })}\n${JSON.stringify(line)}\n`,
    });
  }

  async #timed(ask: () => Promise<HttpReply>): Promise<HttpReply> {
    const from = performance.now();
    const reply = await ask();
    const ms = performance.now() - from;
    this.#counts.requests += 1;
    this.#counts.longestMs = Math.max(this.#counts.longestMs, ms);
    assert.ok(ms < longestAnswerMs, `an answer took ${ms} ms`);
    return reply;
  }
}

async function passTimes(clock: FakeClock, probe: ClockProbe): Promise<void> {
  for (const change of [springChange, autumnChange]) {
    clock.moveTo(change - hourMs);
    const { token } = await probe.logIn();
    for (const beforeMs of [minuteMs, 2000, -2000, -hourMs, -hourMs - minuteMs]) {
      clock.moveTo(change - beforeMs);
      await probe.askAll(token);
    }
  }
  // Forwards beyond the end of a session, and to just before it.
  const first = await probe.logIn();
  clock.moveTo(first.expiresAt - minuteMs);
  assert.equal(await probe.readSession(first.token), 200, 'a session that has not ended');
  clock.moveTo(first.expiresAt + 2000);
  assert.equal(await probe.readSession(first.token), 401, 'a session that has ended');
  const { token, expiresAt } = await probe.logIn();
  await probe.askAll(token);
  // Backwards: what is stored is in the future.
  const ahead = clock.now();
  clock.moveTo(ahead - 2 * hourMs);
  await probe.askAll(token, true);
  clock.moveTo(ahead + minuteMs);
  await probe.askAll(token);
  clock.moveTo(expiresAt + 2000);
  assert.equal(await probe.readSession(token), 401, 'a jump back has not made a session longer');
  clock.moveTo(expiresAt + 40 * dayMs);
  await probe.askAll((await probe.logIn()).token);
}
