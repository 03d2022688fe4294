// Evaluates If-Match of a manager's write (RFC 9110, 13.1.1): the revision in quotes, or an ETag that begins with the
// revision.

import type { FastifyRequest } from 'fastify';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import { Problem } from '../../lib/problem.ts';
import type { ManagerOperation } from '../operations/operation.ts';
import { takesRevision } from '../operations/operation-properties.ts';

/**
 * Whether the request has an If-Match; its body then has the revision. Throws 400 if If-Match is not one entity tag.
 * The revision of If-Match becomes the `expectedRevision` of the body, so that a write compares revisions in one way.
 */
export function applyIfMatch(operation: ManagerOperation, request: FastifyRequest): boolean {
  const ifMatch = request.headers['if-match'];
  if (ifMatch === undefined || operation.method === 'GET') return false;
  if (!takesRevision(operation)) throw createFailure('The operation has no revision to compare.');
  const [, weak, tag] = /^(W\/)?"([\x21\x23-\x7e]*)"$/.exec(ifMatch.trim()) ?? [];
  if (tag === undefined) throw createFieldProblem('header.If-Match', 'must be one revision in quotes');
  if (weak !== undefined) throw createFailure('A weak entity tag never matches: put the revision in quotes.');
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return true;
  const [revision = ''] = tag.split('.');
  const { expectedRevision = revision } = body as { expectedRevision?: unknown };
  if (expectedRevision !== revision)
    throw createFieldProblem('body.expectedRevision', 'must be the revision of If-Match, or missing');
  request.body = { ...body, expectedRevision };
  return true;
}

/**
 * What a write with If-Match throws for an error: 412 if its revision is stale. A stale revision of If-Match is 412,
 * and not the 409 that the specification gives for `expectedRevision`.
 */
export function toIfMatchError(error: unknown): unknown {
  const isStale = error instanceof Problem && error.status === 409 && error.code.endsWith('-conflict');
  return isStale ? createFailure(error.message, error) : error;
}

const createFailure = (detail: string, cause?: Problem): Problem =>
  new Problem('precondition-failed', { detail, ...(cause === undefined ? {} : { cause }) });
