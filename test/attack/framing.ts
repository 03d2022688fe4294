// Requests whose framing two servers could read differently, hosts that contradict each other, and random bytes in place
// of a request: each gets one answer or none, and no hidden request is ever answered.

import assert from 'node:assert/strict';
import { createSeededRandom } from '../../demo/random.ts';
import { readUntilClosed } from '../http/support/raw-http.ts';
import type { Round, RoundFigures, RoundOptions } from '../rounds/run-rounds.ts';
import { attackerHost, neighbourHost, startAttackedService, type AttackedService } from './support/attacked-service.ts';

/** What must never be answered: it is the body of another request. */
const hiddenPath = '/api/v1/hidden';
const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: ${attackerHost}\r\n\r\n`;
const login = '/api/v1/session/login';

const lengths = (bytes: number): readonly string[] => [
  `Content-Length: ${bytes}`,
  'Content-Length: 0',
  `Content-Length: +${bytes}`,
  `Content-Length: ${bytes}, ${bytes}`,
  `Content-Length: 0x${bytes.toString(16)}`,
  `Content-Length : ${bytes}`,
  `Content-Length:\t${bytes}`,
  `Content-Length: ${bytes}\r\nContent-Length: 0`,
  `Content-Length: 0\r\nContent-Length: ${bytes}`,
  `Content-Length:\r\n ${bytes}`,
  `content-length: ${bytes}\r\nCONTENT-LENGTH: ${bytes + 1}`,
  `Content-Length: 99999999999999999999`,
  `X: y\nContent-Length: ${bytes}`,
  `X: y\rContent-Length: ${bytes}`,
];

const codings: readonly string[] = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: x-chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: "chunked"',
  ' Transfer-Encoding: chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding: chunked\0',
  'Transfer_Encoding: chunked',
];

const chunks: readonly string[] = [
  `0\r\n\r\n${hidden}`,
  `0;x=\r\n\r\n${hidden}`,
  `0\n\n${hidden}`,
  `00000000000000000000\r\n\r\n${hidden}`,
  `-1\r\n\r\n${hidden}`,
  `0x0\r\n\r\n${hidden}`,
  `1\r\nZ\r\n0\r\nTrailer: x\r\n\r\n${hidden}`,
  `1\r\nZZ\r\n0\r\n\r\n${hidden}`,
  `ffffffffffffffff1\r\nZ\r\n0\r\n\r\n${hidden}`,
  `1;${'x'.repeat(20_000)}\r\nZ\r\n0\r\n\r\n${hidden}`,
];

/** Two hosts, of which the service must not choose the second one. */
const hosts: readonly string[] = [
  `Host: ${attackerHost}\r\nHost: ${neighbourHost}`,
  `Host: ${attackerHost}\r\nhOsT: ${neighbourHost}`,
  `Host: ${attackerHost}, ${neighbourHost}`,
  `Host: ${attackerHost}\r\n Host: ${neighbourHost}`,
  `Host:\r\n ${neighbourHost}`,
  `Host: ${attackerHost}@${neighbourHost}`,
  `Host: ${attackerHost}\0${neighbourHost}`,
  `Host: ${attackerHost}\tx`,
  `Host : ${neighbourHost}`,
  `Host\r\n: ${neighbourHost}`,
  `X: y\nHost: ${neighbourHost}`,
];

const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

function assertRefused(answer: string, sent: string, most: number): void {
  const statuses = statusesOf(answer);
  const label = `${JSON.stringify(sent.slice(0, 300))}: ${answer.slice(0, 300)}`;
  assert.ok(statuses.length <= most, `${statuses.length} answers to ${label}`);
  assert.ok(
    statuses.every((status) => status < 500 || status === 501),
    label,
  );
}

/** A request whose end is ambiguous, with a request in its body, or perhaps behind it. */
async function tryFraming(service: AttackedService, figures: Record<string, number>): Promise<void> {
  const start = `POST ${login} HTTP/1.1\r\nHost: ${attackerHost}\r\nContent-Type: application/json`;
  for (const coding of codings)
    for (const chunk of chunks) {
      const tryLength = async (length: string): Promise<void> => {
        const sent = `${start}\r\n${length === '' ? '' : `${length}\r\n`}${coding}\r\nConnection: close\r\n\r\n${chunk}`;
        const answer = await readUntilClosed(service.port, sent);
        figures['ambiguous requests'] = (figures['ambiguous requests'] ?? 0) + 1;
        assertRefused(answer, sent, 1);
        assert.ok(!answer.includes('"unknown-route"'), `the hidden request was answered: ${JSON.stringify(sent)}`);
      };
      await Promise.all(['', ...lengths(chunk.length)].map(tryLength));
    }
}

async function tryHosts(service: AttackedService, figures: Record<string, number>): Promise<void> {
  for (const host of hosts)
    for (const target of ['/api/v1/public/status', `http://${neighbourHost}\\@${attackerHost}/livez`, '//x/livez']) {
      const sent = `GET ${target} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`;
      const answer = await readUntilClosed(service.port, sent);
      figures['contradicting hosts'] = (figures['contradicting hosts'] ?? 0) + 1;
      assertRefused(answer, sent, 1);
      assert.ok(!/fjord/i.test(answer), `the second host was chosen: ${JSON.stringify(sent)}: ${answer}`);
    }
}

/** Many requests at once on one connection are answered in their order, and a broken one ends it. */
async function tryPipelines(service: AttackedService, count: number): Promise<void> {
  const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${attackerHost}\r\n\r\n`;
  const paths = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? '/livez' : hiddenPath));
  const answer = await readUntilClosed(service.port, `${paths.map(one).join('')}BROKEN\r\n\r\n`);
  assert.deepEqual(statusesOf(answer), [...paths.map((path) => (path === '/livez' ? 200 : 404)), 400]);
}

/** A sound request with some of its bytes removed, doubled or replaced. */
async function tryMutations(service: AttackedService, count: number, seed: string): Promise<Record<string, number>> {
  const random = createSeededRandom(`framing/${seed}`);
  const below = (limit: number): number => random.int(0, limit - 1);
  const body = '{"userName":"x","password":"y"}';
  const sound =
    `POST ${login} HTTP/1.1\r\nHost: ${attackerHost}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const outcomes: Record<string, number> = {};
  const tryOne = async (): Promise<void> => {
    const bytes = sound.split('');
    for (let change = 0; change <= below(4); change += 1) {
      const at = below(bytes.length);
      const other = String.fromCharCode(below(256));
      bytes.splice(at, below(3), ...(below(3) === 0 ? [other, other] : [other]));
    }
    const sent = bytes.join('');
    const answer = await readUntilClosed(service.port, sent + '\r\n\r\n'.repeat(below(2)), false, 'end');
    assertRefused(answer, sent, 2);
    const name = `random requests with ${statusesOf(answer)[0] ?? 'no answer'}`;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  };
  for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: 50 }, tryOne));
  return outcomes;
}

async function run({ isLong, seed }: RoundOptions): Promise<RoundFigures> {
  const service = await startAttackedService({ settings: { PORTAL_RATE_LIMIT: 'off' } });
  try {
    const figures: Record<string, number> = {};
    await tryFraming(service, figures);
    await tryHosts(service, figures);
    await tryPipelines(service, 100);
    const outcomes = await tryMutations(service, isLong ? 50_000 : 3000, seed);
    await service.assertHealthy();
    return { ...figures, ...outcomes };
  } finally {
    await service.stop();
  }
}

/** HTTP/1.1 that two servers could read differently. */
export const framing: Round = { name: 'framing', run };
