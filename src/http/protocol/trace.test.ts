// W3C Trace Context: which traces a request joins, and when it begins a new one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinTrace, formatTraceparent } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const given = `00-${traceId}-${parentId}-01`;

test('a request with a well-formed traceparent joins its trace with a new span', () => {
  const headers = [
    given,
    `00-${traceId}-${parentId}-00`,
    `01-${traceId}-${parentId}-ff`,
    `cc-${traceId}-${parentId}-01-what-comes-later`,
  ];
  for (const header of headers) {
    const trace = joinTrace(header);
    assert.deepEqual([trace.traceId, trace.flags], [traceId, header.split('-')[3]]);
    assert.match(trace.spanId, /^(?!0{16})[0-9a-f]{16}$/);
    assert.notEqual(trace.spanId, parentId);
    assert.equal(formatTraceparent(trace), `00-${traceId}-${trace.spanId}-${trace.flags}`);
  }
});

test('a malformed traceparent, or more than one, begins a new trace', () => {
  const malformed = [
    undefined,
    [given, given],
    '',
    given.toUpperCase(),
    given.slice(1),
    given.slice(0, -1),
    `${given} `,
    ` ${given}`,
    `${given}-`,
    `${given}-more`,
    `${given}0`,
    given.replaceAll('-', ''),
    `ff-${traceId}-${parentId}-01`,
    `0-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}g-${parentId}-01`,
    `00-${traceId}-${parentId}-0x`,
    `00_${traceId}_${parentId}_01`,
    'x'.repeat(100_000),
  ];
  const seen = new Set<string>();
  for (const header of malformed) {
    const trace = joinTrace(header);
    assert.match(formatTraceparent(trace), /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
    assert.notEqual(trace.traceId, traceId, String(header));
    seen.add(trace.traceId).add(trace.spanId);
  }
  assert.equal(seen.size, 2 * malformed.length);
});
