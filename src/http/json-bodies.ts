// Bodies of requests: JSON, in any of its spellings, and nothing else.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../lib/problem.ts';

/** A missing body is no error here, the operation's schema decides. */
export function acceptJsonAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  for (const type of ['application/json', 'text/json', /^application\/[\w.+-]+\+json(?:;|$)/i]) {
    app.addContentTypeParser<string>(type, { parseAs: 'string' }, (request, body, done) => {
      if (isCoded(request)) done(new Problem('unsupported-media-type'));
      else if (body === '') done(null, undefined);
      else void parseJson(request, body, done);
    });
  }
}

// JSON is UTF-8 (RFC 8259, 8.1), and a body comes as it is: what says otherwise would be misread.
function isCoded({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const coding = headers['content-encoding'];
  return (
    (charset !== undefined && charset.toLowerCase() !== 'utf-8') ||
    (coding !== undefined && coding.toLowerCase() !== 'identity')
  );
}
