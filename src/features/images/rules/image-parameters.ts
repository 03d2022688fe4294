// Parses the path parameters that several images share. A parse function adds an error and returns a default for an
// invalid parameter; `throwIfInvalid` then throws one problem that lists every error.

import { parseColor, transparent, type Color } from '../../../lib/color.ts';
import { Problem, type FieldError, type PlainProblemCode } from '../../../lib/problem.ts';

export type ParameterErrors = FieldError[];

const colorRequirement = '3 or 6 hex digits without #, a colour name, or transparent';

export function parseColorParameter(errors: ParameterErrors, name: string, text: string): Color {
  const color = parseColor(text);
  if (color === undefined) addParameterError(errors, name, `must be ${colorRequirement}`);
  return color ?? transparent;
}

/** Two to four colours, joined by hyphens. */
export function parseColorsParameter(errors: ParameterErrors, text: string): readonly Color[] {
  const texts = text.split('-', 5);
  const colors: Color[] = [];
  for (const each of texts) {
    const color = parseColor(each);
    if (color !== undefined) colors.push(color);
  }
  if (texts.length < 2 || texts.length > 4)
    addParameterError(errors, 'colors', 'must be 2 to 4 colours joined by hyphens');
  else if (colors.length < texts.length)
    addParameterError(errors, 'colors', `must be colours joined by hyphens, each ${colorRequirement}`);
  return colors;
}

/** Pixels, 16 to 4096, without a sign and leading zeros: one length has one spelling. */
export function parseLengthParameter(errors: ParameterErrors, name: string, text: string): number {
  const length = /^[1-9]\d{1,3}$/.test(text) ? Number(text) : 0;
  if (length < 16 || length > 4096) addParameterError(errors, name, 'must be a whole number from 16 to 4096');
  return length;
}

export type ImageSize = { readonly width: number; readonly height: number };
export type SizeParameters = { readonly width?: string; readonly height?: string };

const defaultLength = '200';

export const parseSizeParameters = (
  errors: ParameterErrors,
  { width = defaultLength, height = defaultLength }: SizeParameters,
): ImageSize => ({
  width: parseLengthParameter(errors, 'width', width),
  height: parseLengthParameter(errors, 'height', height),
});

export function addParameterError(errors: ParameterErrors, name: string, message: string): void {
  errors.push({ path: `path.${name}`, message });
}

export function throwIfInvalid(code: PlainProblemCode, errors: ParameterErrors): void {
  const [first] = errors;
  if (first !== undefined) throw new Problem(code, { detail: `${first.path} ${first.message}`, errors });
}
