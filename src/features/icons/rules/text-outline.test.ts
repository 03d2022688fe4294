// Checks outlines of texts: any text is laid out inside its box.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { boundingBoxOfPath } from '../../../../test/support/path-bounds.ts';
import { capHeight } from '../assets/glyphs.ts';
import type { Box } from './icon-layout.ts';
import { fitOutline, isVisibleText, layOutText } from './text-outline.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const pathOf = (text: string): string => layOutText(text)?.path ?? '';
const missing = pathOf('😀');

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.array(fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }), { maxLength: 128 }).map((all) => all.join('')),
  fc.string({ minLength: 1, maxLength: 128 }),
  fc.constantFrom('é', '12', 'Ærøskøbing', 'Ωμέγα', 'Жук', 'שלום', 'مرحبا', 'हिन्दी', '日本', '👩‍👩‍👧', 'ạ̈̃', 'Việt', '🇩🇰'),
);

test('letters and digits of the Latin, Greek and Cyrillic scripts have their own outlines', () => {
  const digits = '0123456789'.split('').map(pathOf);
  assert.equal(new Set(digits).size, 10);
  for (const character of 'AaZzÆæØøÅåÄäÖöÜüßÞþÐðŁłŞşẞỆệ€%°/+-–.,:;!?()&@#ΑαΩωάΐЖжЯяЇїЁё')
    assert.ok(pathOf(character) !== '' && pathOf(character) !== missing, character);
});

test('characters that the font lacks are boxes: emoji, and scripts that need shaping', () => {
  for (const character of ['😀', 'ש', 'م', 'ह', '日', '\u{10ffff}', '\ue000', '🏳'])
    assert.equal(pathOf(character), missing);
  assert.equal(pathOf('日本').match(/M/g)?.length, 2);
});

test('marks, joiners and selectors without a glyph are not drawn and cause no errors', () => {
  assert.equal(pathOf('e\u0301'), pathOf('é'), 'a composed letter');
  assert.equal(pathOf('😀\ufe0f'), missing);
  assert.equal(pathOf('\u200d\u2060\ufe0f'), '');
  assert.equal(pathOf('a\u20dd'), pathOf('a'), 'an enclosing circle');
  for (const text of ['', ' ', '\u00a0\u2003', '\u200b', '\ufeff']) {
    assert.equal(layOutText(text), undefined);
    assert.ok(!isVisibleText(text));
  }
});

test('spaces separate words', () => {
  const width = (text: string): number => layOutText(text)!.right - layOutText(text)!.left;
  assert.ok(width('A B') > width('AB'));
  assert.ok(width('A\u3000B') > width('AB'), 'a space that the font lacks');
  assert.equal(width(' AB '), width('AB'));
});

test('the box of an outline is the box of its path, and at least as high as a capital', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const outline = layOutText(text);
      assert.equal(outline !== undefined, isVisibleText(text));
      if (outline === undefined) return;
      const { left, top, right, bottom } = boundingBoxOfPath(outline.path);
      const box = { left, top: Math.min(top, -capHeight), right, bottom: Math.max(bottom, 0) };
      assert.deepEqual({ ...outline, path: '' }, { path: '', ...box });
    }),
    { numRuns: 500 },
  );
});

test('[icons.18] any text is scaled evenly and centred in its box, and touches two of its sides', () => {
  const sides = fc.double({ min: 1, max: 20, noNaN: true });
  const boxes: fc.Arbitrary<Box> = fc.tuple(sides, sides, sides, sides);
  fc.assert(
    fc.property(texts, boxes, (text, box) => {
      const outline = layOutText(text);
      if (outline === undefined) return;
      const { scale, x, y } = fitOutline(outline, box);
      const left = x + scale * outline.left - box[0];
      const right = box[0] + box[2] - (x + scale * outline.right);
      const top = y + scale * outline.top - box[1];
      const bottom = box[1] + box[3] - (y + scale * outline.bottom);
      for (const room of [left, right, top, bottom]) assert.ok(room >= -1e-9);
      assert.ok(Math.abs(left - right) < 1e-9 && Math.abs(top - bottom) < 1e-9);
      assert.ok(Math.min(left, top) < 1e-9);
    }),
    { numRuns: 500 },
  );
});
