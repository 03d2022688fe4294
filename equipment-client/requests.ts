// Sends the requests of a computer over HTTP. A request that got no answer may still have arrived.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type Answer = {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | undefined;
};

type Request = {
  readonly key?: string | undefined;
  readonly json?: unknown;
  readonly lines?: string;
  readonly timeoutMs?: number;
  /** It waits for something to happen: nothing is lost if it ends early. */
  readonly isPoll?: boolean;
};

export type Requests = {
  send(method: 'GET' | 'POST', path: string, request: Request): Promise<Answer>;
  /** Ends polls at once, and gives other requests a moment to be answered. */
  stop(): void;
  /** Ends everything that is under way. */
  close(): void;
};

type RequestsOptions = {
  /** Such as `https://api.sund.example`. */
  readonly service: string;
  /** The host of the tenant, where `service` is another address. */
  readonly host?: string | undefined;
  /** The certificate that the service shows, in PEM, where no public authority has signed it. */
  readonly ca?: string | undefined;
};

const defaultTimeoutMs = 30_000;
const graceMs = 2000;
/** A shorter body would not become smaller. */
const minGzipBytes = 512;

export function createRequests({ service, host, ca }: RequestsOptions): Requests {
  const isSecure = new URL(service).protocol === 'https:';
  const agent = isSecure ? createSecureAgent(ca) : new HttpAgent({ keepAlive: true });
  const stopping = new AbortController();
  const closing = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(grace);
    closing.abort();
    agent.destroy();
  };
  return {
    async send(method, path, { key, json, lines, timeoutMs = defaultTimeoutMs, isPoll = false }) {
      const { bytes, headers } = await formatBody(lines, json);
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const signal = AbortSignal.any([(isPoll ? stopping : closing).signal, AbortSignal.timeout(timeoutMs)]);
      const request = (isSecure ? httpsRequest : httpRequest)(new URL(path, service), {
        method,
        agent,
        signal,
        headers: {
          ...headers,
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(host === undefined ? {} : { host }),
        },
      });
      request.on('response', resolve).on('error', reject).end(bytes);
      try {
        return await readAnswer(await promise);
      } catch {
        // Reset, refused, cut or too late: all mean that nobody knows whether it arrived.
        return { status: 0, body: '', retryAfterMs: undefined };
      }
    },
    stop: () => {
      stopping.abort();
      grace = setTimeout(close, graceMs);
    },
    close,
  };
}

const createSecureAgent = (ca: string | undefined): HttpsAgent =>
  new HttpsAgent({ keepAlive: true, ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }) });

async function formatBody(lines: string | undefined, json: unknown) {
  if (lines === undefined && json === undefined) return { bytes: undefined, headers: {} };
  if (lines === undefined)
    return { bytes: Buffer.from(JSON.stringify(json)), headers: { 'content-type': 'application/json' } };
  const bytes = Buffer.from(lines);
  const headers = { 'content-type': 'application/jsonl' };
  if (bytes.length < minGzipBytes) return { bytes, headers };
  return { bytes: await promisify(gzip)(bytes), headers: { ...headers, 'content-encoding': 'gzip' } };
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const seconds = Number(response.headers['retry-after']);
  const body = await text(response);
  // A connection that was cut in the middle ends the stream without an error.
  if (!response.complete) throw new Error('the answer was cut');
  return {
    status: response.statusCode ?? 0,
    body,
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
  };
}

/** The member of an answer that is a text. */
export function textOf(answer: Answer, member: string): string | undefined {
  const value = parseAnswer(answer)[member];
  return typeof value === 'string' ? value : undefined;
}

/** Why a request was not answered as it should have been, in a word. */
export const reasonOf = (answer: Answer): string =>
  textOf(answer, 'code') ?? (answer.status === 0 ? 'unreachable' : `status ${answer.status}`);

/** The members of an answer; none where a proxy answered in place of the service. */
export function parseAnswer({ body }: Answer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
