// Describes the parameters and answers of the icon operations for OpenAPI. Path parameters are strings here: `rules/`
// validates them, so that the problem can describe each error in plain words.

import { Type } from 'typebox';
import { closedObject, int32 } from '../../http/schema-types.ts';

const image = {
  iconSet: Type.String({
    description: 'Name of the preferred set: `line` or `g`.',
    examples: ['line'],
  }),
  kid: Type.String({
    description:
      'KID of an icon, as in the `iconKid` of responses, or the name of an icon (not case-sensitive). The KID of an ' +
      'object of this tenant draws the icon `none`. At most 2048 characters.',
    examples: ['house~wifi_off~n5~tMTI'],
  }),
  format: Type.String({
    description:
      'File extension, not case-sensitive: `svg`, `png`, `jpg`, `jpeg`, `gif`, `bmp`, `tif`, `tiff`, `webp`, `ppm`, ' +
      '`tga` or `ico`. Any other value gives an SVG.',
    examples: ['svg'],
  }),
};
const size = {
  size: Type.String({
    description:
      'Width and height of a raster image in pixels: a whole number, clamped to 16 to 4096 (256 for `ico`). Ignored ' +
      'for SVG.',
    examples: ['64'],
  }),
};
const backColor = {
  backColor: Type.String({
    description:
      'Background of a raster image: 3 or 6 hex digits without `#`, a colour name, or `transparent`. Ignored for SVG.',
    examples: ['fff'],
  }),
};

export const IconParams = closedObject(image);
export const IconSizedParams = closedObject({ ...image, ...size });
export const IconWithBackgroundParams = closedObject({ ...image, ...backColor, ...size });

export const PresentationQuery = closedObject({
  iconKid: Type.String({ description: 'KID of an icon.', examples: ['house'] }),
  text: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: String.raw`^\P{Cc}*$`,
      description: 'Text on the icon; shown if the drawing has an area for text.',
      examples: ['12'],
    }),
  ),
  count: Type.Optional(
    Type.String({
      format: 'int64',
      pattern: '^-?(0|[1-9][0-9]{0,18})$',
      description: 'Number in the badge, a signed 64-bit integer; 0 and below show no badge.',
      examples: ['5'],
    }),
  ),
  color: Type.Optional(int32({ minimum: 0, maximum: 0xffffff, description: 'RGB in 24 bits.' })),
});

export const Presentation = closedObject({
  iconKid: Type.String({ description: 'KID of the icon with these values.', examples: ['house~n5~tMTI'] }),
});

export const CatalogParams = closedObject({
  iconSet: Type.String({ description: 'Name of the set: `line` or `g`.', examples: ['line'] }),
});

export const CatalogNames = Type.Array(Type.String(), {
  description: 'Names of icons, sorted.',
  examples: [['bank_building', 'calendar', 'house']],
});
