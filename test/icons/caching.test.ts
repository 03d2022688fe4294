// How long icon images can be cached, and when they change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply } from '../support/call.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { ms2000Of } from '../support/account-oracle.ts';
import { dayMs, testNow } from '../support/times.ts';

const { service, clock } = serviceFixture('sqlite', { now: testNow, manager: false });

const get = (path: string, headers: Record<string, string> = {}): Promise<HttpReply> =>
  service.call('GET', `/api/v1/icon/${path}`, { headers });

test('[icons.27] any cache can keep an icon for ten minutes, and it has an ETag and a Last-Modified', async () => {
  for (const path of ['line/house.svg', 'line/house/64.png', 'g/house~n5/fff/64.jpg']) {
    const { headers } = await get(path);
    assert.equal(headers['cache-control'], 'public, max-age=600', path);
    assert.match(headers.etag ?? '', /^"[^"]+"$/);
    assert.equal(new Date(headers['last-modified'] ?? '').toUTCString(), headers['last-modified']);
  }
});

test('[icons.27] a client that has the image gets 304, by its ETag or by its date', async () => {
  for (const path of ['line/house.svg', 'line/house/64.png', 'line/house/600.bmp']) {
    const { headers } = await get(path);
    const etag = headers.etag ?? '';
    const date = headers['last-modified'] ?? '';
    for (const held of [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", ${etag}` },
      { 'if-modified-since': date },
    ]) {
      const { status, text, headers: again } = await get(path, held);
      assert.deepEqual([status, text], [304, ''], JSON.stringify(held));
      assert.equal(again.etag, etag);
      assert.equal(again['cache-control'], 'public, max-age=600');
    }
    const earlier = new Date(Date.parse(date) - 60_000).toUTCString();
    for (const held of [
      { 'if-none-match': '"other"' },
      { 'if-modified-since': earlier },
      { 'if-modified-since': 'never' },
    ])
      assert.equal((await get(path, held)).status, 200, JSON.stringify(held));
    // The ETag takes precedence over the date.
    assert.equal((await get(path, { 'if-none-match': '"other"', 'if-modified-since': date })).status, 200);
  }
});

test('HEAD answers what GET does, without the image', async () => {
  for (const path of ['line/house/64.png', 'line/house/600.tga']) {
    const { headers } = await get(path);
    const head = await service.call('HEAD', `/api/v1/icon/${path}`);
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const field of ['etag', 'content-type', 'content-length', 'cache-control', 'last-modified'])
      assert.equal(head.headers[field], headers[field], `${path}: ${field}`);
  }
});

test('[icons.19] the calendar shows today’s day in Copenhagen, whatever its KID says, also under another icon', async () => {
  const days = new Map<string, string>();
  for (let day = 1; day <= 31; day++) {
    clock.now = ms2000Of('2026-07-01T10:00:00Z') + (day - 1) * dayMs;
    // Spelled differently each day, so that no cached answer is used.
    const cases = 'calendar'
      .split('')
      .map((letter, at) => (((day >> at) & 1) === 1 ? letter.toUpperCase() : letter))
      .join('');
    days.set((await get(`line/${cases}.svg`)).text, `${day}`);
    assert.equal((await get(`line/calendar~n-${day}~tMTI.svg`)).text, [...days.keys()].at(-1), 'whatever its text');
  }
  assert.equal(days.size, 31);

  clock.now = ms2000Of('2026-07-31T21:59:59Z');
  assert.equal(days.get((await get('line/calendar~n-99.svg')).text), '31');
  clock.now = ms2000Of('2026-07-31T22:00:00Z');
  assert.equal(days.get((await get('line/calendar~n-98.svg')).text), '1');
});

test('[icons.20] the calendar’s ETag changes with the day in Copenhagen, and those of other icons do not', async () => {
  const paths = ['g/calendar.svg', 'g/calendar/64.png', 'g/house~calendar.svg', 'g/house.svg'];
  const tags = (): Promise<(string | undefined)[]> =>
    Promise.all(paths.map(async (path) => (await get(path)).headers.etag));
  clock.now = ms2000Of('2026-01-31T22:59:59Z');
  const tagsThen = await tags();
  clock.now = ms2000Of('2026-01-31T23:00:00Z');
  // An answer can be repeated from memory for two seconds.
  await sleep(2100);
  const tagsNow = await tags();
  for (const [at, path] of paths.entries()) assert.equal(tagsThen[at] === tagsNow[at], path === 'g/house.svg', path);
  assert.equal((await get('g/calendar.svg', { 'if-none-match': tagsThen[0] ?? '' })).status, 200);
});
