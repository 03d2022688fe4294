// The whole proof of a ledger, as `verify ledger` makes it.

import { ledgerChecks } from '../../src/commands/verify-ledger.ts';
import type { Db } from '../../src/database/dialect.ts';
import { runChecks, type Damage } from '../../src/features/account/verify/check.ts';
import type { Service } from './service.ts';

/** All damage that the checks find. */
export async function damagesOf(db: Db, bankId: number, batchRows?: number): Promise<Damage[]> {
  const damages: Damage[] = [];
  const tell = (damage: Damage): void => void damages.push(damage);
  await runChecks(db, bankId, ledgerChecks, { tell, ...(batchRows === undefined ? {} : { batchRows }) });
  return damages;
}

export const proofOf = ({ services }: Pick<Service, 'services'>, bankId: number, tenant = 'sund'): Promise<Damage[]> =>
  services.databases.of(tenant).read({ deadlineMs: 60_000 }, (db) => damagesOf(db, bankId));
