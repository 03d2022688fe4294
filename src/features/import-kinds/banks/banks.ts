// Banks of a tenant, in an import. A bank is created with its ledger, whose first settlement period is open.

import type { WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatBankKid, parseKid } from '../../../lib/kid.ts';
import { bankOfTenant } from '../../../permissions/coverage.ts';
import { openLedger } from '../../account/queries/ledger.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { isIcon } from '../../icons/assets/icon-catalogue.ts';
import { bankTypes, findBankTypeCode, findBankTypeName } from '../../places/rules/bank-types.ts';
import { noAddress } from '../../places/rules/no-address.ts';
import { newBankRow } from '../../places/rules/new-place-rows.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listBanks, readLastBankId, type BankRow } from '../places/queries/list-places.ts';
import { insertBanks, updateBank } from '../places/queries/write-places.ts';
import { listImpliedCoordinates, toAddressState, toAddressValues } from '../places/rules/address-fields.ts';
import { defaultValues, parseFields } from '../rules/parse-fields.ts';
import { firstBankNumber } from '../places/rules/place-fields.ts';
import { bankColumns, bankParsers, createBankConflictFinder } from './bank-columns.ts';
import { applyPlaces, undoPlaces, updateAddressOf, type PlaceWriter } from '../places/change-places.ts';
import type { ApplicableRow, ImportKind, ImportTarget, RowValues } from '../import-kind.ts';
import { indexByName, toBatches, toFoundRow } from '../places/place-rows.ts';

