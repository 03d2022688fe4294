// Two hundred clients that request a CSV and do not read it: other requests and another manager’s download are not
// delayed, and clients whose download began still get the whole file.

import assert from 'node:assert/strict';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/async.ts';
import { createBankWithModel, formatAccountQuery, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { exportPath } from '../support/account-files.ts';
import type { AccountQuery, BankModel } from '../support/account-oracle.ts';
import { sundHost } from '../support/call.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const rows = 15_000;
const clients = 200;
const placesOfManager = 4;
/** Downloads of which nothing has arrived for so long wait for their clients. */
const stillMs = 1000;
const query: AccountQuery = { From: '2026-06-01', Through: '2026-06-15' };

type Download = { readonly request: ClientRequest; readonly response: IncomingMessage };

serviceSuite({ now: testNow }, ({ service, manager, issueToken, onStop }) => {
  const requests: ClientRequest[] = [];
  let book: BankModel;
  let reader: string;
  before(async () => {
    reader = await issueToken();
    onStop(() => requests.forEach((request) => request.destroy()));
    book = await createBankWithModel(service);
    const drafts = Array.from({ length: rows }, (_, at) =>
      postingDraft(testNow - Math.floor((at / rows) * 10 * dayMs), { text: `Wash ${at} `.padEnd(400, '.') }),
    );
    for (let from = 0; from < rows; from += 5000) await recordInBoth(service, book, drafts.slice(from, from + 5000));
  });

  /** Begins a download, and reads its body only on demand. */
  async function begin(token: string): Promise<Download> {
    const path = exportPath(book, 'csv', formatAccountQuery(book, query));
    const headers = { host: sundHost, authorization: `Bearer ${token}` };
    const request = get({ host: '127.0.0.1', port: service.port, path, headers, agent: false });
    requests.push(request);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    response.on('error', () => {});
    return { request, response };
  }

  const readAccount = async (): Promise<number> => {
    const startedAt = performance.now();
    const { status } = await service.call('GET', `/api/v1/banks/${book.bankKid}/account?Period=0`, { token: reader });
    assert.equal(status, 200);
    return performance.now() - startedAt;
  };
  /** The given quantile of the durations. */
  const quantile = (durations: readonly number[], share: number): number =>
    durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * share) - 1] ?? Infinity;

  test('[account.55, general.33] reads are not slower while two hundred clients do not read their CSV, and a slot of the manager is held until its file is complete', async () => {
    const whole = await text((await begin(manager.token)).response);
    const alone: number[] = [];
    while (alone.length < 100) alone.push(await readAccount());

    const storm = { isOver: false };
    const beginning = Promise.all(Array.from({ length: clients }, () => begin(manager.token))).finally(
      () => (storm.isOver = true),
    );
    const meanwhile: number[] = [];
    while (!storm.isOver || meanwhile.length < 100) meanwhile.push(await readAccount());
    const begun = await beginning;
    // A varying number of other tests can run on this machine at the same time.
    for (const [share, allowanceMs] of [
      [0.5, 50],
      [0.99, 1000],
    ] as const) {
      const [quiet, busy] = [quantile(alone, share), quantile(meanwhile, share)];
      assert.ok(busy < 3 * quiet + allowanceMs, `the ${share} quantile is ${busy} ms, alone it is ${quiet} ms`);
    }

    const held = begun.filter(({ response }) => response.statusCode === 200);
    assert.equal(held.length, placesOfManager);
    for (const { response } of begun.filter((each) => !held.includes(each))) {
      assert.deepEqual([response.statusCode, response.headers['retry-after']], [503, '5']);
      assert.equal((JSON.parse(await text(response)) as { code: string }).code, 'storage-busy');
    }
    assert.equal(await text((await begin(reader)).response), whole, 'another manager has places of its own');

    // They continue reading; a client that disconnects frees its slot as well.
    const [slow, ...others] = held;
    assert.equal(slow?.response.complete, false, 'it was under way');
    assert.equal(await text(slow?.response ?? assert.fail()), whole);
    for (const { request } of others) request.destroy();
    await waitUntil('all places are free again', async () => {
      const again = await Promise.all(Array.from({ length: placesOfManager }, () => begin(manager.token)));
      for (const { request } of again) request.destroy();
      return again.every(({ response }) => response.statusCode === 200);
    });
  });

  test('[account.55, general.33] downloads that two managers do not read leave the places of the tenant to others, and still arrive whole', async () => {
    const whole = await text((await begin(reader)).response);
    const tokens = [await issueToken(), await issueToken()];
    const slow = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: placesOfManager }, () => begin(token))),
    );
    for (const { response } of slow) assert.equal(response.statusCode, 200);
    assert.equal((await begin(tokens[0] ?? assert.fail())).response.statusCode, 503, 'a manager has no more than four');
    // How long it takes until the buffers of all eight are full depends on the machine.
    const countReceived = (): number => slow.reduce((sum, { response }) => sum + response.socket.bytesRead, 0);
    await waitUntil('nothing of the eight arrives any more', async () => {
      const earlier = countReceived();
      await sleep(stillMs);
      return countReceived() === earlier;
    });
    // Each waits for its turn, and is refused if none comes within two seconds.
    const others = await Promise.all(Array.from({ length: 3 }, () => begin(reader)));
    for (const { response } of others) {
      assert.equal(response.statusCode, 200);
      assert.equal(await text(response), whole);
    }
    assert.equal(slow[0]?.response.complete, false, 'they were under way');
    for (const read of await Promise.all(slow.map(({ response }) => text(response)))) assert.equal(read, whole);
  });
});
