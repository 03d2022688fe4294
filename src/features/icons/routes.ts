// Icon images, the KIDs that describe them, and what each set has: for anyone who asks.

import { createHash } from 'node:crypto';
import type { TObject } from 'typebox';
import { pictureOperation, publicOperation, type Operation } from '../../http/operation.ts';
import type { Representation } from '../../http/representation.ts';
import { dayOfMonth } from './day.ts';
import { iconMediaTypes } from './formats.ts';
import { readIconRequest, readSet, type IconTexts } from './parameters.ts';
import { presented } from './presentation.ts';
import { described, type IconPicture } from './requested.ts';
import * as schemas from './schemas.ts';
import { iconSets, namesIn, type IconSet } from './sets.ts';

export type IconsParts = {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Answers the picture of that key (one key a picture), drawing it where it is not kept. */
  readonly render: (key: string, picture: IconPicture) => Representation | Promise<Representation>;
};

const common = {
  method: 'GET',
  documents: ['public'],
  group: 'Icons',
  invalid: 'invalid-icon-parameters',
  storageFree: true,
  deadlineMs: 10_000,
} as const;

const maxAgeSeconds = 600;

export function iconsRoutes({ clock, render }: IconsParts): Operation[] {
  const today = dayOfMonth(clock);
  const image = (declared: { id: string; path: string; summary: string; params: TObject }): Operation =>
    pictureOperation({
      ...common,
      ...declared,
      description:
        'Drawings of both sets are searched, the chosen one first. A KID’s count stands in a red badge; its text where ' +
        'the drawing has a place for it; `calendar` always shows the day of the month in Europe/Copenhagen.',
      media: iconMediaTypes,
      problems: ['icon-not-found', 'too-many-renders', 'icon-unavailable'],
      draw: (params, { tenant }) => {
        const { key, picture } = described(readIconRequest(params as IconTexts, tenant.name), today());
        return render(key, picture);
      },
    });
  return [
    presentation(),
    catalog(),
    image({
      id: 'GetIconFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}.{format}',
      summary: 'An icon; as a raster image, of 128 pixels',
      params: schemas.IconParams,
    }),
    image({
      id: 'GetIconImageFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}/{size}.{format}',
      summary: 'An icon; as a raster image, of a given size',
      params: schemas.IconSizedParams,
    }),
    image({
      id: 'GetIconImageWithBackgroundFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}/{backColor}/{size}.{format}',
      summary: 'An icon; as a raster image, of a given size and on a background',
      params: schemas.IconWithBackgroundParams,
    }),
  ];
}

function presentation(): Operation {
  return publicOperation({
    ...common,
    id: 'GetIconPresentation',
    path: '/api/v1/icon/presentation',
    summary: 'The KID of an icon with another text, count or colour',
    description: 'What is not given stays as it is in the KID. The answer is used unchanged in the paths of images.',
    query: schemas.PresentationQuery,
    answer: schemas.Presentation,
    run: ({ query }) => ({ iconKid: presented(query) }),
  });
}

function catalog(): Operation {
  const lists = Object.fromEntries(iconSets.map((set) => [set, listOf(set)])) as Record<IconSet, Representation>;
  return pictureOperation({
    ...common,
    id: 'GetIconAssetCatalog',
    path: '/api/v1/icon/catalog/{iconSet}',
    summary: 'The names of the icons that a set has drawings of',
    description: 'A sorted array of names; not among them are icons that would be drawn from the other set.',
    params: schemas.CatalogParams,
    answer: schemas.CatalogNames,
    media: ['application/json'],
    problems: ['icon-not-found'],
    draw: (params) => lists[readSet(params.iconSet)],
  });
}

function listOf(set: IconSet): Representation {
  const body = JSON.stringify(namesIn(set));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, type: 'application/json; charset=utf-8', etag, maxAgeSeconds };
}
