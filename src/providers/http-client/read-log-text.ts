// Fetches the last lines of a plain text from a URL that a provider has signed: without any credentials, bounded in
// time and size, and without redirects.

import type { IncomingMessage } from 'node:http';
import { ByteTail } from '../../lib/bytes/byte-tail.ts';
import { failureOfStatus, type FailedRequest } from './guarded-request.ts';
import { sendRequest } from './send-request.ts';

type LogTextOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  readonly timeoutMs: number;
  /** How many of the last bytes are kept. */
  readonly maxBytes: number;
  /** How much is read at most: of a longer text, the kept bytes may not be the end. */
  readonly maxReadBytes: number;
};

type ReadText = { readonly ok: true; readonly lines: readonly string[]; readonly truncated: boolean };

type LogText = ReadText | FailedRequest;

/** A text that is still being written may have no end: the bytes that have arrived at the timeout count. */
export function readLogText(
  url: URL,
  { userAgent, maxBytes, maxReadBytes, ...options }: LogTextOptions,
): Promise<LogText> {
  const tail = new ByteTail(maxBytes);
  const partialAnswer = (): ReadText | undefined =>
    tail.readBytes === 0 ? undefined : { ok: true, lines: tail.readLines().lines, truncated: true };
  const headers = { 'user-agent': userAgent, accept: 'text/plain, */*' };
  return sendRequest<ReadText>(url, { ...options, headers, partialAnswer }, (response) =>
    readInto(tail, response, maxReadBytes),
  );
}

async function readInto(tail: ByteTail, response: IncomingMessage, maxReadBytes: number): Promise<LogText> {
  const status = response.statusCode ?? 0;
  const failed = failureOfStatus(status);
  if (failed !== undefined) return failed;
  if (status !== 200) return { ok: false, failure: 'PermanentFailure', reason: `status ${status}`, status };
  for await (const chunk of response as AsyncIterable<Buffer>) {
    tail.push(chunk);
    if (tail.readBytes > maxReadBytes) break;
  }
  const { lines, isCut } = tail.readLines();
  return { ok: true, lines, truncated: isCut };
}