export const banksKind: ImportKind = {
  name: 'banks',
  belongsTo: 'tenant',
  access: { tabs: ['Units1'], permissions: ['Bank.Read', 'Bank.Write', 'Bank.Create'], grantLevel: 'tenant' },
  readAccess: { tabs: ['Units1'], permissions: ['Bank.Read'], grantLevel: 'tenant' },
  columns: bankColumns,
  parseRow: (values, target) => {
    const { values: parsed, errors } = parseFields(values, bankParsers, target);
    const { number = '', ...others } = parsed;
    // A bank that has a number keeps it where the file names none.
    return { values: number === '' ? others : parsed, errors };
  },
  findCurrent: async (db, target, rows) => {
    const ids = rows.flatMap(({ objectKid }) => bankIdOf(target, objectKid) ?? []);
    const stored = new Map((await listBanks(db, ids)).map((row) => [row.bank_id, row]));
    const conflictsOf = await createBankConflictFinder(db, target, rows);
    return rows.map((row) => {
      const bank = stored.get(bankIdOf(target, row.objectKid) ?? 0);
      // What the ledger has is in this currency, and was paid in the way of this type.
      const hasPostings = (bank?.next_posting_id ?? 1) > 1;
      const fixedFields = hasPostings ? ['number', 'type', 'currency'] : ['number'];
      const found = toFoundRow(row, bank && toValues(bank), fixedFields);
      const { number } = row.values;
      const claims = found.current === null && number !== undefined ? [`number:${number}`] : [];
      const implied = bank === undefined ? {} : listImpliedCoordinates(bank, row.values);
      return { ...found, errors: [...found.errors, ...conflictsOf(row, found.current)], claims, implied };
    });
  },
  findByNames: async (db, target, names) => {
    const rows = await listBanks(db);
    return indexByName(
      names,
      rows.map(({ name, bank_id }) => ({ name, kid: kidOf(target, bank_id) })),
    );
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
  apply: (db, actor, target, rows) => applyPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  undo: (db, actor, target, rows) => undoPlaces(db, actor, rows, createWriter(db, target, actor.now)),
  exportRows: async function* (db, target) {
    const rows = await listBanks(db);
    yield* toBatches(rows.map((row) => ({ objectKid: kidOf(target, row.bank_id), values: toValues(row) })));
  },
};

const kidOf = ({ wholeTenant }: ImportTarget, bankId: number): string => formatBankKid(wholeTenant.tenant, bankId);

const bankIdOf = ({ wholeTenant }: ImportTarget, kid: string | null): number | undefined =>
  kid === null ? undefined : parseKid(kid, wholeTenant.tenant, ['bank'])?.bankId;

const toValues = (row: BankRow): RowValues => ({
  number: String(row.bank_id),
  name: row.name,
  type: findBankTypeName(row.bank_type) ?? '',
  currency: row.currency,
  vat: String(row.vat_basis_points ?? ''),
  discount: String(row.discount_basis_points ?? ''),
  icon: row.icon !== null && isIcon(row.icon) ? row.icon : '',
  enabled: String(row.enabled === 1),
  ...toAddressValues(row),
});

/** The columns of those fields that there are. */
const toColumns = ({ name, type, currency, vat, discount, icon, enabled }: RowValues): Partial<Tables['banks']> => ({
  ...(name === undefined ? {} : { name }),
  ...(type === undefined ? {} : { bank_type: findBankTypeCode(type) ?? bankTypes.cash }),
  ...(currency === undefined ? {} : { currency }),
  ...(vat === undefined ? {} : { vat_basis_points: vat === '' ? null : Number(vat) }),
  ...(discount === undefined ? {} : { discount_basis_points: discount === '' ? null : Number(discount) }),
  ...(icon === undefined ? {} : { icon: icon === '' ? null : icon }),
  ...(enabled === undefined ? {} : { enabled: enabled === 'true' ? 1 : 0 }),
});

function createWriter(db: WriteDb, target: ImportTarget, now: number): PlaceWriter {
  const idOf = (kid: string): number => bankIdOf(target, kid) ?? 0;
  const numbers = new Map<number, number>();
  const completeValues = ({ position, values }: ApplicableRow): RowValues => ({
    ...defaultValues(bankParsers, target),
    ...values,
    number: String(numbers.get(position) ?? ''),
  });
  return {
    what: 'bank',
    auditedBankId: undefined,
    completeValues,
    insert: async (rows) => {
      for (const [position, number] of await chooseNumbers(db, rows)) numbers.set(position, number);
      const inserted = rows.map((row) => toNewRow(numbers.get(row.position) ?? 0, completeValues(row)));
      for (const bankId of await insertBanks(db, inserted))
        await openLedger(db, bankOfTenant(target.wholeTenant, bankId), now);
      return new Map([...numbers].map(([position, number]) => [position, kidOf(target, number)]));
    },
    update: async (kid, values) => {
      await updateBank(db, idOf(kid), toColumns(values));
      const bank = bankOfTenant(target.wholeTenant, idOf(kid));
      await updateAddressOf(db, { key: { type: 'bank', granted: bank }, bank }, values, now);
    },
    remove: (kid) => updateBank(db, idOf(kid), { deleted_at: now }),
    findDependents: async (kids) => {
      const found = await findDependents(
        db,
        'bank',
        kids.map((kid) => ({ bankId: idOf(kid) })),
      );
      return new Map(
        kids.flatMap((kid) => {
          const dependents = found.get(placeKeyOf({ bankId: idOf(kid) }));
          return dependents === undefined ? [] : [[kid, dependents] as const];
        }),
      );
    },
  };
}

const toNewRow = (bankId: number, values: RowValues): Tables['banks'] =>
  newBankRow({
    ...toColumns(values),
    bank_id: bankId,
    name: values['name'] ?? '',
    bank_type: findBankTypeCode(values['type'] ?? '') ?? bankTypes.cash,
    currency: values['currency'] ?? '',
    ...toAddressState(noAddress, values),
  });

/** The number of each row: the one that it names, or the next that no bank ever had and no row names. */
async function chooseNumbers(db: WriteDb, rows: readonly ApplicableRow[]): Promise<ReadonlyMap<number, number>> {
  const named = new Set(
    rows.flatMap(({ values }) => (values['number'] === undefined ? [] : [Number(values['number'])])),
  );
  let last = Math.max(firstBankNumber, rows.length === 0 ? 0 : await readLastBankId(db));
  const takeNext = (): number => {
    do last += 1;
    while (named.has(last));
    return last;
  };
  return new Map(rows.map(({ position, values }) => [position, Number(values['number'] ?? takeNext())]));
}
