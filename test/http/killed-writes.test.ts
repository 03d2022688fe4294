// A service process is killed repeatedly while writes with keys are in flight. After the restart each write is sent
// again with its key, gets the first answer, and has happened once.

import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { slotMs } from '../../src/features/bookings/rules/slots.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from '../support/account-reads.ts';
import { assertSoundAudit, readAuditEntries } from '../support/audit.ts';
import { bookingCharge, commandPath, createBookableBank, insertBooking } from '../support/bookings.ts';
import { createCaller, type Call, type HttpReply } from '../support/call.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { startServeProcess } from '../support/portal-process.ts';
import { reversalPath } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs } from '../support/times.ts';
import { settingPath, unitIds } from '../support/unit-settings.ts';

const kills = 6;
const writersOfEachKind = 3;
const reversalsOfWriter = 500;

type Request = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body?: unknown };
type KeyedRequest = Request & { readonly key: string };

/** Sends one request after the other, each with its own key. */
type Writer = {
  /** The next request, which depends on the last answer. */
  next(lastAnswer: HttpReply['json']): Request;
  /** How often its requests took effect, by the database. */
  countEffects(): Promise<number>;
  inFlight: KeyedRequest | undefined;
  readonly answered: { readonly request: KeyedRequest; readonly reply: HttpReply }[];
};

