// Generates docs/errors.md from the catalogue of problems.

import { problems, type ProblemCode } from '../lib/problem.ts';
import { code, page, table } from './markdown.ts';

export function createErrorsPage(): string {
  return page(
    '# Errors',
    'Every error response is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, a stable `code`, a `detail` in plain words and a `traceId`. Some have a `reason`, which is stable too, and `errors`, which lists each invalid field of the request. Use `code` and `reason` in programs; `title` and `detail` are for people.',
    'Retry is the number of seconds in `Retry-After`, unless the response says otherwise. If it is empty, repeating the request does not help. After a write, a status of 500 or above does not tell whether the write was stored: read the object before you retry.',
    'Generated from the catalogue by `npm run docs`.',
    table(['Code', 'Status', 'Title', 'Retry'], (Object.keys(problems) as ProblemCode[]).map(row)),
  );
}

function row(name: ProblemCode): string[] {
  const entry: { status: number; title: string; retryAfterSeconds?: number } = problems[name];
  const { status, title, retryAfterSeconds } = entry;
  return [code(name), String(status), title, retryAfterSeconds === undefined ? '' : String(retryAfterSeconds)];
}
