// Sends lines to the Equipment API as a computer does: numbered, over one connection.

import { request, Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { fetchText } from './request.ts';

export type StreamSender = {
  /** Throws if the service did not take all lines. */
  send(stream: 'money' | 'samples', bodyLines: readonly object[]): Promise<void>;
};

/** A tag that a resident has. */
export async function readTag(port: number, key: string): Promise<string> {
  const snapshot = await fetchText({ port, host: 'api.sund.localhost', path: '/equipment/v1/snapshot', token: key });
  const [, tag = ''] = /"kind":"key","key":"([^":]+)"/.exec(snapshot) ?? [];
  return tag;
}

/** Numbers the lines of each stream, and sends them over one connection. */
export function createStreamSender(port: number, key: string): StreamSender {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const next = { money: 1, samples: 1 };
  return {
    send: async (stream, bodyLines) => {
      const first = next[stream];
      next[stream] += bodyLines.length;
      const header = { epoch: 'bench', first, sentAt: new Date().toISOString(), software: 'bench' };
      const numbered = bodyLines.map((line, at) => JSON.stringify({ n: first + at, ...line }));
      const body = [JSON.stringify(header), ...numbered].join('\n');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sent = request({
        host: '127.0.0.1',
        port,
        path: `/equipment/v1/streams/${stream}`,
        method: 'POST',
        agent,
        headers: {
          host: 'api.sund.localhost',
          authorization: `Bearer ${key}`,
          'content-type': 'application/jsonl',
          'content-length': Buffer.byteLength(body),
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200 && answer.includes('"held":[]')) resolve();
          else reject(new Error(`${response.statusCode} ${answer}`));
        }, reject);
      });
      sent.end(body);
      return promise;
    },
  };
}

/** Uses of the unit by the resident who has the tag, as bodies of lines. */
export const createUses = (count: number, { unit, tag }: { readonly unit: string; readonly tag: string }): object[] =>
  Array.from({ length: count }, (_, index) => ({
    t: 'use',
    at: new Date().toISOString(),
    unit,
    key: tag,
    amountMinor: String(-1000 - index),
    currency: 'DKK',
    text: 'Wash at 60 degrees',
  }));
