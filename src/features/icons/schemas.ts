// Shapes of the icon operations on the wire. What a path segment may be is decided where it is read, so that a refusal
// can say it in words.

import { Type } from 'typebox';
import { closedObject, int32 } from '../../http/schema-types.ts';

const image = {
  iconSet: Type.String({
    description: 'Name of the set whose drawings are taken first: `line` or `g`.',
    examples: ['line'],
  }),
  kid: Type.String({
    description:
      'KID of an icon, as answers carry it in `iconKid`, or an icon’s name in any case. The KID of an object of this ' +
      'tenant draws the icon `none`. At most 2048 characters.',
    examples: ['house~wifi_off~n5~tMTI'],
  }),
  format: Type.String({
    description:
      'Ending of the file, in any case: `svg`, `png`, `jpg`, `jpeg`, `gif`, `bmp`, `tif`, `tiff`, `webp`, `ppm`, ' +
      '`tga` or `ico`. Any other is answered as SVG.',
    examples: ['svg'],
  }),
};
const size = {
  size: Type.String({
    description:
      'Width and height of a raster image in pixels: a whole number, clamped to 16 to 4096 (256 for `ico`). An SVG ' +
      'has no size of its own.',
    examples: ['64'],
  }),
};
const backColor = {
  backColor: Type.String({
    description:
      'Background of a raster image: 3 or 6 hex digits without `#`, a colour name, or `transparent`. An SVG has none.',
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
      description: 'Text on the icon; drawn where its drawing has a place for text.',
      examples: ['12'],
    }),
  ),
  count: Type.Optional(
    Type.String({
      format: 'int64',
      pattern: '^-?(0|[1-9][0-9]{0,18})$',
      description: 'Number in the badge, a signed 64-bit integer; 0 and below show none.',
      examples: ['5'],
    }),
  ),
  color: Type.Optional(int32({ minimum: 0, maximum: 0xffffff, description: 'RGB in 24 bits.' })),
});

export const Presentation = closedObject({
  iconKid: Type.String({ description: 'KID of the icon that shows them.', examples: ['house~n5~tMTI'] }),
});

export const CatalogParams = closedObject({
  iconSet: Type.String({ description: 'Name of the set: `line` or `g`.', examples: ['line'] }),
});

export const CatalogNames = Type.Array(Type.String(), {
  description: 'Names of icons, in ordinal order.',
  examples: [['bank_building', 'calendar', 'house']],
});
