// Draws the logos in one colour: the brand symbol, the brand name, and both side by side.

import { transparent, type Color } from '../../../lib/color.ts';
import { formatDocument, element, fragment, formatNumber } from '../../../lib/pages/svg.ts';
import { brandSymbol, brandWordmark } from '../assets/brand-paths.ts';
import { formatColorKey, formatFill } from './svg-colors.ts';
import { parseColorParameter, parseLengthParameter, throwIfInvalid, type ParameterErrors } from './image-parameters.ts';

export type LogoForm = keyof typeof logoForms;

type Logo = {
  readonly form: LogoForm;
  readonly color: Color;
  readonly background: Color;
  /** Pixels. Without it, the logo takes the size of its container. */
  readonly width?: number;
};

export type LogoParameters = { readonly color: string; readonly background?: string; readonly width?: string };

// The symbol and the letters share a baseline. The round O extends 1.5 units below it, as type designers draw it, so
// that it looks as tall as the other letters.
const scale = 60 / 590;
const baselineY = 16 - 1.5 * scale;
const brandLockup = fragment(
  element('g', { transform: `scale(${formatNumber(baselineY / 16, 5)})` }, brandSymbol),
  element(
    'g',
    { transform: `translate(20 ${formatNumber(16 - 111 * scale, 4)})scale(${formatNumber(scale, 6)})` },
    brandWordmark,
  ),
);

/** `backgroundMargin` is the margin on each side of a painted background, as a share of width and height. */
const logoForms = {
  brand: { width: 16, height: 16, backgroundMargin: 1 / 8, drawing: brandSymbol },
  'brand-text': { width: 590, height: 111, backgroundMargin: 1 / 4, drawing: brandWordmark },
  'brand-logo-text': { width: 80, height: 16, backgroundMargin: 3 / 16, drawing: brandLockup },
} as const;

/** The clear space on each side of a logo with a background, in percent of the width and height of the image. */
export function clearSpacePercentOf(form: LogoForm): number {
  const { backgroundMargin } = logoForms[form];
  return Math.round((1000 * backgroundMargin) / (1 + 2 * backgroundMargin)) / 10;
}

export function parseLogoParameters(form: LogoForm, texts: LogoParameters): Logo {
  const errors: ParameterErrors = [];
  const color = parseColorParameter(errors, 'color', texts.color);
  const background =
    texts.background === undefined ? transparent : parseColorParameter(errors, 'background', texts.background);
  const width = texts.width === undefined ? {} : { width: parseLengthParameter(errors, 'width', texts.width) };
  throwIfInvalid('invalid-logo-parameters', errors);
  return { form, color, background, ...width };
}

/** One key per image. */
export const formatLogoKey = ({ form, color, background, width }: Logo): string =>
  `${form}-${formatColorKey(color)}-${formatColorKey(background)}-${width ?? 'any'}`;

export function drawLogo({ form, color, background, width: pixels }: Logo): string {
  const { width, height, backgroundMargin, drawing } = logoForms[form];
  const margin = background.alpha === 0 ? 0 : backgroundMargin;
  const box = {
    x: -margin * width,
    y: -margin * height,
    width: width * (1 + 2 * margin),
    height: height * (1 + 2 * margin),
  };
  return formatDocument(
    element(
      'svg',
      {
        width: pixels,
        height: pixels === undefined ? undefined : (pixels * height) / width,
        viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
        preserveAspectRatio: 'xMidYMid meet',
      },
      ...(margin === 0 ? [] : [element('rect', { ...box, fill: formatFill(background) })]),
      element('g', { fill: formatFill(color) }, drawing),
    ),
  );
}
