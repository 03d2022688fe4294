// Texts -> bytes in each encoding: what is read again is what was written.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, textEncodings, type TextEncoding } from './decode-text.ts';
import { createTextEncoder } from './encode-text.ts';

async function decode(bytes: Uint8Array, encoding: TextEncoding): Promise<string> {
  const { blocks } = await decodeText(ReadableStream.from([bytes]), encoding);
  return (await Array.fromAsync(blocks)).join('');
}

test('what can be encoded is read as it was', async () => {
  const texts = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.startsWith('\uFEFF'));
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom(...textEncodings), async (text, encoding) => {
      const encoder = createTextEncoder(encoding);
      const bytes = encoder.encode(text);
      if (bytes !== undefined) assert.equal(await decode(bytes, encoding), text);
      const replaced = encoder.toEncodable(text);
      const encoded = encoder.encode(replaced);
      assert.ok(encoded !== undefined, replaced);
      assert.equal(await decode(encoded, encoding), replaced);
    }),
  );
});

test('what an encoding lacks is written without its marks, or as a question mark', () => {
  const cases: [encoding: TextEncoding, text: string, encodable: string, isWhole: boolean][] = [
    ['utf-8', 'Łan 洗', 'Łan 洗', true],
    ['windows-1252', 'Åse Sørensen €', 'Åse Sørensen €', true],
    ['windows-1252', 'Łan Čapek', 'Lan Capek', false],
    ['windows-1252', 'A\u030Ase', 'Åse', false],
    ['windows-1252', '洗濯', '??', false],
    ['windows-1252', '\u0080', '?', false],
    ['iso-8859-15', 'Š€ž', 'Š€ž', true],
    ['iso-8859-15', '¤½', '??', false],
  ];
  for (const [encoding, text, encodable, isWhole] of cases) {
    const encoder = createTextEncoder(encoding);
    assert.equal(encoder.toEncodable(text), encodable, `${encoding} ${text}`);
    assert.equal(encoder.encode(text) !== undefined, isWhole, `${encoding} ${text}`);
  }
  assert.deepEqual(createTextEncoder('windows-1252').encode('€å'), Buffer.from([0x80, 0xe5]));
});
