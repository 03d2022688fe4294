// Sends a request and reads its answer under one deadline, from the look-up of the host to the last byte. It never throws.

import type { IncomingMessage } from 'node:http';
import {
  fail,
  failureOfError,
  isFailedRequest,
  openGuardedRequest,
  type FailedRequest,
  type GuardedRequestOptions,
} from './guarded-request.ts';

type SendRequestOptions<T> = GuardedRequestOptions & {
  readonly body?: string;
  readonly timeoutMs: number;
  /** Returns the answer to use when the deadline has passed; undefined if what has arrived is no answer. */
  readonly partialAnswer?: () => T | undefined;
};

export function sendRequest<T>(
  url: URL,
  { body, timeoutMs, partialAnswer, ...options }: SendRequestOptions<T>,
  readAnswer: (response: IncomingMessage) => Promise<T | FailedRequest>,
): Promise<T | FailedRequest> {
  const request = openGuardedRequest(url, options);
  if (isFailedRequest(request)) return Promise.resolve(request);
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => end(partialAnswer?.() ?? fail('TransientFailure', `no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const end = (answer: T | FailedRequest): void => {
      clearTimeout(timer);
      resolve(answer);
      request.destroy();
    };
    // Errors may still occur after the end, such as that of the destroyed request.
    request.on('error', (error) => end(failureOfError(error)));
    request.on('response', (response) => {
      readAnswer(response).then(end, (error: unknown) => end(failureOfError(error)));
    });
    request.end(body);
  });
}
