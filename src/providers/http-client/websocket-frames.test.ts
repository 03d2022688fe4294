// The frames of a WebSocket: the examples of RFC 6455, 5.7, and what a server may not send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatClientFrame, FrameError, opcodes, parseFrames } from './websocket-frames.ts';

const parse = (hex: string, most = 1_000_000) => parseFrames(Buffer.from(hex.replaceAll(' ', ''), 'hex'), most);

test('the examples of the standard', () => {
  const [hello] = parse('81 05 48 65 6c 6c 6f').frames;
  assert.deepEqual([hello?.opcode, hello?.isFinal, hello?.payload.toString()], [opcodes.text, true, 'Hello']);
  const [first, second] = parse('01 03 48 65 6c 80 02 6c 6f').frames;
  assert.deepEqual([first?.opcode, first?.isFinal, first?.payload.toString()], [opcodes.text, false, 'Hel']);
  assert.deepEqual([second?.opcode, second?.isFinal, second?.payload.toString()], [opcodes.continuation, true, 'lo']);
  const [ping] = parse('89 05 48 65 6c 6c 6f').frames;
  assert.equal(ping?.opcode, opcodes.ping);
  for (const head of ['82 7e 01 00', '82 7f 00 00 00 00 00 01 00 00']) {
    const bytes = head.startsWith('82 7e') ? 256 : 65_536;
    const [binary] = parse(`${head}${'00'.repeat(bytes)}`).frames;
    assert.equal(binary?.payload.length, bytes);
  }
});

test('frames are found however the bytes were divided', () => {
  const frames = fc.array(
    fc.record({
      opcode: fc.constantFrom(0, 1, 2, 8, 9, 10),
      isFinal: fc.boolean(),
      size: fc.integer({ min: 0, max: 300 }),
    }),
  );
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 400 }), (sent, size) => {
      const bytes = Buffer.concat(
        sent.map(({ opcode, isFinal, size: length }) => {
          const head = length < 126 ? [length] : [126, length >> 8, length & 255];
          return Buffer.from([(isFinal ? 0x80 : 0) | opcode, ...head, ...Array.from({ length }, () => opcode)]);
        }),
      );
      const found: (readonly [number, boolean, number])[] = [];
      let rest: Buffer = Buffer.alloc(0);
      for (let at = 0; at < bytes.length; at += size) {
        const parsed = parseFrames(Buffer.concat([rest, bytes.subarray(at, at + size)]), 1000);
        found.push(...parsed.frames.map((frame) => [frame.opcode, frame.isFinal, frame.payload.length] as const));
        rest = parsed.rest;
      }
      assert.deepEqual(
        found,
        sent.map(({ opcode, isFinal, size: length }) => [opcode, isFinal, length]),
      );
      assert.equal(rest.length, 0);
    }),
  );
});

test('a masked frame, an extension and a frame that is too large are refused before they have come', () => {
  for (const hex of ['81 85 37 fa 21 3d 7f 9f 4d 51 58', 'c1 00', '82 7f 7f ff ff ff ff ff ff ff', '81 7e 03 e9'])
    assert.throws(() => parse(hex, 1000), FrameError, hex);
});

test('the frame of a client is masked, and comes out as it went in', () => {
  const frame = formatClientFrame(opcodes.pong, Buffer.from('Hello'));
  assert.deepEqual([...frame.subarray(0, 2)], [0x8a, 0x85]);
  const mask = frame.subarray(2, 6);
  const payload = Buffer.from(frame.subarray(6).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  assert.equal(payload.toString(), 'Hello');
});
