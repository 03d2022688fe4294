// docs/errors.md: the catalogue of refusals.

import { problems, type ProblemCode } from '../lib/problem.ts';
import { code, page, table } from './markdown.ts';

export function createErrorsPage(): string {
  return page(
    '# Errors',
    'Every refusal is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, a stable `code`, a `detail` in words and a `traceId`; some have a `reason`, which is stable too, and `errors` with each part of the input that was refused. Decide by `code` and `reason`; `title` and `detail` are for people.',
    'Retry is the number of seconds in `Retry-After`, where the answer does not know better; where it is empty, the same request gets the same refusal until something else changes. After a write, a status of 500 or above says nothing of what was stored: read it back first.',
    'Generated from the catalogue by `npm run docs`.',
    table(['Code', 'Status', 'Title', 'Retry'], (Object.keys(problems) as ProblemCode[]).map(row)),
  );
}

function row(name: ProblemCode): string[] {
  const entry: { status: number; title: string; retryAfterSeconds?: number } = problems[name];
  const { status, title, retryAfterSeconds } = entry;
  return [code(name), String(status), title, retryAfterSeconds === undefined ? '' : String(retryAfterSeconds)];
}
