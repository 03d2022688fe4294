// Banks of a tenant, in an import. A bank is created with its ledger, whose first settlement period is open.

import type { WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatBankKid, parseKid } from '../../../lib/kid.ts';
import { bankOfTenant } from '../../../permissions/coverage.ts';
import { openLedger } from '../../account/queries/ledger.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { bankTypes } from '../../places/rules/bank-types.ts';
import { noAddress, newBankRow } from '../../places/rules/new-place-rows.ts';
import { updateAddressOf, type PlaceSteps } from '../places/change-places.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
import { toFoundRow } from '../places/place-rows.ts';
import { listBanks, readLastBankId, type BankRow } from '../places/queries/list-places.ts';
import { insertBanks, updateBank } from '../places/queries/write-places.ts';
import { listImpliedCoordinates, toAddressState } from '../places/rules/address-fields.ts';
import { firstBankNumber, toPlaceColumns } from '../places/rules/place-fields.ts';
import { listDefaults, writeValues } from '../rules/parse-fields.ts';
import type { ApplicableRow, ImportTarget, RowValues } from '../import-kind.ts';
import { bankFields, createBankConflictFinder } from './bank-fields.ts';

export const banksKind = definePlaceKind<BankRow>({
  name: 'banks',
  belongsTo: 'tenant',
  access: { tabs: ['Units1'], permissions: ['Bank.Read', 'Bank.Write', 'Bank.Create'], grantLevel: 'tenant' },
  readAccess: { tabs: ['Units1'], permissions: ['Bank.Read'], grantLevel: 'tenant' },
  fields: bankFields,
  combine: (parsed) => {
    const { number = '', ...others } = parsed.values;
    // A bank that has a number keeps it where the file names none.
    return number === '' ? { ...parsed, values: others } : parsed;
  },
  findCurrent: async (db, target, rows) => {
    const ids = rows.flatMap(({ objectKid }) => bankIdOf(target, objectKid) ?? []);
    const stored = new Map((await listBanks(db, ids)).map((row) => [row.bank_id, row]));
    const conflictsOf = await createBankConflictFinder(db, target, rows);
    return (row) => {
      const bank = stored.get(bankIdOf(target, row.objectKid) ?? 0);
      // What the ledger has is in this currency, and was paid in the way of this type.
      const alsoFixed = (bank?.next_posting_id ?? 1) > 1 ? ['type', 'currency'] : [];
      const found = toFoundRow(bankFields, row, bank && writeValues(bankFields, bank, target), alsoFixed);
      const { number } = row.values;
      const claims = found.current === null && number !== undefined ? [`number:${number}`] : [];
      const implied = bank === undefined ? {} : listImpliedCoordinates(bank, row.values);
      return { ...found, errors: [...found.errors, ...conflictsOf(row, found.current)], claims, implied };
    };
  },
  // Banks are created one after another. Devices are told of their addresses.
  locks: (target, objectKids = []) => [
    tenantAuditLock(),
    ...objectKids.flatMap((kid) => {
      const bankId = bankIdOf(target, kid);
      return bankId === undefined ? [] : [outboxLock(bankOfTenant(target.wholeTenant, bankId))];
    }),
  ],
  locksObjects: true,
  list: (db) => listBanks(db),
  kidOf: (target, { bank_id }) => kidOf(target, bank_id),
  createSteps,
});

const kidOf = ({ wholeTenant }: ImportTarget, bankId: number): string => formatBankKid(wholeTenant.tenant, bankId);

const bankIdOf = ({ wholeTenant }: ImportTarget, kid: string | null): number | undefined =>
  kid === null ? undefined : parseKid(kid, wholeTenant.tenant, ['bank'])?.bankId;

function createSteps(db: WriteDb, target: ImportTarget, now: number): PlaceSteps {
  const idOf = (kid: string): number => bankIdOf(target, kid) ?? 0;
  return {
    level: 'bank',
    auditedBankId: undefined,
    idsOf: (kid) => ({ bankId: idOf(kid) }),
    create: async (rows) => {
      const numbers = await chooseNumbers(db, rows);
      const created = Array.from(numbers, ([row, number]) => {
        const values: RowValues = { ...listDefaults(bankFields, target), ...row.values, number: String(number) };
        return { row, number, values };
      });
      const inserted = created.map(({ number, values }) => toNewRow(number, values));
      for (const bankId of await insertBanks(db, inserted))
        await openLedger(db, bankOfTenant(target.wholeTenant, bankId), now);
      return new Map(created.map(({ row, number, values }) => [row, { objectKid: kidOf(target, number), values }]));
    },
    change: async (kid, values) => {
      await updateBank(db, idOf(kid), toPlaceColumns(bankFields, values));
      const bank = bankOfTenant(target.wholeTenant, idOf(kid));
      await updateAddressOf(db, { key: { type: 'bank', granted: bank }, bank }, values, now);
    },
    remove: (kid) => updateBank(db, idOf(kid), { deleted_at: now }),
  };
}

const toNewRow = (bankId: number, values: RowValues): Tables['banks'] =>
  newBankRow({
    name: '',
    bank_type: bankTypes.cash,
    currency: '',
    ...toPlaceColumns(bankFields, values),
    bank_id: bankId,
    ...toAddressState(noAddress, values),
  });

/** The number of each row: the one that it names, or the next that no bank ever had and no row names. */
async function chooseNumbers(db: WriteDb, rows: readonly ApplicableRow[]): Promise<ReadonlyMap<ApplicableRow, number>> {
  const named = new Set(
    rows.flatMap(({ values }) => (values['number'] === undefined ? [] : [Number(values['number'])])),
  );
  let last = Math.max(firstBankNumber, rows.length === 0 ? 0 : await readLastBankId(db));
  const takeNext = (): number => {
    do last += 1;
    while (named.has(last));
    return last;
  };
  return new Map(rows.map((row) => [row, Number(row.values['number'] ?? takeNext())]));
}
