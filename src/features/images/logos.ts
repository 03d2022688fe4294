// The brand: a symbol, an archway with a door in it, and the name. Each is a path drawn on a grid of its own, in one
// colour; the letters' counters are archways, too.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transparent, type Color } from '../../lib/color.ts';
import { document, element, fragment, spelled, type Svg } from '../../lib/svg.ts';
import { colorName, fillOf } from './paint.ts';
import { readColor, readLength, refuseWrong, type Wrong } from './parameters.ts';

export type LogoForm = keyof typeof forms;

export type Logo = {
  readonly form: LogoForm;
  readonly color: Color;
  readonly background: Color;
  /** Pixels; without it the logo takes the size of its place. */
  readonly width?: number;
};

export type LogoTexts = { readonly color: string; readonly background?: string; readonly width?: string };

const symbol = brandPath('symbol');
const wordmark = brandPath('wordmark');

// Arch and letters stand on one ground, below which the round O reaches as it does above the other letters.
const scale = 60 / 590;
const ground = 16 - 1.5 * scale;
const lockup = fragment(
  element('g', { transform: `scale(${spelled(ground / 16, 5)})` }, symbol),
  element('g', { transform: `translate(20 ${spelled(16 - 111 * scale, 4)})scale(${spelled(scale, 6)})` }, wordmark),
);

/** `room` is what a painted background leaves on each side, as a share of width and height: letters need more of it. */
const forms = {
  brand: { width: 16, height: 16, room: 1 / 8, drawing: symbol },
  'brand-text': { width: 590, height: 111, room: 1 / 4, drawing: wordmark },
  'brand-logo-text': { width: 80, height: 16, room: 3 / 16, drawing: lockup },
} as const;

export function readLogo(form: LogoForm, texts: LogoTexts): Logo {
  const wrong: Wrong = [];
  const color = readColor(wrong, 'color', texts.color);
  const background = texts.background === undefined ? transparent : readColor(wrong, 'background', texts.background);
  const width = texts.width === undefined ? {} : { width: readLength(wrong, 'width', texts.width) };
  refuseWrong('invalid-logo-parameters', wrong);
  return { form, color, background, ...width };
}

/** One name a picture. */
export function logoName({ form, color, background, width }: Logo): string {
  return `${form}-${colorName(color)}-${colorName(background)}-${width ?? 'any'}`;
}

export function drawLogo({ form, color, background, width: pixels }: Logo): string {
  const { width, height, room: clearSpace, drawing } = forms[form];
  const room = background.alpha === 0 ? 0 : clearSpace;
  const box = { x: -room * width, y: -room * height, width: width * (1 + 2 * room), height: height * (1 + 2 * room) };
  return document(
    element(
      'svg',
      {
        width: pixels,
        height: pixels === undefined ? undefined : (pixels * height) / width,
        viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
        preserveAspectRatio: 'xMidYMid meet',
      },
      ...(room === 0 ? [] : [element('rect', { ...box, fill: fillOf(background) })]),
      element('g', { fill: fillOf(color) }, drawing),
    ),
  );
}

/** The drawing of a file in assets/brand, whose own size is that of its form above. */
function brandPath(name: string): Svg {
  const file = readFileSync(join(import.meta.dirname, '../../../assets/brand', `${name}.svg`), 'utf8');
  const paths = [...file.matchAll(/ d="([^"]+)"/g)].map(([, d = '']) => d);
  return element('path', { d: paths.join('') });
}
