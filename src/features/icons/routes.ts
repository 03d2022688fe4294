// Icon images, the KIDs that describe them, and what each set has: for anyone who asks.

import { createHash } from 'node:crypto';
import type { TObject } from 'typebox';
import { defineImageOperation, definePublicOperation, type Operation } from '../../http/operation.ts';
import type { Representation } from '../../http/representation.ts';
import { createDayOfMonth } from './day-of-month.ts';
import { iconMediaTypes } from './rules/icon-formats.ts';
import { parseIconImageRequest, parseIconSet, type IconPathParameters } from './rules/icon-parameters.ts';
import { getIconPresentation } from './operations/get-icon-presentation.ts';
import { describeIconImage, type IconImage } from './operations/get-icon-from-set.ts';
import * as schemas from './schemas.ts';
import { iconSets, listIconsOfSet, type IconSet } from './icon-sets.ts';

export type IconsDependencies = {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Answers the picture of that key (one key a picture), drawing it where it is not kept. */
  readonly renderIcon: (key: string, picture: IconImage) => Representation | Promise<Representation>;
};

const commonIconOperation = {
  method: 'GET',
  documents: ['public'],
  group: 'Icons',
  validationProblem: 'invalid-icon-parameters',
  storageFree: true,
  deadlineMs: 10_000,
} as const;

const maxAgeSeconds = 600;

export function iconsRoutes({ clock, renderIcon }: IconsDependencies): Operation[] {
  const getDayOfMonth = createDayOfMonth(clock);
  const iconImageOperation = (declared: { id: string; path: string; summary: string; params: TObject }): Operation =>
    defineImageOperation({
      ...commonIconOperation,
      ...declared,
      description:
        'Drawings of both sets are searched, the chosen one first. A KID’s count stands in a red badge; its text where ' +
        'the drawing has a place for it; `calendar` always shows the day of the month in Europe/Copenhagen.',
      representationTypes: iconMediaTypes,
      problemCodes: ['icon-not-found', 'too-many-renders', 'icon-unavailable'],
      render: (params, { tenant }) => {
        const { key, picture } = describeIconImage(
          parseIconImageRequest(params as IconPathParameters, tenant.name),
          getDayOfMonth(),
        );
        return renderIcon(key, picture);
      },
    });
  return [
    presentationOperation(),
    catalogOperation(),
    iconImageOperation({
      id: 'GetIconFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}.{format}',
      summary: 'An icon; as a raster image, of 128 pixels',
      params: schemas.IconParams,
    }),
    iconImageOperation({
      id: 'GetIconImageFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}/{size}.{format}',
      summary: 'An icon; as a raster image, of a given size',
      params: schemas.IconSizedParams,
    }),
    iconImageOperation({
      id: 'GetIconImageWithBackgroundFromSet',
      path: '/api/v1/icon/{iconSet}/{kid}/{backColor}/{size}.{format}',
      summary: 'An icon; as a raster image, of a given size and on a background',
      params: schemas.IconWithBackgroundParams,
    }),
  ];
}

function presentationOperation(): Operation {
  return definePublicOperation({
    ...commonIconOperation,
    id: 'GetIconPresentation',
    path: '/api/v1/icon/presentation',
    summary: 'The KID of an icon with another text, count or colour',
    description: 'What is not given stays as it is in the KID. The answer is used unchanged in the paths of images.',
    query: schemas.PresentationQuery,
    response: schemas.Presentation,
    run: ({ query }) => ({ iconKid: getIconPresentation(query) }),
  });
}

function catalogOperation(): Operation {
  const catalogBySet = Object.fromEntries(iconSets.map((set) => [set, createCatalogRepresentation(set)])) as Record<
    IconSet,
    Representation
  >;
  return defineImageOperation({
    ...commonIconOperation,
    id: 'GetIconAssetCatalog',
    path: '/api/v1/icon/catalog/{iconSet}',
    summary: 'The names of the icons that a set has drawings of',
    description: 'A sorted array of names; not among them are icons that would be drawn from the other set.',
    params: schemas.CatalogParams,
    response: schemas.CatalogNames,
    representationTypes: ['application/json'],
    problemCodes: ['icon-not-found'],
    render: (params) => catalogBySet[parseIconSet(params.iconSet)],
  });
}

function createCatalogRepresentation(set: IconSet): Representation {
  const body = JSON.stringify(listIconsOfSet(set));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, mediaType: 'application/json; charset=utf-8', etag, maxAgeSeconds };
}
