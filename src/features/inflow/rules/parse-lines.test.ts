// Tests how the body of a request to a stream and its lines are parsed.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashLineContent, parseStreamBody } from './parse-lines.ts';

const header = { epoch: 'e1', first: 1201, sentAt: '2026-11-23T10:00:00.120Z' };

const parse = (...lines: readonly unknown[]) =>
  parseStreamBody(
    Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
  );

test('lines have the numbers after the first, whether or not they say so', () => {
  const body = parse(header, { n: 1201, t: 'use' }, { t: 'use' }, '42', 'null', '[]', { n: '1206' });
  assert.ok('lines' in body);
  assert.deepEqual(
    body.lines.map(({ n, fields }) => [n, fields === undefined]),
    [
      [1201, false],
      [1202, false],
      [1203, true],
      [1204, true],
      [1205, true],
      [1206, false],
    ],
  );
});

test('a body that is broken as a whole says why', () => {
  const tooLong = { n: 1201, text: 'x'.repeat(16_384) };
  const cases: readonly (readonly [RegExp, readonly unknown[]])[] = [
    [/header/, ['']],
    [/header/, ['{']],
    [/header/, [[header]]],
    [/header/, [{ ...header, epoch: '' }]],
    [/header/, [{ ...header, epoch: 'a b' }]],
    [/header/, [{ ...header, first: 0 }]],
    [/header/, [{ ...header, first: '1' }]],
    [/header/, [{ ...header, first: 1.5 }]],
    [/header/, [{ ...header, sentAt: 'now' }]],
    [/header/, [{ ...header, sentAt: undefined }]],
    [/header/, [{ ...header, buffered: -1 }]],
    [/header/, [{ ...header, digests: { keys: 'zz' } }]],
    [/not JSON/, [header, 'use']],
    [/not JSON/, [header, '']],
    [/not JSON/, [header, { n: 1201 }, '{"n":1202']],
    [/another number/, [header, { n: 1202 }]],
    [/another number/, [header, { n: 1201 }, { n: 1203 }]],
    [/longer/, [header, tooLong]],
    [/more than/, [header, ...Array.from({ length: 1001 }, () => ({}))]],
    [/too large/, [{ ...header, first: Number.MAX_SAFE_INTEGER }, {}]],
  ];
  for (const [reason, lines] of cases) {
    const parsed = parse(...lines);
    assert.ok('reason' in parsed, JSON.stringify(lines).slice(0, 200));
    assert.match(parsed.reason, reason);
  }
  assert.deepEqual(parseStreamBody(Buffer.from([0xff, 0xfe])), { reason: 'The body is not UTF-8.' });
});

test('a line that is nested too deeply is no object, and ends no parser', () => {
  const deep = `{"n":1201,"t":${'['.repeat(8000)}${']'.repeat(8000)}}`;
  const body = parse(header, deep);
  assert.ok('lines' in body);
  assert.equal(body.lines[0]?.fields, undefined);
  const quoted = parse(header, { n: 1201, text: '[[[[[[[[[[[[{"' });
  assert.ok('lines' in quoted && quoted.lines[0]?.fields !== undefined);
});

test('any bytes are a body or have a reason', () => {
  const lines = fc.array(fc.oneof(fc.json(), fc.string(), fc.constant(JSON.stringify(header))), { maxLength: 5 });
  fc.assert(
    fc.property(lines, (texts) => {
      const body = parseStreamBody(Buffer.from(texts.join('\n')));
      return 'reason' in body
        ? body.reason.length > 0
        : body.lines.every(({ n }, index) => n === body.header.first + index);
    }),
  );
});

test('the content of a line depends neither on its number, nor on the order and the spacing of its members', () => {
  const contentOf = (text: string) => {
    const body = parse({ ...header, first: 1 }, text);
    assert.ok('lines' in body && body.lines[0] !== undefined);
    return hashLineContent(body.lines[0]);
  };
  const content = contentOf('{"n":1,"t":"use","counters":{"b":1,"a":2}}');
  assert.equal(contentOf('{ "counters": {"a":2, "b":1}, "t":"use" }'), content);
  assert.notEqual(contentOf('{"t":"use","counters":{"a":2,"b":2}}'), content);
});
