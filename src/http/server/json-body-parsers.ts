// Parses request bodies: JSON of any JSON media type, and nothing else.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import { mayNeedExactNumbers, parseExactJson } from '../../lib/values/int64.ts';
import { Problem } from '../../lib/problem.ts';
import { findDuplicateMember } from '../validation/duplicate-members.ts';

/** A missing body is not an error here: the operation's schema decides. */
export function addJsonBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  for (const type of ['application/json', 'text/json', /^application\/[\w.+-]+\+json(?:;|$)/i]) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      if (isEncoded(request)) return done(new Problem('unsupported-media-type'));
      // A lenient decoder would replace invalid bytes with other characters, which would then be stored.
      if (!isUtf8(bytes)) return done(new Problem('malformed-body', { detail: 'The body is not UTF-8.' }));
      const body = bytes.toString();
      if (body === '') done(null, undefined);
      else void parseJson(request, body, (error, parsed) => finishParsing(error, parsed, body, done));
    });
  }
}

type BodyParserCallback = (error: Error | null, body?: unknown) => void;

/** Refuses duplicate members, and parses numbers again if that is needed to keep every digit. */
function finishParsing(error: Error | null, parsed: unknown, text: string, done: BodyParserCallback): void {
  if (error !== null) {
    done(error);
    return;
  }
  let body = parsed;
  try {
    refuseDuplicateMembers(text);
    if (mayNeedExactNumbers(text)) body = parseExactJson(text);
  } catch (cause) {
    // The text is valid JSON, so that only nesting deeper than the stack can fail.
    done(
      cause instanceof Problem
        ? cause
        : new Problem('malformed-body', { detail: 'The body is nested too deeply.', cause }),
    );
    return;
  }
  done(null, body);
}

function refuseDuplicateMembers(text: string): void {
  const duplicate = findDuplicateMember(text);
  if (duplicate === undefined) return;
  const path = ['body', ...duplicate].join('.').slice(0, maxPathLength);
  throw createFieldProblem(path, 'occurs more than once');
}

/** A longer path is cut in the error. */
const maxPathLength = 128;

// JSON is UTF-8 (RFC 8259, 8.1), and compressed bodies are not supported.
function isEncoded({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const coding = headers['content-encoding'];
  return (
    (charset !== undefined && charset.toLowerCase() !== 'utf-8') ||
    (coding !== undefined && coding.toLowerCase() !== 'identity')
  );
}
