// Generates docs/errors.md from the catalogue of problems.

import { listExtensionMembers } from '../../src/http/openapi/problem-schema.ts';
import { problems, reasonsOfCode, statusesOfCode, type ProblemCode } from '../../src/lib/problem.ts';
import { code, codes, page, table } from './markdown.ts';

export function createErrorsPage(): string {
  const names = Object.keys(problems) as ProblemCode[];
  return page(
    '# Errors',
    'Every error response is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, a stable `code`, a `detail` in plain words and a `traceId`. Some have a `reason`, which is stable too, and `errors`, which lists each invalid field of the request. Use `code` and `reason` in programs; `title` and `detail` are for people.',
    'Retry is the number of seconds in `Retry-After`, unless the response says otherwise. If it is empty, repeating the request does not help. After a write, a status of 500 or above does not tell whether the write was stored: read the object before you retry.',
    'Generated from the catalogue by `npm run docs`.',
    table(['Code', 'Status', 'Title', 'Retry'], names.map(row)),
    '## Reasons',
    'These codes always have a `reason`. The list of a code may grow.',
    table(['Code', 'Reasons'], [['`forbidden`', forbiddenReasons], ...names.flatMap(reasonRows)]),
    '## Members',
    'These codes have members of their own.',
    table(['Code', 'Member', 'Meaning'], names.flatMap(memberRows)),
  );
}

function row(name: ProblemCode): string[] {
  const entry: { title: string; retryAfterSeconds?: number } = problems[name];
  const { title, retryAfterSeconds } = entry;
  return [
    code(name),
    statusesOfCode(name).join(', '),
    title,
    retryAfterSeconds === undefined ? '' : String(retryAfterSeconds),
  ];
}

const forbiddenReasons =
  '`missing-tab`; `missing-{area}-{flag}`, such as `missing-bank-read`; `too-narrow`, if no grant is wide enough. [operations.md](operations.md) lists those of each operation.';

const reasonRows = (name: ProblemCode): string[][] => {
  const reasons = reasonsOfCode(name);
  return reasons.length === 0 ? [] : [[code(name), codes(reasons)]];
};

const memberRows = (name: ProblemCode): string[][] =>
  listExtensionMembers(name).map(({ name: member, description }) => [code(name), code(member), description]);
