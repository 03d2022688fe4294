// Checks the packaged assets: they are up to date, and catalogue, sets and licences are consistent.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { glyphFiles } from '../../../../scripts/glyphs.ts';
import { iconFiles } from '../../../../scripts/icons.ts';
import { icons } from './icon-catalogue.ts';
import { findDrawing, iconSets, isIconSet, listIconsOfSet } from './icon-sets.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');

test('the assets are what the generators create from the present packages (node scripts/icons.ts, scripts/glyphs.ts)', () => {
  for (const [path, text] of Object.entries({ ...iconFiles(), ...glyphFiles() }))
    assert.ok(read(path) === text.replaceAll('\r\n', '\n'), `${path} is out of date`);
});

test('each set has the icons that the catalogue lists, in order', () => {
  const catalogue = JSON.parse(read('assets/icons/catalogue.json')) as ({ name: string } & Record<string, string>)[];
  for (const set of iconSets) {
    const expected = catalogue.filter((icon) => icon[set] !== undefined).map(({ name }) => name);
    assert.deepEqual(listIconsOfSet(set), expected.toSorted());
  }
});

test('every icon has a drawing, except the retired ones', () => {
  for (const { name, retired } of icons)
    for (const set of iconSets) assert.equal(findDrawing(set, name) === undefined, retired === true, name);
});

test('[icons.04] an icon that the chosen set lacks is drawn from the other', () => {
  assert.deepEqual(iconSets, iconSets.toSorted());
  for (const [chosen, other] of [
    ['line', 'g'],
    ['g', 'line'],
  ] as const) {
    const lacking = listIconsOfSet(other).filter((name) => !listIconsOfSet(chosen).includes(name));
    assert.ok(lacking.length >= 3, `${chosen} lacks only ${lacking.join(', ')}`);
    for (const name of lacking) assert.equal(findDrawing(chosen, name)?.set, other);
    for (const name of listIconsOfSet(chosen)) assert.equal(findDrawing(chosen, name)?.set, chosen);
  }
  assert.equal(findDrawing('line', 'unknown'), undefined);
});

test('both sets have a placeholder, a house and a calendar of their own, and the latter two take text', () => {
  for (const set of iconSets) {
    for (const name of ['none', 'house', 'calendar']) assert.equal(findDrawing(set, name)?.set, set);
    for (const name of ['house', 'calendar']) assert.ok(findDrawing(set, name)?.drawing.textArea);
    assert.equal(findDrawing(set, 'none')?.drawing.textArea, undefined);
  }
});

test('the same icons have text boxes in both sets, within their drawings', () => {
  const labelled = iconSets.map((set) =>
    listIconsOfSet(set).filter((name) => findDrawing(set, name)?.drawing.textArea),
  );
  assert.deepEqual(labelled[0], labelled[1]);
  assert.ok(labelled[0]!.length >= 5);
  for (const set of iconSets)
    for (const name of labelled[0]!) {
      const [x, y, width, height] = findDrawing(set, name)!.drawing.textArea!.box;
      assert.ok(x >= 2 && y >= 2 && width >= 6 && height >= 6 && x + width <= 22 && y + height <= 22, `${set} ${name}`);
    }
});

test('only the names of sets are accepted', () => {
  for (const set of iconSets) assert.ok(isIconSet(set));
  for (const text of ['', 'G', 'Line', 'lines', 'constructor', '0']) assert.ok(!isIconSet(text));
});

test('the licence of each origin is packaged with its assets', () => {
  const licences = {
    tabler: ['MIT License', 'Permission is hereby granted', 'Copyright (c)'],
    'material-symbols': ['Apache License', 'Version 2.0, January 2004', '9. Accepting Warranty'],
    'noto-sans': ['SIL OPEN FONT LICENSE Version 1.1', 'Copyright'],
  };
  for (const [origin, phrases] of Object.entries(licences)) {
    const text = read(`assets/icons/LICENSE-${origin}`);
    for (const phrase of phrases) assert.ok(text.includes(phrase), `${origin}: ${phrase}`);
  }
});
