// The messages of the log are constants, since live logs show them unchanged.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../../src');

/** Matches the beginning of a log call at level information or higher, or at a computed level. */
const logCall = /\blog(?:\??\.(?:info|warn|error|fatal)|\[\w+\])\(/g;

/** A text literal without a backslash and without nested quotes. */
const textLiteral = /'[^'\n]*'|"[^"\n]*"/y;

/** Calls whose message is not a literal. */
const exceptions = [
  // Constants of a list, which are shown only if the list has them: the code of a problem.
  ['http/responses/error-reply.ts', 'problem.code'],
  // A consequence of a failed check: all callers pass a literal, as the test verifies.
  ['http/server/readiness.ts', 'consequence'],
];

/** The arguments of the call whose parenthesis opens before `begin`. */
function readArguments(code: string, begin: number): string[] {
  const parts = [''];
  for (let at = begin, depth = 0; at < code.length; at += 1) {
    textLiteral.lastIndex = at;
    const piece = textLiteral.exec(code)?.[0] ?? code.charAt(at);
    at += piece.length - 1;
    if ('([{'.includes(piece)) depth += 1;
    if (')]}'.includes(piece)) depth -= 1;
    if (depth < 0) break;
    if (piece === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${piece}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const isTextLiteral = (argument: string): boolean => /^'[^'\n]*'$|^"[^"\n]*"$/.test(argument);

const files = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] });

/** File and message of each call. */
const listMessages = (call: RegExp): string[][] =>
  files.flatMap((file) => {
    const code = readFileSync(join(source, file), 'utf8');
    return [...code.matchAll(call)].map(({ index, 0: { length } }) => [
      file,
      readArguments(code, index + length).at(-1) ?? '',
    ]);
  });

test('[livelogs.11] each message of the log is a literal in the source', () => {
  const messages = listMessages(logCall);
  assert.ok(messages.length >= 20, `${messages.length} calls`);
  const others = messages.filter(([, message = '']) => !isTextLiteral(message));
  assert.deepEqual(new Set(others.map(String)), new Set(exceptions.map(String)));
  const consequences = listMessages(/(?<!function )\blogFailedCheck\(/g);
  assert.ok(consequences.length >= 3);
  for (const [file, message = ''] of consequences) assert.ok(isTextLiteral(message), `${file}: ${message}`);
});
