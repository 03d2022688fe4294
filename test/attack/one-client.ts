// One manager sends each expensive request over many connections at once, while a manager of another tenant reads, logs
// in and downloads: those requests take less than a second, whatever the first one asks for.

import assert from 'node:assert/strict';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import {
  ask,
  attackerHost,
  credentials,
  readJson,
  startAttackedService,
  type AttackedService,
  type PlainRequest,
} from './support/attacked-service.ts';
import { dayMs } from '../support/times.ts';
import { assertUndisturbed, measureToleratedP99, startNeighbour } from './support/neighbour.ts';

/** Of the process, in MB. What many requests leave lying would soon be more. */
const mostMemory = 1200;

/** The n-th request of an attack: no two are the same where an answer could be kept. */
type Attack = (at: number) => PlainRequest;

const bank = '/api/v1/banks/sund-B1001';
const importRows = 2000;

/** A page of the documents of the last 20 days. */
const documentsPath = (offset: number): string => {
  const from = new Date(Date.now() - 20 * dayMs).toISOString();
  return `${bank}/documents?from=${encodeURIComponent(from)}&limit=100&offset=${offset}`;
};

/** The KIDs of some documents of the attacked bank. */
async function readDocumentKids(service: AttackedService): Promise<string[]> {
  const json = await readJson(service.port, {
    path: documentsPath(0),
    host: attackerHost,
    token: service.attackerToken,
  });
  const { items } = json as { readonly items: readonly { readonly kid: string }[] };
  assert.ok(items.length > 0, 'the demo data have no documents');
  return items.map(({ kid }) => kid);
}

function importFile(at: number): string {
  const rows = Array.from(
    { length: importRows },
    (_, row) => `a${at}-${row};Demo Resident ${row};r${at}-${row}@example.org;L1`,
  );
  return `key;name;email;location\r\n${rows.join('\r\n')}\r\n`;
}

async function listAttacks(service: AttackedService): Promise<Readonly<Record<string, Attack>>> {
  const kids = await readDocumentKids(service);
  const kidAt = (at: number): string => kids[at % kids.length] ?? '';
  const login = (userName: string, password: string): PlainRequest => ({
    method: 'POST',
    path: '/api/v1/session/login',
    body: JSON.stringify({ userName, password }),
  });
  return {
    'pictures of icons': (at) => ({ path: `/api/v1/icon/line/washer~n${at % 100}/${200 + (at % 800)}.png` }),
    'large pictures': (at) => ({ path: `/api/v1/icon/line/washer~n${at % 100}/${2000 + (at % 96)}.jpg` }),
    gradients: (at) => ({ path: `/api/v1/gradients/linear/ff0000-0000ff/${at % 360}/${100 + (at % 900)}x100.svg` }),
    receipts: (at) => ({ path: `/api/v1/users/sund-B1001-R${1001 + (at % 100)}/receipts.html` }),
    graphs: (at) => ({ path: `/api/v1/documents/${kidAt(at)}/graph.svg?width=${400 + (at % 600)}` }),
    'documents as workbooks': (at) => ({ path: `/api/v1/documents/${kidAt(at)}/table.xls` }),
    'searches for documents': (at) => ({ path: documentsPath(at % 50) }),
    'account pages': (at) => ({ path: `${bank}/account?Limit=200&Offset=${at % 1000}` }),
    'account exports': () => ({ path: `${bank}/account/export.csv` }),
    'account workbooks': () => ({ path: `${bank}/account/export.xls` }),
    'exports of residents': () => ({ path: '/api/v1/exports/residents?bankKid=sund-B1001' }),
    settlements: () => ({ path: `${bank}/settlements/1/download.zip` }),
    'tenant status': () => ({ path: '/api/v1/tenant/status?limit=200' }),
    logins: () => login(credentials.userName, credentials.password),
    'wrong passwords': (at) => login(`nobody${at}`, 'four other plain words'),
    'changes of the password': () => ({
      method: 'POST',
      path: '/api/v1/session/me/password',
      body: JSON.stringify({
        currentPassword: 'not it',
        newPassword: 'five plain words in here',
        repeatPassword: 'five plain words in here',
      }),
    }),
    imports: (at) => ({
      method: 'POST',
      path: '/api/v1/imports?kind=residents&bankKid=sund-B1001',
      body: importFile(at),
      contentType: 'text/csv',
    }),
  };
}

type Attempt = {
  readonly connections: number;
  readonly forMs: number;
  /** Each attempt is of another manager and another address, whose limits are whole. */
  readonly number: number;
};

/** How many answers of each status the attacker got. */
async function attack(
  service: AttackedService,
  requestOf: Attack,
  { connections, forMs, number }: Attempt,
): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const [from, token = ''] = [`127.0.3.${1 + number}`, service.attackerTokens[number]];
  const until = performance.now() + forMs;
  let sent = 0;
  const repeat = async (): Promise<void> => {
    while (performance.now() < until) {
      const request = requestOf((sent += 1));
      const options = { host: attackerHost, token, from, ...request };
      const status = await ask(service.port, options).then(
        (answer) => String(answer.status),
        () => 'no answer',
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  return statuses;
}

async function run({ isLong }: RoundOptions): Promise<RoundFigures> {
  const service = await startAttackedService();
  const figures: Record<string, string | number> = {};
  const misses: string[] = [];
  try {
    const toleratedMs = await measureToleratedP99(service);
    const attempts = isLong
      ? [60, 240].map((connections) => ({ connections, forMs: 15_000 }))
      : [{ connections: 60, forMs: 2000 }];
    let number = 0;
    for (const [name, requestOf] of Object.entries(await listAttacks(service)))
      for (const { connections, forMs } of attempts) {
        const label = `${name}, ${connections} connections`;
        const neighbour = await startNeighbour(service);
        const statuses = await attack(service, requestOf, { connections, forMs, number });
        number += 1;
        if ([...statuses.keys()].every((status) => status === '429')) misses.push(`${label}: no request was let in`);
        const undisturbed = await neighbour.stop();
        const kinds = Object.entries(undisturbed).map(([kind, { p99Ms }]) => `${kind} ${p99Ms}`);
        const answers = [...statuses].map(([status, count]) => `${count} x ${status}`);
        figures[`${label}: p99 of the neighbour in ms`] = `${kinds.join(', ')} (attacker: ${answers.join(', ')})`;
        const memory = Math.round((await service.readMemory()) / 1e6);
        figures[`${label}: memory in MB`] = memory;
        if (memory > mostMemory) misses.push(`${label}: the process has ${memory} MB`);
        try {
          assertUndisturbed(undisturbed, label, toleratedMs);
        } catch (error) {
          misses.push(error instanceof Error ? error.message : String(error));
        }
      }
    assert.deepEqual(misses, [], JSON.stringify(figures, null, 2));
    await service.assertHealthy();
    return figures;
  } finally {
    await service.stop();
  }
}

/** What one manager can do to everybody else. */
export const oneClient: Round = { name: 'one-client', run };
