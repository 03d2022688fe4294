// Writes assets/icons/glyphs.json (`node scripts/glyphs.ts`): the letters, digits and signs that icons show, as
// outlines from the packaged font. With the outlines a picture shows the same text on a machine without fonts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Command = { type: 'M' | 'L' | 'Q' | 'C' | 'Z'; x?: number; y?: number; x1?: number; y1?: number };
type Glyph = { advanceWidth: number; path: { commands: readonly Command[] } };
type Font = {
  unitsPerEm: number;
  glyphs: { get(index: number): Glyph };
  tables: { os2: { sCapHeight: number }; cmap: { glyphIndexMap: Readonly<Record<string, number>> } };
};
type Point = { x: number; y: number };

// The package has no types of its own.
const { parse } = createRequire(import.meta.url)('opentype.js') as { parse(file: ArrayBufferLike): Font };

const root = join(import.meta.dirname, '..');
const font = 'node_modules/@fontsource/noto-sans';
const weight = 600;
// Scripts that need no shaping; others (Devanagari, Arabic) would.
const subsets = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];

/** Every file that this script writes, by its path from the root. */
export function glyphFiles(): Record<string, string> {
  return {
    'assets/icons/glyphs.json': renderGlyphFile(),
    'assets/icons/LICENSE-noto-sans': readFileSync(join(root, font, 'LICENSE'), 'utf8'),
  };
}

function renderGlyphFile(): string {
  const fonts = subsets.map((subset) => readFont(`${font}/files/noto-sans-${subset}-${weight}-normal.woff`));
  const found = new Map<number, string>();
  for (const { glyphs: all, tables } of fonts) {
    for (const [code, index] of Object.entries(tables.cmap.glyphIndexMap)) {
      const character = String.fromCodePoint(Number(code));
      // Control and format characters have no picture, whatever the font draws for them.
      if (/\p{C}/u.test(character) || found.has(Number(code))) continue;
      found.set(Number(code), glyphRecord(all.get(index)));
    }
  }
  const [first] = fonts as [Font];
  const lines = [...found].toSorted(([a], [b]) => a - b).map(([code, record]) => `"${code.toString(16)}":${record}`);
  const head = `"unitsPerEm":${first.unitsPerEm},"capHeight":${first.tables.os2.sCapHeight}`;
  return `{${head},"missing":${glyphRecord(first.glyphs.get(0))},"glyphs":{\n${lines.join(',\n')}\n}}\n`;
}

function readFont(path: string): Font {
  const file = readFileSync(join(root, path));
  return parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
}

/**
 * A glyph is [advance], or if the glyph has ink [advance, left, top, right, bottom, x, y, path]: the box, the start of
 * the outline, and all that follows, relative to the start. Units are the units of the font, from the baseline,
 * downwards as in SVG.
 */
function glyphRecord({ advanceWidth, path }: Glyph): string {
  const [start] = path.commands;
  if (start === undefined) return JSON.stringify([advanceWidth]);
  const at = pointOf(start);
  return JSON.stringify([advanceWidth, ...boundingBoxOf(path.commands), at.x, at.y, relativePath(path.commands)]);
}

function pointOf({ x = 0, y = 0 }: { x?: number | undefined; y?: number | undefined }): Point {
  return { x: Math.round(x), y: 0 - Math.round(y) };
}

/** The box of all points. Control points are in it, so it may be a little larger than the ink, and never smaller. */
function boundingBoxOf(commands: readonly Command[]): [left: number, top: number, right: number, bottom: number] {
  const points = commands.flatMap((command) => (command.type === 'Z' ? [] : pointsOf(command)));
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function pointsOf({ type, x, y, x1, y1 }: Command): Point[] {
  if (type === 'C') throw new Error('the outlines of this font were quadratic');
  return type === 'Q' ? [pointOf({ x: x1, y: y1 }), pointOf({ x, y })] : [pointOf({ x, y })];
}

/** The part after the first moveto. A closed contour leaves the pen where it began. */
function relativePath(commands: readonly Command[]): string {
  let text = '';
  let pen: Point = { x: 0, y: 0 };
  let began = pen;
  let letter = 'm';
  for (const [index, command] of commands.entries()) {
    if (command.type === 'Z') {
      text += 'z';
      letter = 'z';
      pen = began;
      continue;
    }
    const points = pointsOf(command);
    const end = points.at(-1)!;
    // Leave out lines of no length, and the line that closing a contour draws anyway.
    const closes = commands[index + 1]?.type === 'Z' && same(end, began);
    if (command.type === 'L' && (closes || same(end, pen))) continue;
    if (index > 0) {
      const { name, numbers } = relativeTo(pen, command, points);
      text += name === letter ? spaced(text, numbers) : name + spaced('', numbers);
      letter = name;
    }
    pen = end;
    if (command.type === 'M') began = end;
  }
  return text;
}

function relativeTo(pen: Point, { type }: Command, points: readonly Point[]): { name: string; numbers: number[] } {
  const numbers = points.flatMap(({ x, y }) => [x - pen.x, y - pen.y]);
  const [dx = 0, dy = 0] = numbers;
  if (type === 'L' && dy === 0) return { name: 'h', numbers: [dx] };
  if (type === 'L' && dx === 0) return { name: 'v', numbers: [dy] };
  return { name: type.toLowerCase(), numbers };
}

const same = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

/** Joins numbers, with a space only where no sign separates them. */
function spaced(before: string, numbers: readonly number[]): string {
  let text = '';
  for (const number of numbers) {
    const needsSpace = number >= 0 && /\d$/.test(before + text);
    text += `${needsSpace ? ' ' : ''}${number}`;
  }
  return text;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(glyphFiles())) writeFileSync(join(root, path), text);
}
