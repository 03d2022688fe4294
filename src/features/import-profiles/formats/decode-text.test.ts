// Encodings: what is detected, what is named, and the line of a byte that cannot be decoded.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, type TextEncoding } from './decode-text.ts';
import { UnreadableFile } from './source-row.ts';

/** The bytes in chunks of this size. */
async function* inChunks(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size);
}

async function decode(bytes: Uint8Array, named?: TextEncoding, size?: number) {
  const { encoding, blocks } = await decodeText(inChunks(bytes, size), named);
  return { encoding, text: (await Array.fromAsync(blocks)).join('') };
}

const unreadable = (code: string, line: number) => (error: unknown) => {
  assert.ok(error instanceof UnreadableFile);
  assert.deepEqual([error.code, error.line], [code, line]);
  assert.ok(code !== 'undecodable-byte' || error.message.includes(`Line ${line} `), error.message);
  return true;
};

test('UTF-8 is detected with a byte order mark and without one, and the mark is no part of the text', async () => {
  assert.deepEqual(await decode(Buffer.from('æøå')), { encoding: 'utf-8', text: 'æøå' });
  assert.deepEqual(await decode(Buffer.from('\uFEFFæøå')), { encoding: 'utf-8', text: 'æøå' });
  assert.deepEqual(await decode(Buffer.from('\uFEFF\uFEFFa')), { encoding: 'utf-8', text: '\uFEFFa' });
  assert.deepEqual(await decode(Buffer.from('')), { encoding: 'utf-8', text: '' });
});

test('bytes that are not UTF-8 are Windows-1252, whose characters beyond Latin-1 are read', async () => {
  const bytes = Buffer.from([0xe6, 0xf8, 0xe5, 0x80, 0x8a, 0x9f]);
  assert.deepEqual(await decode(bytes), { encoding: 'windows-1252', text: 'æøå€ŠŸ' });
});

test('the encoding that is named wins', async () => {
  assert.equal((await decode(Buffer.from('æ'), 'windows-1252')).text, 'Ã¦');
  assert.equal((await decode(Buffer.from([0xa4, 0xe4]), 'iso-8859-15')).text, '€ä');
  await assert.rejects(decode(Buffer.from([0xe6]), 'utf-8'), unreadable('undecodable-byte', 1));
});

test('a file with a mark of another encoding is refused', async () => {
  await assert.rejects(decode(Buffer.from('\uFEFFa'), 'windows-1252'), unreadable('encoding-differs', 1));
  await assert.rejects(decode(Buffer.from('\uFEFFa', 'utf16le')), unreadable('encoding-not-supported', 1));
  await assert.rejects(decode(Buffer.from([0xfe, 0xff, 0, 97])), unreadable('encoding-not-supported', 1));
});

test('a byte that is not of the encoding is found on its line, however late it comes', async () => {
  const lines = 'abcdefg\r\n'.repeat(20_000);
  const late = Buffer.concat([Buffer.from(lines), Buffer.from([97, 0xe6, 98])]);
  await assert.rejects(decode(late), unreadable('undecodable-byte', 20_001));
  const cutOff = Buffer.concat([Buffer.from(lines), Buffer.from('æ').subarray(0, 1)]);
  await assert.rejects(decode(cutOff), unreadable('undecodable-byte', 20_001));
  const undefinedByte = Buffer.concat([Buffer.from([0xe6]), Buffer.from(lines), Buffer.from([10, 0x81])]);
  await assert.rejects(decode(undefinedByte), unreadable('undecodable-byte', 20_002));
});

test('a character that one block begins and the next one ends is detected and decoded', async () => {
  for (const character of ['æ', '€', '\u{1F600}'])
    for (let before = 0; before <= 4; before += 1) {
      const text = `${'x'.repeat(65_536 - before)}${character}\n`;
      assert.deepEqual(await decode(Buffer.from(text)), { encoding: 'utf-8', text });
      assert.equal((await decode(Buffer.from(`${text}${text}`), 'utf-8', 777)).text, `${text}${text}`);
    }
});

test('the text is that of the bytes, wherever chunks and blocks end', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(70_000), fc.integer({ min: 1, max: 7 }), async (text, padding, size) => {
      const whole = `${'x'.repeat(padding)}\n${text}`.toWellFormed();
      const { text: decoded } = await decode(Buffer.from(whole), 'utf-8', padding > 1000 ? 65_535 : size);
      assert.equal(decoded, whole);
    }),
  );
});

test('the source is closed where its text is not read to the end, and where it is refused', async () => {
  let closed = 0;
  async function* source(first: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      yield first;
      yield new Uint8Array(200_000).fill(97);
    } finally {
      closed += 1;
    }
  }
  const { blocks } = await decodeText(source(Buffer.alloc(65_536, 97)));
  for await (const block of blocks) {
    assert.equal(block.length, 65_536);
    break;
  }
  assert.equal(closed, 1);
  await assert.rejects(decodeText(source(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(65_536)]))));
  assert.equal(closed, 2);
});
