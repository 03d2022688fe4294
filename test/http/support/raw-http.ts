// Sends HTTP as bytes over a socket, for requests that no HTTP client would send.

import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type RawReply = {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined if there is none. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly json: any;
};

const socketTimeoutMs = 20_000;

/** Sends the bytes, which must ask for `Connection: close`, and reads until the service closes. */
export async function sendRaw(port: number, bytes: string, { tls = false } = {}): Promise<RawReply> {
  return parse(await readUntilClosed(port, bytes, tls));
}

/** One request in the wire format: its request line, its header lines, its body. */
export function formatRawRequest(requestLine: string, headers: readonly string[] = [], body = ''): string {
  return [requestLine, ...headers, 'Connection: close', '', body].join('\r\n');
}

/** Sends the bytes, and returns everything that the service answers until it closes. `end`: nothing follows the bytes. */
export function readUntilClosed(port: number, bytes: string, tls = false, after?: 'end'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect({ port, host: '127.0.0.1' });
    let answer = '';
    socket.setEncoding('latin1');
    socket.setTimeout(socketTimeoutMs, () => socket.destroy(new Error('the service neither answers nor closes')));
    socket.on('data', (chunk: string) => (answer += chunk));
    // A service that refuses early closes with unread input: its answer before that counts.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.on('close', () => resolve(answer));
    if (after === 'end') socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
}

function parse(answer: string): RawReply {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.slice(0, Math.max(0, end)).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const text = end < 0 ? '' : answer.slice(end + 4, end + 4 + length);
  const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0),
    headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}
