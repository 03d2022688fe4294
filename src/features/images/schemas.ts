// The path segments of the pictures as the documents show them. What they may be is decided where they are read, so that
// a refusal can say it in words.

import { Type } from 'typebox';
import { closedObject } from '../../http/schema-types.ts';

const colorGrammar =
  '3 or 6 hex digits without `#`, a colour name of CSS, one of the portal (such as `Brand`, `Online`, `Warning`, ' +
  '`OutOfOrder`), or `transparent`; in any case';

const color = (what: string, example = 'Brand') =>
  Type.String({ description: `${what}: ${colorGrammar}.`, examples: [example] });

const colors = Type.String({
  description: `2 to 4 colours joined by hyphens, evenly spaced from the first to the last. Each: ${colorGrammar}.`,
  examples: ['Brand-BrandBright-Accent'],
});

const length = (what: string, example: string) =>
  Type.String({
    description: `${what}, in pixels: a whole number from 16 to 4096. Beyond that it is refused, not clamped.`,
    examples: [example],
  });

const size = { width: length('Width', '320'), height: length('Height', '180') };

const logoColor = { color: color('The colour of the logo') };
const logoWidth = { width: length('Width; the height follows by the proportions, and may be fractional', '256') };
const logoBackground = {
  background: color(
    'What is painted behind the logo, with some room on each side; `transparent` paints nothing',
    'FFF',
  ),
};

export const LogoParams = closedObject(logoColor);
export const LogoSizedParams = closedObject({ ...logoColor, ...logoWidth });
export const LogoWithBackgroundParams = closedObject({ ...logoColor, ...logoBackground, ...logoWidth });

const linear = {
  colors,
  angle: Type.String({
    description:
      'Degrees clockwise, in decimals with a dot, modulo 360. The first colour is on the left at 0, on top at 90, on ' +
      'the right at 180, at the bottom at 270.',
    examples: ['22.5'],
  }),
};
export const LinearGradientParams = closedObject(linear);
export const LinearGradientSizedParams = closedObject({ ...linear, ...size });

export const CircleGradientParams = closedObject({ colors });
export const CircleGradientSizedParams = closedObject({ colors, ...size });

const progress = {
  background: color('What is painted behind the marks', 'transparent'),
  colors,
  percent: Type.String({ description: 'How many of the 100 marks are drawn: a whole number.', examples: ['72'] }),
};
export const CircleProgressParams = closedObject(progress);
export const CircleProgressSizedParams = closedObject({ ...progress, ...size });

const running = { color: color('The one colour of the half ring') };
export const CircleRunningParams = closedObject(running);
export const CircleRunningSizedParams = closedObject({ ...running, ...size });
