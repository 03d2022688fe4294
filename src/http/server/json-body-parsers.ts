// Parses the bodies of requests: JSON of any JSON media type, and nothing else.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { mayNeedExactNumbers, parseExactJson } from '../../lib/int64.ts';
import { Problem } from '../../lib/problem.ts';

/** A missing body is no error here: the operation's schema decides. */
export function addJsonBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  for (const type of ['application/json', 'text/json', /^application\/[\w.+-]+\+json(?:;|$)/i]) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      if (isEncoded(request)) return done(new Problem('unsupported-media-type'));
      // A decoder would replace invalid bytes by other characters, which would then be stored.
      if (!isUtf8(bytes)) return done(new Problem('malformed-body', { detail: 'The body is not UTF-8.' }));
      const body = bytes.toString();
      if (body === '') done(null, undefined);
      else if (mayNeedExactNumbers(body))
        void parseJson(request, body, (error) => parseExactNumbers(error, body, done));
      else void parseJson(request, body, done);
    });
  }
}

type BodyParserCallback = (error: Error | null, body?: unknown) => void;

/** Parses valid JSON again with every digit of its numbers. */
function parseExactNumbers(error: Error | null, text: string, done: BodyParserCallback): void {
  if (error !== null) return done(error);
  let body: unknown;
  try {
    body = parseExactJson(text);
  } catch (cause) {
    // It is valid JSON, so that it can only be nested deeper than the stack.
    return done(new Problem('malformed-body', { detail: 'The body is nested too deeply.', cause }));
  }
  done(null, body);
}

// JSON is UTF-8 (RFC 8259, 8.1), and compressed bodies are not supported.
function isEncoded({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const coding = headers['content-encoding'];
  return (
    (charset !== undefined && charset.toLowerCase() !== 'utf-8') ||
    (coding !== undefined && coding.toLowerCase() !== 'identity')
  );
}
