// Describes the parameters and answers of the icon operations for OpenAPI. The path parameters are documented here but
// validated in `rules/`, so that the problem can describe each error in plain words.

import { Type } from 'typebox';
import {
  documentedAs,
  documentedAsKeyword,
  namedEnum,
  namedObject,
  nameKeyword,
  useOf,
} from '../../http/schemas/named-schemas.ts';
import { closedObject, int32, int64 } from '../../http/schemas/schema-types.ts';
import { colorSchema } from '../images/schemas.ts';
import { iconSets } from './assets/icon-sets.ts';
import { iconExtensions } from './rules/icon-formats.ts';

const IconSet = namedEnum('IconSet', iconSets, 'Name of a set of icons.');

const IconFormat = namedEnum(
  'IconFormat',
  iconExtensions,
  'File extension, not case-sensitive. Any other value gives an SVG.',
);

const image = {
  iconSet: documentedAs(useOf(IconSet, { description: 'Name of the preferred set.', examples: ['line'] })),
  kid: documentedAs(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^[A-Za-z0-9_~-]+$',
      description:
        'KID of an icon, as in the `iconKid` of responses, or the name of an icon (not case-sensitive). The KID of an ' +
        'object of this tenant draws the icon `none`.',
      examples: ['house~wifi_off~n5~tMTI'],
    }),
  ),
  format: documentedAs(useOf(IconFormat, { examples: ['svg'] })),
};
const size = {
  size: documentedAs(
    int32({
      minimum: 16,
      maximum: 4096,
      description:
        'Width and height of a raster image in pixels; other values are clamped to 16 to 4096 (256 for `ico`). Ignored for SVG.',
      examples: [64],
    }),
  ),
};
const backColor = { backColor: documentedAs(colorSchema('Background of a raster image, ignored for SVG', 'fff')) };

export const IconParams = closedObject(image);
export const IconSizedParams = closedObject({ ...image, ...size });
export const IconWithBackgroundParams = closedObject({ ...image, ...backColor, ...size });

export const IconPresentationQuery = closedObject({
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
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^-?(0|[1-9][0-9]{0,18})$',
      [documentedAsKeyword]: int64('Number in the badge; 0 and below show no badge.'),
    }),
  ),
  color: Type.Optional(int32({ minimum: 0, maximum: 0xffffff, description: 'RGB in 24 bits.' })),
});

export const IconPresentation = namedObject('IconPresentation', {
  iconKid: Type.String({ description: 'KID of the icon with these values.', examples: ['house~n5~tMTI'] }),
});

export const IconCatalogParams = closedObject({ iconSet: documentedAs(useOf(IconSet, { examples: ['line'] })) });

export const IconNames = Type.Array(Type.String(), {
  [nameKeyword]: 'IconNames',
  description: 'Names of icons, sorted.',
  examples: [['bank_building', 'calendar', 'house']],
});
