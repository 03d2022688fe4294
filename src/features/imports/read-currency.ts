// Reads the currency of amounts that name none: that of the bank.

import type { Db } from '../../database/db.ts';
import { requireBank } from '../places/require-place.ts';
import type { FoundImport } from './require-import.ts';
import { hasMoney } from '../import-kinds/rules/decimal-fields.ts';

/** Empty where the kind has no amounts. */
export const readCurrency = async (db: Db, { kind, target }: Pick<FoundImport, 'kind' | 'target'>): Promise<string> =>
  hasMoney(kind) ? (await requireBank(db, target.bank)).currency : '';
