// Describes the path parameters of the images for OpenAPI. They are documented here but validated in `rules/`, so that
// the problem can describe each error in plain words.

import { Type } from 'typebox';
import { documentedAs } from '../../http/schemas/named-schemas.ts';
import { closedObject } from '../../http/schemas/schema-types.ts';

const colorGrammar =
  '3 or 6 hex digits without `#`, a CSS colour name, a portal colour name (such as `Brand`, `Online`, `Warning`, ' +
  '`OutOfOrder`), or `transparent`; not case-sensitive';

/** `LightGoldenrodYellow` is the longest name of a colour. */
const maxColorLength = 20;
const colorPattern = `[0-9A-Za-z]{3,${maxColorLength}}`;

export const colorSchema = (subject: string, example: string) =>
  Type.String({
    description: `${subject}: ${colorGrammar}.`,
    minLength: 3,
    maxLength: maxColorLength,
    pattern: `^${colorPattern}$`,
    examples: [example],
  });

const color = (subject: string, example = 'Brand') => documentedAs(colorSchema(subject, example));

const colors = documentedAs(
  Type.String({
    description: `2 to 4 colours joined by hyphens, evenly spaced from the first to the last. Each: ${colorGrammar}.`,
    minLength: 2 * 3 + 1,
    maxLength: 4 * maxColorLength + 3,
    pattern: `^${colorPattern}(?:-${colorPattern}){1,3}$`,
    examples: ['Brand-BrandBright-Accent'],
  }),
);

const length = (subject: string, example: number) =>
  documentedAs(
    Type.Integer({
      minimum: 16,
      maximum: 4096,
      description: `${subject}, in pixels. Other values are rejected, not clamped.`,
      examples: [example],
    }),
  );

const size = { width: length('Width', 320), height: length('Height', 180) };

const logoColor = { color: color('Colour of the logo') };
const logoWidth = { width: length('Width (the height follows from the aspect ratio, and may be fractional)', 256) };
const logoBackground = {
  background: color('Background colour, with a margin on each side; `transparent` for none', 'FFF'),
};

export const LogoParams = closedObject(logoColor);
export const LogoSizedParams = closedObject({ ...logoColor, ...logoWidth });
export const LogoWithBackgroundParams = closedObject({ ...logoColor, ...logoBackground, ...logoWidth });

const linear = {
  colors,
  angle: documentedAs(
    Type.Number({
      description:
        'Degrees clockwise, with a dot as decimal separator, modulo 360. The first colour is on the left at 0, at the ' +
        'top at 90, on the right at 180, at the bottom at 270.',
      examples: [22.5],
    }),
  ),
};
export const LinearGradientParams = closedObject(linear);
export const LinearGradientSizedParams = closedObject({ ...linear, ...size });

export const CircleGradientParams = closedObject({ colors });
export const CircleGradientSizedParams = closedObject({ colors, ...size });

const progress = {
  background: color('Background colour', 'transparent'),
  colors,
  percent: documentedAs(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Number of marks to draw.', examples: [72] }),
  ),
};
export const CircleProgressParams = closedObject(progress);
export const CircleProgressSizedParams = closedObject({ ...progress, ...size });

const running = { color: color('Colour of the half ring') };
export const CircleRunningParams = closedObject(running);
export const CircleRunningSizedParams = closedObject({ ...running, ...size });
