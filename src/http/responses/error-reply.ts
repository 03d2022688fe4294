// Answers errors as application/problem+json (RFC 9457), or as a page for people; no other file does. A Problem is sent
// unchanged; any other error is a defect and gets a 500 that reveals nothing of its cause.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { DuplicateError, StorageError } from '../../database/errors.ts';
import { negotiateLanguage } from '../../lib/text/language.ts';
import { pageHeaders } from '../../lib/pages/page-style.ts';
import { Problem, problems, type PlainProblemCode } from '../../lib/problem.ts';
import { allowCompression } from '../representations/allow-compression.ts';
import { dataPolicyHeader } from './data-policy.ts';
import { ClientGoneError } from '../context/client-watch.ts';
import { prefersHtml } from '../pages/prefers-html.ts';
import { renderProblemPage } from '../pages/problem-page.ts';
import { isHttp2 } from '../protocol/http-version.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import type { ReplacedProblems } from '../operations/operation.ts';
import { replaceProblem } from '../operations/operation-properties.ts';
import { clientClosedRequestStatus } from '../monitoring/access-log.ts';

const storageProblemCodes: Record<StorageError['failure'], PlainProblemCode> = {
  timeout: 'storage-timeout',
  'text-comparison': 'storage-text-comparison',
  'rolled-back': 'storage-unavailable',
  unavailable: 'storage-unavailable',
  'outcome-unknown': 'storage-outcome-unknown',
};

// Errors of the framework and of the HTTP parser, by their codes.
const frameworkProblemCodes: Readonly<Record<string, PlainProblemCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload-too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_ERR_BAD_URL: 'invalid-request',
  FST_ERR_ASYNC_CONSTRAINT: 'invalid-request',
  HPE_HEADER_OVERFLOW: 'header-too-large',
};

/** The problem that the client gets for an error. */
const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(problemCodeOf(error), { cause: error });

/**
 * The problem under the group's own code, with the same details. If a retry can help, the group's own code says when.
 */
function toOwnProblem(problem: Problem, replaced: ReplacedProblems | undefined): Problem {
  const { code, status } = replaceProblem(problem.code, replaced);
  if (code === problem.code) return problem;
  const { details } = problem;
  const canRetry = problem.retryAfterSeconds !== undefined;
  const { retryAfterSeconds = problem.retryAfterSeconds } = new Problem(code as PlainProblemCode);
  return new Problem(code as PlainProblemCode, {
    detail: problem.message,
    ...details,
    status,
    retryAfterSeconds: canRetry ? (retryAfterSeconds ?? null) : null,
  });
}

/** The problem code for an error that is not a Problem itself. */
export function problemCodeOf(error: unknown): PlainProblemCode {
  if (error instanceof StorageError) return storageProblemCodes[error.failure];
  if (error instanceof DuplicateError) return 'internal-error';
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? frameworkProblemCodes[code] : undefined;
  if (known !== undefined) return known;
  if (statusCode === 414) return 'uri-too-long';
  // Other client errors of the framework, and clients that went away in the middle of the body.
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? 'invalid-request' : 'internal-error';
}

/** The members of a problem's JSON (RFC 9457). */
type ProblemBody = Record<string, unknown> & Pick<Problem, 'code' | 'status'>;

export function formatProblemBody(
  { code, status, details }: Pick<Problem, 'code' | 'status' | 'details'>,
  traceId: string,
): ProblemBody {
  const { reason, detail, errors, extensions } = details;
  return {
    type: `urn:problem-type:${code}`,
    title: problems[code].title,
    status,
    code,
    ...(reason === undefined ? {} : { reason }),
    detail: detail ?? problems[code].title,
    traceId,
    ...(errors === undefined ? {} : { errors }),
    ...extensions,
  };
}

/** Header fields that described the answer before the problem replaced it. */
const replacedFieldNames = ['content-disposition', 'content-encoding', 'content-language', 'etag', 'last-modified'];

export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Nobody receives it, and the request was logged when its client went away.
  if (error instanceof ClientGoneError) return reply.code(clientClosedRequestStatus).send();
  const problem = toOwnProblem(toProblem(error), request.requestContext.replacedProblems);
  const { trace, tenantHost, routePattern } = request.requestContext;
  const { traceId } = trace;
  const facts = {
    code: problem.code,
    requestId: request.id,
    traceId,
    tenant: tenantHost?.tenant.name,
    environment: tenantHost?.environment,
    route: routePattern,
  };
  // A 501 is about the request, not about a failure of the service. Readiness is logged when a check begins to fail,
  // not at each request.
  if (problem.status >= 500 && problem.status !== 501 && problem.code !== 'not-ready') {
    const level = problem.code === 'internal-error' ? 'error' : 'warn';
    request.log[level]({ err: problem.details.cause ?? problem, ...facts }, problem.code);
  } else request.log.debug({ ...facts, detail: problem.details.detail }, problem.code);
  request.requestContext.problemCode = problem.code;
  const { retryAfterSeconds } = problem;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (problem.status === 401) reply.header('www-authenticate', formatAuthenticateChallenge(problem, request));
  // RFC 9110, 15.5.9 and 15.5.14: the rest of the body is not read. HTTP/2 has no such field, though the framework sets it.
  if (isHttp2(request.raw)) reply.removeHeader('connection');
  else if (problem.status === 408 || problem.status === 413) reply.header('connection', 'close');
  for (const field of replacedFieldNames) reply.removeHeader(field);
  allowCompression(reply, 'each');
  reply
    .code(problem.status)
    .headers(problem.details.headers ?? {})
    .header('cache-control', 'no-store');
  return sendProblem(formatProblemBody(problem, traceId), request, reply);
}

/** Sends JSON, or a page with the same facts to those who ask for pages. */
function sendProblem(
  body: ProblemBody,
  { headers, requestContext: { tenantHost } }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  appendToListHeader(reply, 'vary', 'Accept');
  if (!prefersHtml(headers.accept))
    return reply
      .header('content-type', 'application/problem+json; charset=utf-8')
      .header(...dataPolicyHeader) // the framework runs no hook for a target that it cannot parse
      .send(JSON.stringify(body));
  const language = negotiateLanguage(headers['accept-language']);
  appendToListHeader(reply, 'vary', 'Accept-Language');
  return reply
    .headers({ ...pageHeaders, 'content-language': language })
    .type('text/html; charset=utf-8')
    .send(renderProblemPage({ language, problem: body, hasStartPage: tenantHost !== undefined }));
}

// RFC 6750, 3: the error is named only if the request had a bearer token.
function formatAuthenticateChallenge({ code }: Problem, request: FastifyRequest): string {
  const realm = `Bearer realm="${request.hostname.replaceAll(/[^A-Za-z0-9.-]/g, '')}"`;
  const hasInvalidToken = code === 'unauthenticated' && /^Bearer(?: |$)/i.test(request.headers.authorization ?? '');
  return hasInvalidToken
    ? `${realm}, error="invalid_token", error_description="The token is unknown, expired or revoked on this host."`
    : realm;
}
