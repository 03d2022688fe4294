// Reads the currency of the bank of an import. Amounts in the file that name no currency are in this currency.

import type { Db } from '../../database/db.ts';
import { requireBank } from '../places/require-place.ts';
import type { FoundImport } from './require-import.ts';
import { hasMoney } from '../import-kinds/rules/decimal-fields.ts';

/** The currency is empty where the kind of the import has no amounts. */
export const readCurrency = async (db: Db, { kind, target }: Pick<FoundImport, 'kind' | 'target'>): Promise<string> =>
  hasMoney(kind) ? (await requireBank(db, target.bank)).currency : '';
