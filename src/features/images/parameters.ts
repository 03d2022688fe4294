// The path segments that the families of pictures share. A reader notes what is wrong and answers a stand-in, so that
// one refusal names every wrong segment; nothing is drawn before `refuseWrong` has let it pass.

import { parseColor, transparent, type Color } from '../../lib/color.ts';
import { Problem, type FieldError, type ProblemCode } from '../../lib/problem.ts';

export type Wrong = FieldError[];

const aColor = '3 or 6 hex digits without #, a colour name, or transparent';

export function readColor(wrong: Wrong, name: string, text: string): Color {
  const color = parseColor(text);
  if (color === undefined) note(wrong, name, `must be ${aColor}`);
  return color ?? transparent;
}

/** Two to four colours, joined by hyphens. */
export function readColors(wrong: Wrong, text: string): readonly Color[] {
  const texts = text.split('-', 5);
  const colors: Color[] = [];
  for (const each of texts) {
    const color = parseColor(each);
    if (color !== undefined) colors.push(color);
  }
  if (texts.length < 2 || texts.length > 4) note(wrong, 'colors', 'must be 2 to 4 colours joined by hyphens');
  else if (colors.length < texts.length) note(wrong, 'colors', `must be colours joined by hyphens, each ${aColor}`);
  return colors;
}

/** Pixels, 16 to 4096, in the one spelling that a whole number has. */
export function readLength(wrong: Wrong, name: string, text: string): number {
  const length = /^[1-9]\d{1,3}$/.test(text) ? Number(text) : 0;
  if (length < 16 || length > 4096) note(wrong, name, 'must be a whole number from 16 to 4096');
  return length;
}

export type Size = { readonly width: number; readonly height: number };
export type SizeTexts = { readonly width?: string; readonly height?: string };

const defaultLength = '200';

export function readSize(wrong: Wrong, { width = defaultLength, height = defaultLength }: SizeTexts): Size {
  return { width: readLength(wrong, 'width', width), height: readLength(wrong, 'height', height) };
}

export function note(wrong: Wrong, name: string, message: string): void {
  wrong.push({ path: `path.${name}`, message });
}

export function refuseWrong(code: ProblemCode, wrong: Wrong): void {
  const [first] = wrong;
  if (first !== undefined) throw new Problem(code, { detail: `${first.path} ${first.message}`, errors: wrong });
}
