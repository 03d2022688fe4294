// Many pictures at once: large ones of one client leave slots for the small ones of others, a first burst waits for its
// turn, and requests for the same picture take one slot.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Call, HttpReply } from '../support/call.ts';
import { startService, type TestService } from '../support/service.ts';

const flooder = '127.0.0.2';
const other = '127.0.0.3';
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const icon = (at: number, file: string): string => `/api/v1/icon/line/washer~n${at + 1}/${file}`;

let service: TestService;
let call: Call;
before(async () => {
  service = await startService('sqlite');
  ({ call } = service);
  // The renderer is loaded with the first picture.
  await call('GET', icon(999, '64.png'));
});
after(() => service.stop());

const askAll = (paths: readonly string[], from: string): Promise<HttpReply[]> =>
  Promise.all(paths.map((path) => call('GET', path, { from })));

const statusesOf = (replies: readonly HttpReply[]): Set<number> => new Set(replies.map(({ status }) => status));

test('a burst of 24 small pictures of one client is rendered, none refused', async () => {
  const replies = await askAll(
    upTo(24).map((at) => icon(at, '64.png')),
    flooder,
  );
  assert.deepEqual(statusesOf(replies), new Set([200]));
});

test('32 requests for the same new large picture all get it', async () => {
  const replies = await askAll(
    upTo(32).map(() => icon(100, '2048.png')),
    flooder,
  );
  assert.deepEqual(statusesOf(replies), new Set([200]));
  assert.equal(new Set(replies.map(({ headers }) => headers.etag)).size, 1);
});

test("one client's large pictures do not displace another client's small ones or first large one", async () => {
  const kept = upTo(8).map((at) => icon(at, '48.png'));
  await askAll(kept, other);
  const large = Promise.all(
    upTo(17).map(async (at) => {
      const { status, json } = await call('GET', icon(200 + at, '2048.gif'), { from: flooder });
      if (status === 429) assert.equal(json.code, 'too-many-renders');
      return status;
    }),
  );
  const largeOfOther = call('GET', icon(300, '1024.png'), { from: other });
  for (const round of upTo(3)) {
    const fresh = upTo(8).map((at) => icon(400 + 8 * round + at, '64.png'));
    assert.deepEqual(statusesOf(await askAll([...kept, ...fresh], other)), new Set([200]));
  }
  const statuses = await large;
  assert.equal((await largeOfOther).status, 200);
  assert.ok(statuses.includes(429), 'the crowd was more than one client may have');
});
