// Declares GetTenantStatus and GetTenantStatusPage.

import type { Logger } from 'pino';
import {
  defineManagerOperation,
  type Operation,
  type MissingRightProblem,
  type OperationAccess,
} from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { getTenantStatus } from './operations/get-tenant-status.ts';
import { getTenantStatusPage } from './operations/get-tenant-status-page.ts';
import { createStatusReader } from './read-status.ts';
import { TenantStatus, TenantStatusPage, TenantStatusPageQuery, TenantStatusQuery } from './schemas.ts';
import { createSnapshotStore } from './process/snapshot-store.ts';
import type { MissingRight } from '../../permissions/needs.ts';

const statusAccess: OperationAccess = {
  tabs: ['TenantStatus1'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read'],
  grantLevel: 'location',
  missingRightProblem,
};

function missingRightProblem(missing: MissingRight): MissingRightProblem | undefined {
  if (missing.kind === 'tab') return { code: 'missing-status-tab' };
  if (missing.kind === 'scope') return { code: 'missing-resource-access' };
  if (missing.permission === 'Bank.Read') return { code: 'missing-bank-read' };
  if (missing.permission === 'Location.Read') return { code: 'missing-location-read' };
  return missing.permission === 'Unit.Read' ? { code: 'missing-unit-read' } : undefined;
}

const common = {
  method: 'GET',
  openApiDocuments: ['portal'],
  group: 'Tenant status',
  access: statusAccess,
  localised: true,
  deadlineMs: 12_000,
  replacedProblems: {
    'storage-timeout': 'tenant-status-unavailable',
    'storage-text-comparison': 'tenant-status-unavailable',
    'storage-unavailable': 'tenant-status-unavailable',
  },
} as const;

const alertsText =
  'A unit is `Offline` if its last contact was from 100 days to one hour ago in a cash bank, to one day ago in a bank of another type; a bank without a type, and the cluster for tests, have no such units. It is `AutoOutOfOrder` if the setting of that name has an error id above zero, and the unit has a valid type. It has `HeldLines` if lines that name it wait for a manager. What is to be said of a computer is said at the first of its units that the grants cover: `HeldLines` of lines that name no unit, to managers of the whole bank; `ClockWrong` if its clock is two minutes or more ahead or behind; `SyncStale` if it was in contact and has not confirmed for an hour what was queued for its units, or if its lists differ. A unit can have several alerts. Only units that the grants cover are shown and counted, if their location is enabled and unit, location and bank are not deleted.';
const sourcesText =
  'A source that cannot be read has an `errorCode` and no items. The response is still 200, but its items do not include that kind. If no source can be read, it is 503.';

const pagingText =
  'A request without `cursor` reads a snapshot of the newest 1000 rows of each source, and begins at the row of `anchor`. If that row is missing, or no `anchor` is given, it begins after `offset` rows, or at the last row if there are fewer. For further pages send `nextCursor` or `previousCursor` unchanged as `cursor`, with the same `pageSize` and Accept-Language. All pages show the same snapshot, so that no row is repeated or left out, and `sources` and `totalCount` count all of it. The page before an anchored one can be shorter than `pageSize`.';
const cursorErrorsText =
  '400 `invalid-page`: the cursor was altered, or is combined with `anchor` or `offset`. 409: page size, language, manager or grants are not those of the first page. 410: the snapshot is older than two minutes, or was dropped for newer ones (each manager has 8). After 409 and 410 forget the cursor and request a first page, with the last row seen as `anchor` and its number as `offset`.';

export function tenantStatusRoutes({ log }: { readonly log: Logger }): Operation[] {
  const dependencies = { statusReader: createStatusReader(log), snapshotStore: createSnapshotStore(), log };
  return [
    defineManagerOperation({
      ...common,
      id: 'GetTenantStatus',
      path: '/api/v1/tenant/status',
      summary: 'List units that are offline, out of order, or need attention otherwise',
      description: `${alertsText} Each source has its newest \`limit\` items, and \`hasMore\` says whether there are more. ${sourcesText} GetTenantStatusPage shows the same page by page.`,
      query: TenantStatusQuery,
      response: jsonOf(TenantStatus),
      validationProblem: { 'query.limit': 'invalid-limit' },
      run: ({ query }, context) => getTenantStatus(context, query, dependencies),
    }),
    defineManagerOperation({
      ...common,
      id: 'GetTenantStatusPage',
      path: '/api/v1/tenant/status/page',
      summary: 'Read units that need attention page by page',
      description: `The alerts of GetTenantStatus. ${pagingText} ${cursorErrorsText} ${sourcesText}`,
      query: TenantStatusPageQuery,
      response: jsonOf(TenantStatusPage),
      validationProblem: { query: 'invalid-page' },
      problemCodes: ['status-context-changed', 'status-snapshot-expired'],
      run: ({ query }, context) => getTenantStatusPage(context, query, dependencies),
    }),
  ];
}
