// GetBankAccountRevision: the revision of a selection without its rows.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { listPartialSums } from '../queries/posting-sums.ts';
import { resolveSelection, resolveWithoutBank } from '../read-selection.ts';
import type { RevisionCache } from '../process/revision-cache.ts';
import {
  toAccountReadError,
  parseAccountSelection,
  type AccountSelection,
  type AccountSelectionQuery,
} from '../rules/account-selection.ts';
import { computeRevision } from '../rules/revision.ts';
import { addPartialSums } from '../rules/rollups.ts';

type GetBankAccountRevisionInput = { readonly bankKid: KidOf<'bank'>; readonly query: AccountSelectionQuery };

export async function getBankAccountRevision(
  context: ManagerContext,
  { bankKid: { bankId }, query }: GetBankAccountRevisionInput,
  { revisionCache }: { readonly revisionCache: RevisionCache },
): Promise<{ revision: string }> {
  const { scope, tenant, now } = context;
  const selection = parseAccountSelection(scope, { bankId, query, tenant, now });
  const revision = await revisionCache
    .get(scope, selection, () => context.read((db) => readRevision(db, context, selection)))
    .catch((error: unknown) => {
      throw toAccountReadError(error, selection);
    });
  return { revision };
}

async function readRevision(db: Db, { scope, now }: ManagerContext, selection: AccountSelection): Promise<string> {
  // A selection that does not depend on the bank is read in the same round trip as the bank's state.
  const resolvedEarly = resolveWithoutBank(selection);
  const earlyRead = resolvedEarly === undefined ? undefined : listPartialSums(db, resolvedEarly);
  earlyRead?.catch(() => {});
  const { resolved, displayState } = await resolveSelection(db, selection, scope, now);
  return computeRevision(addPartialSums(await (earlyRead ?? listPartialSums(db, resolved))), displayState);
}
