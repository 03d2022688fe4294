// Reads a package as clients of each kind do: over HTTP/1.1, over TLS, and over HTTP/2.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { connect, constants } from 'node:http2';
import { request as requestTls } from 'node:https';
import type { Readable } from 'node:stream';
import { sundHost } from '../../support/call.ts';
import type { TestService } from '../../support/service.ts';

export type Transfer = {
  readonly status: number;
  /** The body is read only on demand. */
  readonly body: Readable;
  goAway(): void;
};

export type Transport = {
  readonly name: string;
  /** Resolves with the head of the answer. */
  begin(path: string): Promise<Transfer>;
  /** Sends requests of one client, which disconnects before it has any answer. */
  sendAndGoAway(path: string, count: number): Promise<void>;
};

/** What ends a body early. */
const cutOffCodes = ['ECONNRESET', 'ERR_HTTP2_STREAM_ERROR'];

/** The bytes until the answer ends, and whether it was whole. */
export async function readRest({ body }: Transfer): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
    return { bytes: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    assert.ok(cutOffCodes.includes(code), code);
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
}

export function http1Transport(name: string, service: TestService, isSecure: boolean): Transport {
  const send = isSecure ? requestTls : requestPlain;
  const ask = (path: string) =>
    send({
      host: '127.0.0.1',
      port: service.port,
      path,
      agent: false,
      headers: { host: sundHost },
      rejectUnauthorized: false,
    }).end();
  return {
    name,
    begin: async (path) => {
      const [incoming] = (await once(ask(path), 'response')) as [IncomingMessage];
      return {
        status: incoming.statusCode ?? 0,
        body: incoming.pause(),
        goAway: () => void incoming.destroy().on('error', () => {}),
      };
    },
    sendAndGoAway: async (path, count) => {
      const requests = Array.from({ length: count }, () => ask(path).on('error', () => {}));
      await Promise.all(requests.map((each) => once(each, 'finish')));
      for (const each of requests) each.destroy();
    },
  };
}

export function http2Transport(service: TestService): Transport {
  const open = async () => {
    const session = connect(`https://127.0.0.1:${service.port}`, { rejectUnauthorized: false });
    await once(session, 'connect');
    return session;
  };
  const fieldsOf = (path: string) => ({ ':path': path, ':authority': sundHost });
  return {
    name: 'HTTP/2',
    begin: async (path) => {
      const session = await open();
      const stream = session.request(fieldsOf(path)).on('close', () => session.destroy());
      const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
      return { status: Number(head[':status']), body: stream, goAway: () => stream.close(constants.NGHTTP2_CANCEL) };
    },
    sendAndGoAway: async (path, count) => {
      const session = await open();
      const closings = Array.from({ length: count }, () => {
        const stream = session.request(fieldsOf(path)).on('error', () => {});
        // Sent in one write with the request.
        stream.close(constants.NGHTTP2_CANCEL);
        return once(stream, 'close');
      });
      await Promise.all(closings);
      session.destroy();
    },
  };
}
