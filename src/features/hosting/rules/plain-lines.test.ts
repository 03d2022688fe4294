// Checks log lines as plain text: what is removed from them, and how many are kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { maxBytes, toPlainLines, toPlainText } from './plain-lines.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

test('escape sequences and control characters are removed, and everything else is kept', () => {
  const table: [line: string, plain: string][] = [
    ['plain <b>text</b> & "quotes"', 'plain <b>text</b> & "quotes"'],
    ['\u001B[31mred\u001B[0m and \u001B[1;38;5;200mmore', 'red and more'],
    ['\u001B]0;title\u0007after', 'after'],
    ['\u001B]8;;https://example.org\u0007link\u001B]8;;\u0007', 'link'],
    ['a\tb\rc\u0000d\u0008e\u007Ff\u0085g', 'a bcdefg'],
    ['\u202Egpj.exe\u202C \u2066x\u2069', 'gpj.exe x'],
    ['åéñ 日本語 😀', 'åéñ 日本語 😀'],
    ['half \uD83D', 'half \uFFFD'],
  ];
  for (const [line, plain] of table) assert.equal(toPlainText(line), plain);
});

test('a plain line has no control character, for any input', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (line) => {
      const plain = toPlainText(line);
      for (const character of plain) {
        const code = character.codePointAt(0) ?? 0;
        assert.ok(code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0xd800 || code > 0xdfff), `${code}`);
      }
    }),
  );
});

test('the newest lines are kept, at most 100 lines and 256 KiB', () => {
  const lines = Array.from({ length: 250 }, (_, index) => `line ${index}`);
  const { lines: kept, truncated } = toPlainLines(lines);
  assert.deepEqual([kept.length, kept[0], kept.at(-1), truncated], [100, 'line 150', 'line 249', true]);
  assert.deepEqual(toPlainLines(lines.slice(0, 100)), { lines: lines.slice(0, 100), truncated: false });
  assert.deepEqual(toPlainLines([], true), { lines: [], truncated: true });
  assert.deepEqual(toPlainLines([]), { lines: [], truncated: false });
});

test('[hostlogs.05] a selection has at most 100 lines and 256 KiB, and leaves out no line that fits', () => {
  const line = fc
    .tuple(fc.constantFrom('x', 'æ', '€', '😀'), fc.integer({ min: 0, max: 60_000 }))
    .map(([unit, count]) => unit.repeat(count));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const { lines: kept, truncated } = toPlainLines(lines);
      const bytes = kept.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
      assert.ok(bytes <= maxBytes);
      if (!truncated) assert.deepEqual(kept, lines);
      else if (kept.length < lines.length) {
        assert.deepEqual(kept.slice(1), lines.slice(lines.length - kept.length + 1));
        const next = lines.at(-kept.length - 1) ?? '';
        assert.ok(bytes + Buffer.byteLength(next) + 1 > maxBytes);
      }
    }),
    { numRuns: 50 },
  );
});

test('[hostlogs.05] a single line that is too large is cut between characters', () => {
  for (const unit of ['x', '€', '😀']) {
    const { lines, truncated } = toPlainLines(['older', unit.repeat(300_000)]);
    assert.equal(truncated, true);
    assert.equal(lines.length, 1);
    const bytes = Buffer.byteLength(lines[0] ?? '');
    assert.ok(bytes <= maxBytes && bytes > maxBytes - 5, `${bytes}`);
    assert.match(lines[0] ?? '', new RegExp(`^(${unit})+$`, 'u'));
  }
});