serviceSuite({}, ({ service, storage, manager, onStop }) => {
  const unitIdsOfWriters = Array.from({ length: writersOfEachKind }, (_, at) => at + 1);
  const now = toMs2000(Date.now());
  const settings: Record<string, string> = { PORTAL_LOG_LEVEL: 'silent', PORTAL_RATE_LIMIT: 'off' };
  const writers: Writer[] = [];

  const createWriter = (work: Pick<Writer, 'next' | 'countEffects'>): Writer => ({
    ...work,
    inFlight: undefined,
    answered: [],
  });

  async function createReversalWriter(): Promise<Writer> {
    const drafts = Array.from({ length: reversalsOfWriter }, () => postingDraft(now - dayMs, { internalTag: 1 }));
    const first = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(1001), drafts));
    let last = first - 1;
    const countEffects = async (): Promise<number> => {
      const rows = await service.read('sund', (db) =>
        db
          .selectFrom('postings')
          .select('reversal_of')
          .where('reversal_of', '>=', first)
          .where('reversal_of', '<=', last)
          .execute(),
      );
      return rows.length;
    };
    return createWriter({ next: () => ({ method: 'POST', path: reversalPath((last += 1)) }), countEffects });
  }

  function createSettingWriter(unitId: number): Writer {
    let count = 0;
    const countEffects = async (): Promise<number> => {
      const rows = await service.read('sund', (db) =>
        db
          .selectFrom('unit_setting_history')
          .select('version')
          .where('name', '=', 'Note')
          .where('location_id', '=', 1)
          .where('unit_id', '=', unitId)
          .execute(),
      );
      return rows.length;
    };
    return createWriter({
      next: (last) => {
        const body = { value: `note ${(count += 1)}`, expectedRevision: last?.revision ?? '0' };
        return { method: 'PUT', path: settingPath(unitIds(1001, 1, unitId), 'Note'), body };
      },
      countEffects,
    });
  }

  async function createBookingWriter(unitId: number): Promise<Writer> {
    const startAt = Math.ceil((now + dayMs) / slotMs) * slotMs;
    const draft = { startAt, unitId, createdAt: now, priceMinor: 500n, charge: bookingCharge };
    const event = await insertBooking(service, draft, 1001, now);
    const countEffects = async (): Promise<number> => {
      const rows = await service.read('sund', (db) =>
        db
          .selectFrom('booking_events as e')
          .innerJoin('bookings as b', (on) =>
            on.onRef('b.bank_id', '=', 'e.bank_id').onRef('b.booking_id', '=', 'e.booking_id'),
          )
          .select('e.event_id')
          .where('b.unit_id', '=', unitId)
          .execute(),
      );
      return rows.length - 1;
    };
    return createWriter({
      next: (last) => {
        const eventId = last === undefined ? event : Number(last.eventKid.split('-E')[1]);
        return { method: 'POST', path: commandPath(eventId, last?.state === 'Cancelled' ? 'Restore' : 'Cancel') };
      },
      countEffects,
    });
  }

  before(async () => {
    const cache = mkdtempSync(join(tmpdir(), 'portal-cache-'));
    onStop(() => rmSync(cache, { recursive: true, force: true }));
    Object.assign(settings, { PORTAL_STORAGE: storage.storageUrl, PORTAL_CACHE: cache });
    await createBookableBank(service, { places: { 1: unitIdsOfWriters } });
    for (const unitId of unitIdsOfWriters)
      writers.push(await createReversalWriter(), createSettingWriter(unitId), await createBookingWriter(unitId));
  });

  const send = (call: Call, { method, path, body, key }: KeyedRequest): Promise<HttpReply> =>
    call(method, path, { token: manager.token, headers: { 'idempotency-key': key }, body });

  /** Undefined if the process was killed before it had answered. */
  async function sendToMortal(call: Call, request: KeyedRequest): Promise<HttpReply | undefined> {
    try {
      return await send(call, request);
    } catch (error) {
      if (!/^(?:ECONN|EPIPE|HPE)/.test(String((error as NodeJS.ErrnoException).code))) throw error;
      return undefined;
    }
  }

  /** Sends the request that is in flight, or the next one. Returns false if it was not answered. */
  async function writeOnce(writer: Writer, call: Call): Promise<boolean> {
    writer.inFlight ??= { ...writer.next(writer.answered.at(-1)?.reply.json), key: randomUUID() };
    const reply = await sendToMortal(call, writer.inFlight);
    if (reply === undefined) return false;
    assert.equal(reply.status, 200, `${writer.inFlight.path}: ${reply.text}`);
    writer.answered.push({ request: writer.inFlight, reply });
    writer.inFlight = undefined;
    return true;
  }

  /** Returns the requests that were in flight when it was killed. */
  async function runUntilKilled(): Promise<KeyedRequest[]> {
    const child = await startServeProcess(settings);
    const call = createCaller(child.port, createOperations(service.dependencies).operations);
    let answersUntilKill = randomInt(5, 60);
    const writeOn = async (writer: Writer): Promise<void> => {
      while (await writeOnce(writer, call)) {
        answersUntilKill -= 1;
        if (answersUntilKill === 0) void child.kill();
      }
    };
    await Promise.all(writers.map(writeOn));
    assert.deepEqual(await child.ended, { code: null, signal: 'SIGKILL' });
    return writers.flatMap(({ inFlight }) => inFlight ?? []);
  }

  test('[general.47] a write that a killed process left unanswered is answered after the restart by its key, and happens once', async () => {
    const cutOff: KeyedRequest[] = [];
    for (let kill = 0; kill < kills; kill += 1) cutOff.push(...(await runUntilKilled()));
    assert.ok(cutOff.length >= kills, 'writes were in flight');

    const child = await startServeProcess(settings);
    try {
      const call = createCaller(child.port, createOperations(service.dependencies).operations);
      for (const writer of writers) assert.ok(await writeOnce(writer, call));
      const cutOffKeys = new Set(cutOff.map(({ key }) => key));
      const answered = writers.flatMap((writer) => writer.answered);
      for (const { request, reply } of answered.filter(({ request: { key } }) => cutOffKeys.has(key))) {
        const again = await send(call, request);
        assert.deepEqual([again.status, again.text, isReplay(again)], [200, reply.text, true], request.path);
      }
    } finally {
      await child.kill();
    }
    for (const writer of writers)
      assert.equal(await writer.countEffects(), writer.answered.length, String(writer.answered[0]?.request.path));
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
    await assertSoundAudit(service);
    const recorded = (await readAuditEntries(service)).filter(({ chain }) => chain === 1001);
    assert.equal(recorded.length, writers.flatMap(({ answered }) => answered).length);
    const records = await service.read('sund', (db) => db.selectFrom('idempotency_records').select('body').execute());
    assert.equal(records.length, writers.flatMap(({ answered }) => answered).length);
    assert.ok(records.every(({ body }) => body !== null));
  });
});
