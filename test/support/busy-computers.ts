// Many computers of one bank that send on both streams, follow what they have to know, and confirm it, all at once, while
// a manager changes the settings of their units.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { insertKey } from '../../src/features/resident-administration/queries/write-resident.ts';
import type { HttpReply } from './call.ts';
import { readDesired, type Changes } from './desired.ts';
import { insertEnrolledComputer } from './enrolled-computers.ts';
import { insertTestBank, insertTestResident } from './factories.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';
import { formatBody, tagOf, type StreamLineInput } from './streams.ts';
import { callSetUnitSetting } from './unit-settings.ts';

export type BusyComputer = {
  readonly key: string;
  readonly bankId: number;
  /** The KIDs of its two units. */
  readonly units: readonly [string, string];
  /** The service for its next request. */
  readonly pick: () => TestService;
};

/** Each computer has two units of the location 1; the resident 1001 has a tag. Their requests go to the services in turn. */
export async function createBusyComputers(
  services: readonly [TestService, ...TestService[]],
  { bankId, count }: { readonly bankId: number; readonly count: number },
): Promise<BusyComputer[]> {
  const unitIds = Array.from({ length: 2 * count }, (_, at) => at + 1);
  const keys = await services[0].write('sund', async (db) => {
    await insertTestBank(db, { bankId, places: { 1: unitIds } });
    await insertTestResident(db, 1001, { bankId });
    await insertKey(db, grantBank(bankId), 1001, { kind: 'Tag', number: tagOf(bankId) }, 0);
    const inserted: string[] = [];
    for (let id = 1; id <= count; id += 1)
      inserted.push(
        await insertEnrolledComputer(db, {
          bankId,
          computerId: id,
          units: [2 * id - 1, 2 * id].map((unit) => [1, unit] as const),
        }),
      );
    return inserted;
  });
  let calls = 0;
  const pick = (): TestService => services[(calls += 1) % services.length] ?? services[0];
  return keys.map((key, at) => ({
    key,
    bankId,
    units: [`sund-B${bankId}-L1-U${2 * at + 1}`, `sund-B${bankId}-L1-U${2 * at + 2}`],
    pick,
  }));
}

/** Throws unless every request is answered as it should be. */
export async function runBusyComputers(
  computers: readonly BusyComputer[],
  { rounds, managerToken }: { readonly rounds: number; readonly managerToken: string },
): Promise<void> {
  await Promise.all(
    computers.flatMap((computer) => [
      sendMoney(computer, rounds),
      followAndConfirm(computer, rounds),
      changeSettings(computer, rounds, managerToken),
    ]),
  );
}

/** The lines of every request after the first are new units' contacts too: the times are far apart. */
async function sendMoney(computer: BusyComputer, rounds: number): Promise<void> {
  const { bankId, units } = computer;
  for (let round = 0; round < rounds; round += 1) {
    const lines = units.toReversed().flatMap((unit, index) => [
      {
        t: 'use',
        at: timeOf(round),
        unit,
        key: round % 5 === 4 ? 'DEADBEEF' : tagOf(bankId),
        amountMinor: '-100',
        currency: 'DKK',
        ref: `${round}-${index}`,
        counters: { CycleCount: round, PowerCount: round },
      },
    ]);
    requireOk(await send(computer, 'money', lines, { first: 2 * round + 1, buffered: round % 3 }));
  }
}

async function followAndConfirm(computer: BusyComputer, rounds: number): Promise<void> {
  let version = 0;
  let first = 1;
  for (let round = 0; round < rounds; round += 1) {
    const desired = await readDesired(computer.pick(), computer.key, version);
    requireOk(desired);
    const { changes, version: next } = desired.json as Changes;
    version = next;
    const at = timeOf(round);
    const lines = [
      ...changes.map(({ v }) => ({ t: 'applied', at, v, ok: true })),
      ...computer.units.flatMap((unit) => [
        { t: 'state', unit, at, name: 'CycleCount', value: round },
        { t: 'cycle', unit, at, document: String(round + 1), value: 'End' },
        { t: 'synced', unit, at },
      ]),
    ];
    requireOk(await send(computer, 'samples', lines, { first, buffered: (round + 1) % 3 }));
    first += lines.length;
  }
}

async function changeSettings({ pick, units }: BusyComputer, rounds: number, token: string): Promise<void> {
  let expectedRevision = '0';
  for (let round = 0; round < rounds; round += 2) {
    const reply = await callSetUnitSetting(
      pick(),
      units[round % 4 === 0 ? 0 : 1],
      'MaxTemperature',
      30 + 5 * (round % 8),
      {
        token,
        expectedRevision: round < 4 ? '0' : expectedRevision,
      },
    );
    // The version of a unit also counts what its equipment reports meanwhile.
    assert.ok(reply.status === 200 || reply.status === 409, reply.text);
    expectedRevision = reply.json.revision ?? expectedRevision;
  }
}

const roundMs = 60_000;

/** A minute apart, the last one hours before the clocks of all tests. */
const timeOf = (round: number): string => new Date(Date.UTC(2026, 5, 1) + round * roundMs).toISOString();

/** Sends again what was refused because others wait already, as every computer does: a busy machine makes them wait. */
async function send(
  { key, pick }: BusyComputer,
  stream: 'money' | 'samples',
  lines: readonly StreamLineInput[],
  header: Readonly<Record<string, unknown>>,
): Promise<HttpReply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await pick().call('POST', `/equipment/v1/streams/${stream}`, {
      token: key,
      rawBody: formatBody(lines, { sentAt: new Date().toISOString(), ...header }),
      headers: { 'content-type': 'application/jsonl' },
    });
    if (reply.status !== 429 || attempt === maxAttempts) return reply;
    await pause(100);
  }
}

const maxAttempts = 100;

function requireOk({ status, text }: HttpReply): void {
  assert.equal(status, 200, text);
}
