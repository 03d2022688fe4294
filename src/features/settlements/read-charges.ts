// Reads what a closed settlement period charges to residents, and the profile by which it is written.

import type { Db } from '../../database/db.ts';
import { createUserKidFormatter, formatBankKid } from '../../lib/kid.ts';
import { listedValues, partsOf } from '../../lib/values/parts.ts';
import { Problem } from '../../lib/problem.ts';
import { todayIn } from '../../lib/time/time-zone.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { Tenant } from '../../tenants.ts';
import { findKeysOfObjects } from '../imports/queries/import-keys.ts';
import { readNamedProfile, type NamedProfile } from '../import-profiles/read-profile.ts';
import { findBalanceBank } from '../resident-administration/queries/resident-balances.ts';
import type { ResidentIdentities } from '../residents/queries/identities.ts';
import { isAnonymized, type IdentityVisibility } from '../residents/rules/identity.ts';
import { findChargeProfile, type ChargeProfile } from './queries/charge-profiles.ts';
import { listResidentKindSums } from './queries/settled-postings.ts';
import type { StoredPeriod } from './queries/settlement-periods.ts';
import { formatCharges, type ShownCharge } from './rules/charge-file.ts';
import { listCharges, type Charge } from './rules/charges.ts';
import type { PostingRange } from './rules/posting-range.ts';

export const chargesKind = 'charges';

type SettledPeriod = {
  readonly tenant: Tenant;
  readonly bank: WholeGrantedBank;
  readonly period: Pick<StoredPeriod, 'period' | 'fromAt'> & { readonly throughAt: number };
  readonly range: PostingRange;
  readonly identities: ResidentIdentities;
  /** Whose charges are shown; undefined for an operator, who moves data within the housing administration. */
  readonly visibility?: IdentityVisibility;
};

export type SettlementCharges = ChargeProfile & {
  /** The version of the profile; null for one that comes with the service. */
  readonly version: number | null;
  readonly count: number;
  /** How many are left out, because the identities of their residents are no longer shown. */
  readonly withheld: number;
  /** Chunks of the file, which can be written again and again. */
  content(): Generator<Uint8Array>;
};

/** Undefined if no profile is set for the bank. Throws 422 `charges-not-writable`, so that nothing is written in part. */
export async function readCharges(db: Db, settled: SettledPeriod): Promise<SettlementCharges | undefined> {
  const { tenant, bank, period, range, visibility } = settled;
  const set = await findChargeProfile(db, bank);
  if (set === undefined) return undefined;
  const [{ profile, version }, bankState, sums] = await Promise.all([
    requireChargesProfile(db, set.profile),
    findBalanceBank(db, bank),
    listResidentKindSums(db, range),
  ]);
  if (bankState === undefined) throw new Problem('not-found');
  const charges = [...listCharges(sums, bankState, period)];
  const shown = charges.filter((charge) => visibility === undefined || isShown(charge, settled.identities, visibility));
  const named = await nameCharges(db, settled, set, shown);
  const days = {
    from: todayIn(tenant.timeZone, period.fromAt).toString(),
    // It ends before this instant.
    through: todayIn(tenant.timeZone, Math.max(period.fromAt, period.throughAt - 1)).toString(),
  };
  const content = () => formatCharges(profile, named, days);
  // Whatever cannot be written is found before anything is sent.
  content().forEach(() => {});
  return { ...set, version, count: named.length, withheld: charges.length - shown.length, content };
}

/** Throws 422 `charges-not-writable` if there is none any more. */
async function requireChargesProfile(db: Db, name: string): Promise<NamedProfile> {
  const found = await readNamedProfile(db, name);
  if (found?.profile.kind !== chargesKind)
    throw new Problem('charges-not-writable', { detail: `${name} is not the name of a profile of charges.` });
  return found;
}

/** Residents are shown as in the other files: not if their identity has expired, or a posting is shown without it. */
const isShown = (
  { residentId, earliest }: Charge,
  identities: ResidentIdentities,
  visibility: IdentityVisibility,
): boolean =>
  !isAnonymized(
    {
      recorded_at: earliest,
      user_id: residentId,
      resident_expired_at: identities.get(residentId)?.expiredAt ?? null,
    },
    visibility,
  );

async function nameCharges(
  db: Db,
  { tenant, bank: { bankId }, identities }: SettledPeriod,
  { keySource }: ChargeProfile,
  charges: readonly Charge[],
): Promise<ShownCharge[]> {
  const toKid = createUserKidFormatter(formatBankKid(tenant.name, bankId));
  const space = { kind: 'residents', bankId, source: keySource } as const;
  const keys = new Map<string, string>();
  const kids = [...new Set(charges.map(({ residentId }) => toKid(residentId)))];
  for (const part of partsOf(kids, listedValues))
    for (const [kid, key] of await findKeysOfObjects(db, space, part)) keys.set(kid, key);
  return charges.map((charge) => {
    const kid = toKid(charge.residentId);
    const name = identities.get(charge.residentId)?.name ?? '';
    return { ...charge, kid, tenancy: keys.get(kid) ?? kid, name };
  });
}
