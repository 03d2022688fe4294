// Declares GetPublicStatus, GetPublicPurchases, GetPublicPurchaseMap and GetPublicActiveUsers.

import type { DatabaseAccessIndicator } from '../../database/checks/database-access.ts';
import { definePublicOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { createStatisticsCache, type StatisticsCache } from './process/statistics-cache.ts';
import { getPublicStatus } from './operations/get-public-status.ts';
import { PublicActiveUsers, PublicPurchaseMap, PublicPurchases, PublicStatus } from './schemas.ts';

type StatisticsDependencies = { readonly databaseAccess: DatabaseAccessIndicator };

export function statisticsRoutes(dependencies: StatisticsDependencies): Operation[] {
  const cache = createStatisticsCache();
  return [
    definePublicOperation({
      id: 'GetPublicStatus',
      method: 'GET',
      path: '/api/v1/public/status',
      openApiDocuments: ['public'],
      group: 'Public',
      summary: 'Health of this tenant’s service',
      description: 'Whether the tenant’s database can be read and written, as measured at most 30 seconds ago.',
      response: jsonOf(PublicStatus),
      deadlineMs: 10_000,
      storageFree: true,
      run: (_input, context) => getPublicStatus(context, dependencies),
    }),
    ...measuredOperations(cache),
  ];
}

const common = {
  method: 'GET',
  openApiDocuments: ['public'],
  group: 'Public',
  isPolled: true,
  replacedProblems: {
    'storage-timeout': 'statistics-unavailable',
    'storage-text-comparison': 'statistics-unavailable',
    'storage-unavailable': 'statistics-unavailable',
  },
} as const;

const purchasesText =
  'A purchase is an entry with an amount below zero, recorded in the last hour for a resident (user id 1001 to 99999) of any bank, whose text does not end with the letter E, whether e or E; letters with accents, such as É, are other letters.';
const cacheText = 'The service measures once a minute at most.';

const measuredOperations = (cache: StatisticsCache): Operation[] => [
  definePublicOperation({
    ...common,
    id: 'GetPublicPurchases',
    path: '/api/v1/public/statistics/purchases',
    summary: 'Purchases in the last hour',
    description: `Counts the purchases of this tenant, and adds up what they cost. ${purchasesText} ${cacheText}`,
    response: jsonOf(PublicPurchases),
    deadlineMs: 10_000,
    run: async (_input, context) => (await cache.getPurchases(context)).purchases,
    knownAnswer: (tenantHost) => cache.peekPurchases(tenantHost)?.purchases,
  }),
  definePublicOperation({
    ...common,
    id: 'GetPublicPurchaseMap',
    path: '/api/v1/public/statistics/purchase-map',
    summary: 'Where the purchases of the last hour were made',
    description: `Counts the purchases of GetPublicPurchases by the coordinates of their locations, from the same measurement. ${cacheText}`,
    response: jsonOf(PublicPurchaseMap),
    deadlineMs: 10_000,
    run: async (_input, context) => (await cache.getPurchases(context)).purchaseMap,
    knownAnswer: (tenantHost) => cache.peekPurchases(tenantHost)?.purchaseMap,
  }),
  definePublicOperation({
    ...common,
    id: 'GetPublicActiveUsers',
    path: '/api/v1/public/statistics/active-users',
    summary: 'Active users of the last 100 days',
    description:
      'Counts the residents (user id 1001 to 99999, bank id 1000 or more) with an entry in their account in the last 100 days, disabled and deleted ones as well. The same user id in two banks counts twice. The service measures once in five minutes at most.',
    response: jsonOf(PublicActiveUsers),
    deadlineMs: 30_000,
    run: (_input, context) => cache.getActiveUsers(context),
    knownAnswer: (tenantHost) => cache.peekActiveUsers(tenantHost),
  }),
];
