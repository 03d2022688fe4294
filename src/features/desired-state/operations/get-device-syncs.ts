// GetDeviceSyncs: lists what was queued for the devices of a bank, and what became of it.

import type { Static } from 'typebox';
import type { BankParams } from '../../places/schemas.ts';
import type { DeviceSyncsQuery } from '../schemas.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import { toPage } from '../../../lib/values/paging.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { requireBank } from '../../places/require-place.ts';
import { toDeviceSync } from '../answers.ts';
import { listDeviceSyncs, type DeviceSyncPosition } from '../queries/device-syncs.ts';

type GetDeviceSyncsInput = Static<typeof BankParams> & Static<typeof DeviceSyncsQuery>;

/** A unit of another bank has none. */
export async function getDeviceSyncs(context: ManagerContext, { bankKid, unitKid, ...query }: GetDeviceSyncsInput) {
  const bank = requireCoveredBank(context.scope, bankKid);
  const request = await openPage<DeviceSyncPosition>(context, query);
  const { after, offset, limit } = request;
  const selection = { after, offset, limit: limit + 1, state: query.state, unit: unitKid };
  const isOfBank = unitKid === undefined || unitKid.bankId === bank.bankId;
  return context.read(async (db) => {
    await requireBank(db, bank);
    const rows = isOfBank ? await listDeviceSyncs(db, bank, selection) : [];
    const page = toPage(rows, request, ({ sync_id }) => [sync_id]);
    return { ...page, items: page.items.map((row) => toDeviceSync(context, row)) };
  });
}
