// Shapes held lines as answers return them.

import { toJsonInt64 } from '../../lib/values/int64.ts';
import {
  formatBankKid,
  formatComputerKid,
  formatHeldLineKid,
  formatLocationKid,
  formatPostingKid,
  formatUnitKid,
  formatUserKid,
} from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { Tenant } from '../../tenants.ts';
import type { PostingDraft } from '../account/rules/posting-draft.ts';
import type { StreamName } from '../computers/rules/streams.ts';
import { resolveLocationTimeZone } from '../places/rules/location-time-zone.ts';
import type { ListedHeldLineRow } from './queries/held-line-list.ts';
import type { HeldCode, HeldState } from './rules/held-codes.ts';
import type { HeldLine, HeldLineResult } from './schemas.ts';

export function toHeldLine(tenant: Tenant, row: ListedHeldLineRow): HeldLine {
  const bankKid = formatBankKid(tenant.name, row.bank_id);
  return {
    kid: formatHeldLineKid(bankKid, row.held_id),
    computerKid: formatComputerKid(bankKid, row.computer_id),
    stream: row.stream as StreamName,
    n: row.n,
    code: row.code as HeldCode,
    reason: row.reason,
    receivedUtc: formatUtc(row.received_at),
    timeZone: resolveLocationTimeZone(row.time_zone ?? '', tenant),
    line: row.line,
    unitKid: row.unit_id === 0 ? null : formatUnitKid(formatLocationKid(bankKid, row.location_id), row.unit_id),
    state: row.state as HeldState,
    postingKid: row.posting_id === null ? null : formatPostingKid(bankKid, row.posting_id),
    revision: String(row.revision),
  };
}

export function toHeldLinePosting(
  { tenant, bankId }: WholeGrantedBank,
  { recordedAt, residentId, amountMinor, currency, text }: PostingDraft,
  postingId: number | null,
): HeldLineResult['posting'] {
  const bankKid = formatBankKid(tenant, bankId);
  return {
    kid: postingId === null ? null : formatPostingKid(bankKid, postingId),
    recordedAtUtc: formatUtc(recordedAt),
    recordedAtMs2000: recordedAt,
    userKid: formatUserKid(bankKid, residentId),
    amountMinor: toJsonInt64(amountMinor),
    currency,
    text,
  };
}
