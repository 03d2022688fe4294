// Declares the public icon operations: icon images, icon KIDs and the names of the icons in a set.

import type { TObject } from 'typebox';
import { defineImageOperation, definePublicOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf, representation } from '../../http/operations/response.ts';
import { createDayOfMonth, dayOfMonthAt } from './rules/day-of-month.ts';
import { getIconAssetCatalog } from './operations/get-icon-asset-catalog.ts';
import { getIconFromSet, type GetIconFromSetDependencies } from './operations/get-icon-from-set.ts';
import { getIconPresentation } from './operations/get-icon-presentation.ts';
import { iconMediaTypes } from './rules/icon-formats.ts';
import type { IconPathParameters } from './rules/icon-parameters.ts';
import * as schemas from './schemas.ts';

type IconsDependencies = Pick<GetIconFromSetDependencies, 'renderIcon'> & {
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

const commonIconOperation = {
  method: 'GET',
  openApiDocuments: ['public'],
  group: 'Icons',
  validationProblem: 'invalid-icon-parameters',
  storageFree: true,
  deadlineMs: 10_000,
} as const;

export const iconsRoutes = ({ clock, renderIcon }: IconsDependencies): Operation[] => [
  definePublicOperation({
    ...commonIconOperation,
    id: 'GetIconPresentation',
    path: '/api/v1/icon/presentation',
    summary: 'The KID of an icon with a different text, count or colour',
    description:
      'Parameters that are left out keep their value in the KID. The text of `calendar` is always the current day of the ' +
      'month in Europe/Copenhagen. Use the returned KID unchanged in image paths.',
    query: schemas.IconPresentationQuery,
    response: jsonOf(schemas.IconPresentation),
    run: ({ query }, { now }) => ({ iconKid: getIconPresentation(query, dayOfMonthAt(now)) }),
  }),
  defineImageOperation({
    ...commonIconOperation,
    id: 'GetIconAssetCatalog',
    path: '/api/v1/icon/catalog/{iconSet}',
    summary: 'The names of the icons in a set',
    description: 'The names are sorted. Icons that exist only in the other set are not included.',
    params: schemas.IconCatalogParams,
    response: representation(['application/json'], { schema: schemas.IconNames }),
    problemCodes: ['icon-not-found'],
    render: (params) => getIconAssetCatalog(params),
  }),
  ...iconImageOperations({ getDayOfMonth: createDayOfMonth(clock), renderIcon }),
];

const iconImages: readonly { id: string; path: string; summary: string; params: TObject }[] = [
  {
    id: 'GetIconFromSet',
    path: '/api/v1/icon/{iconSet}/{kid}.{format}',
    summary: 'An icon (raster images: 128 pixels)',
    params: schemas.IconParams,
  },
  {
    id: 'GetIconImageFromSet',
    path: '/api/v1/icon/{iconSet}/{kid}/{size}.{format}',
    summary: 'An icon of a given size',
    params: schemas.IconSizedParams,
  },
  {
    id: 'GetIconImageWithBackgroundFromSet',
    path: '/api/v1/icon/{iconSet}/{kid}/{backColor}/{size}.{format}',
    summary: 'An icon of a given size, on a background',
    params: schemas.IconWithBackgroundParams,
  },
];

const iconImageOperations = (dependencies: GetIconFromSetDependencies): Operation[] =>
  iconImages.map((declared) =>
    defineImageOperation({
      ...commonIconOperation,
      ...declared,
      description:
        'Uses the drawing of the chosen set, or of the other set if the chosen one has none. The count is shown in a ' +
        'red badge. The text is shown if the drawing has an area for text. `calendar` always shows the current day of ' +
        'the month in Europe/Copenhagen.',
      response: representation(iconMediaTypes),
      problemCodes: ['icon-not-found', 'too-many-renders', 'icon-unavailable'],
      render: (params, { tenant }, clientAddress) =>
        getIconFromSet({ tenant, clientAddress }, params as IconPathParameters, dependencies),
    }),
  );
