// The path segments that the families of pictures share. A reader notes what is wrong and answers a stand-in, so that
// one refusal names every wrong segment; nothing is drawn before `refuseWrong` has let it pass.

import { parseColor, transparent, type Color } from '../../../lib/color.ts';
import { Problem, type FieldError, type ProblemCode } from '../../../lib/problem.ts';

export type ParameterErrors = FieldError[];

const colorRequirement = '3 or 6 hex digits without #, a colour name, or transparent';

export function parseColorParameter(wrong: ParameterErrors, name: string, text: string): Color {
  const color = parseColor(text);
  if (color === undefined) addParameterError(wrong, name, `must be ${colorRequirement}`);
  return color ?? transparent;
}

/** Two to four colours, joined by hyphens. */
export function parseColorsParameter(wrong: ParameterErrors, text: string): readonly Color[] {
  const texts = text.split('-', 5);
  const colors: Color[] = [];
  for (const each of texts) {
    const color = parseColor(each);
    if (color !== undefined) colors.push(color);
  }
  if (texts.length < 2 || texts.length > 4)
    addParameterError(wrong, 'colors', 'must be 2 to 4 colours joined by hyphens');
  else if (colors.length < texts.length)
    addParameterError(wrong, 'colors', `must be colours joined by hyphens, each ${colorRequirement}`);
  return colors;
}

/** Pixels, 16 to 4096, in the one spelling that a whole number has. */
export function parseLengthParameter(wrong: ParameterErrors, name: string, text: string): number {
  const length = /^[1-9]\d{1,3}$/.test(text) ? Number(text) : 0;
  if (length < 16 || length > 4096) addParameterError(wrong, name, 'must be a whole number from 16 to 4096');
  return length;
}

export type ImageSize = { readonly width: number; readonly height: number };
export type SizeParameters = { readonly width?: string; readonly height?: string };

const defaultLength = '200';

export function parseSizeParameters(
  wrong: ParameterErrors,
  { width = defaultLength, height = defaultLength }: SizeParameters,
): ImageSize {
  return { width: parseLengthParameter(wrong, 'width', width), height: parseLengthParameter(wrong, 'height', height) };
}

export function addParameterError(wrong: ParameterErrors, name: string, message: string): void {
  wrong.push({ path: `path.${name}`, message });
}

export function throwIfInvalid(code: ProblemCode, wrong: ParameterErrors): void {
  const [first] = wrong;
  if (first !== undefined) throw new Problem(code, { detail: `${first.path} ${first.message}`, errors: wrong });
}
