// Fetches JSON from an external provider: one request, bounded in time and size, without redirects, and never to a
// private address that the operator has not allowed.

import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { fail, failureOfStatus, type FailedRequest } from './guarded-request.ts';
import { sendRequest } from './send-request.ts';

export type { RequestFailure } from './guarded-request.ts';

export type JsonAnswer = { readonly ok: true; readonly body: unknown } | FailedRequest;

export type JsonClientOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  /** The limit for the whole request, from the look-up of the host to the last byte. */
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** Header fields of every request, such as its authorization. */
  readonly headers?: OutgoingHttpHeaders;
};

/** Its functions never throw. */
type JsonClient = {
  get(url: URL): Promise<JsonAnswer>;
  postForm(url: URL, form: URLSearchParams): Promise<JsonAnswer>;
};

const defaultTimeoutMs = 3500;
const defaultMaxBodyBytes = 256 * 1024;

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

export function createJsonClient({
  userAgent,
  allowsPrivateAddresses,
  timeoutMs = defaultTimeoutMs,
  maxBodyBytes = defaultMaxBodyBytes,
  headers = {},
}: JsonClientOptions): JsonClient {
  const common = { allowsPrivateAddresses, timeoutMs };
  const commonHeaders = { 'user-agent': userAgent, accept: 'application/json', ...headers };
  const read = (response: IncomingMessage): Promise<JsonAnswer> => readAnswer(response, maxBodyBytes);
  return {
    get: (url) => sendRequest(url, { ...common, headers: commonHeaders }, read),
    postForm: (url, form) => {
      const body = form.toString();
      const length = { 'content-length': Buffer.byteLength(body) };
      return sendRequest(
        url,
        { ...common, method: 'POST', headers: { ...commonHeaders, ...formHeaders, ...length }, body },
        read,
      );
    },
  };
}

async function readAnswer(response: IncomingMessage, maxBodyBytes: number): Promise<JsonAnswer> {
  const status = response.statusCode ?? 0;
  const failed = failureOfStatus(status);
  if (failed !== undefined) return failed;
  const text = await readText(response, maxBodyBytes);
  const body = text === undefined ? undefined : parseJson(text);
  if (status !== 200) return { ok: false, failure: 'PermanentFailure', reason: `status ${status}`, status, body };
  return body === undefined ? fail('TransientFailure', 'the body is not JSON, or is too large') : { ok: true, body };
}

/** Undefined if the body is too large or not UTF-8. */
async function readText(response: IncomingMessage, maxBodyBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
