// Answers a connection on which no readable HTTP request arrived. There is no request to reply to, only a socket.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../../lib/problem.ts';
import { joinTrace } from '../context/trace.ts';
import { formatProblemBody } from '../error-reply.ts';

type ClientError = Error & { readonly code?: string };

export function replyToClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(problemCodeOf(error));
  const { traceId } = joinTrace(undefined);
  const body = JSON.stringify(formatProblemBody(problem, traceId));
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${crypto.randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function problemCodeOf({ code }: ClientError): ProblemCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return code === 'HPE_HEADER_OVERFLOW' ? 'header-too-large' : 'invalid-request';
}
