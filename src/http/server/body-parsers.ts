// Parses request bodies: JSON of any JSON media type, and JSON Lines to their bytes.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, zstdDecompress, type ZlibOptions, type ZstdOptions } from 'node:zlib';
import { findDuplicateMember } from '../validation/duplicate-members.ts';
import { createFieldProblem } from '../../lib/values/field-problem.ts';
import { mayNeedExactNumbers, parseExactJson } from '../../lib/values/int64.ts';
import { Problem } from '../../lib/problem.ts';

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

const maxDecompressedBytes = 1_048_576;

type Decompress = (bytes: Buffer) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  identity: async (bytes) => bytes,
  gzip: (bytes) => promisify<Buffer, ZlibOptions, Buffer>(gunzip)(bytes, { maxOutputLength: maxDecompressedBytes }),
  zstd: (bytes) =>
    promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress)(bytes, { maxOutputLength: maxDecompressedBytes }),
};

/** Decompresses lines (RFC 9110, 8.4; RFC 8878). Only operations that take lines accept them. */
export function addLinesBodyParser(app: FastifyInstance): void {
  const parse = async (request: FastifyRequest, bytes: Buffer): Promise<Buffer> => {
    const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined;
    if (request.routeOptions.config.takesLines !== true || decompress === undefined)
      throw new Problem('unsupported-media-type');
    try {
      return await decompress(bytes);
    } catch (error) {
      throw toBodyProblem(error);
    }
  };
  app.addContentTypeParser<Buffer>('application/jsonl', { parseAs: 'buffer' }, parse);
}

function toBodyProblem(error: unknown): Problem {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    ? new Problem('payload-too-large')
    : new Problem('malformed-body', { detail: 'The body cannot be decompressed.', cause: error });
}
