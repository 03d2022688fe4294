// Readings of counters, such as those of meters, as samples of the unit's states. Only counters can be imported: the other
// states of a unit say how the device is, which nobody else knows. What the equipment has sent is never replaced.

import type { Db, LockableDb } from '../../../database/db.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { requireLocationOf, type GrantedUnit } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { recordReports, removeSamples } from '../../documents/queries/record-report.ts';
import { setUnitSettingAccess, unitReadAccess } from '../../units/access.ts';
import { storeReportedStates } from '../../units/queries/store-reported-states.ts';
import { readNamedPlaces } from '../queries/named-places.ts';
import { findReadings, formatReadingName, revisionOfReading } from './queries/readings-of-rows.ts';
import { decideReading } from './rules/decide-reading.ts';
import { spellLike } from '../rules/import-time.ts';
import { fieldError } from '../rules/parse-fields.ts';
import {
  formatReadingKid,
  parseReadingKid,
  parseReadingRow,
  readingImportColumns,
  type ReadingKey,
} from './rules/reading-fields.ts';
import { listChangeErrors } from '../rules/row-errors.ts';
import type {
  ApplicableRow,
  AppliedRow,
  FoundRow,
  ImportKind,
  ImportTarget,
  KeyedRow,
  UndoableRow,
  UndoneRow,
} from '../import-kind.ts';
import { exportReadings } from './readings-export.ts';

export const readingsKind: ImportKind = {
  name: 'readings',
  belongsTo: 'bank',
  // What is written of a unit needs what a setting of it needs.
  access: { ...setUnitSettingAccess, grantLevel: 'bank' },
  readAccess: { ...unitReadAccess, grantLevel: 'bank' },
  columns: readingImportColumns,
  isAppendOnly: true,
  parseRow: parseReadingRow,
  findCurrent: findReadingRows,
  // Each unit has its own lock, which is taken when it is known which units the rows have.
  locks: () => [],
  apply: applyReadings,
  undo: undoReadings,
  exportRows: exportReadings,
};

async function findReadingRows(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<FoundRow[]> {
  const { bank, tenant } = target;
  const places = await readNamedPlaces(db, target, rows);
  const keyed = rows.map(({ objectKid }) => parseReadingKid(objectKid ?? '', tenant.name, bank.bankId));
  const decisions = rows.map(({ values }) => decideReading(values, places, target.now));
  const named = decisions.flatMap((decision) => ('reading' in decision ? [decision.reading] : []));
  const stored = await findReadings(db, bank, [...keyed.flatMap((key) => key ?? []), ...named]);
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  return rows.map(({ values: given }, index): FoundRow => {
    const key = keyed[index];
    const current = key === undefined ? undefined : stored.get(formatReadingName(key));
    const decision = decisions[index]!;
    if (current !== undefined) {
      const unit = formatReadingKid(bankKid, current).split('#', 1)[0] ?? '';
      const at = spellLike(given['at'], current.at, places.zoneOf(current.locationId));
      // The row may spell the number in another way.
      const isSame = 'reading' in decision && decision.reading.value === current.value;
      const value = isSame ? (given['value'] ?? current.value) : (current.value ?? '');
      const values = { unit, at, counter: current.counter, value };
      const revision = revisionOfReading(current.value);
      return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
    }
    if ('errors' in decision) return { current: null, errors: decision.errors, claims: [] };
    const name = formatReadingName(decision.reading);
    const errors = stored.has(name)
      ? [fieldError('at', 'taken', 'is the time of another reading of this counter')]
      : [];
    return { current: null, errors, claims: [`at:${name}`] };
  });
}

async function applyReadings(
  db: LockableDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<AppliedRow[]> {
  const { bank } = target;
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const places = await readNamedPlaces(db, target, rows);
  const decisions = rows.map(({ values, current }) =>
    current === null ? decideReading(values, places, actor.now) : undefined,
  );
  const readings = decisions.flatMap((each) => (each !== undefined && 'reading' in each ? [each.reading] : []));
  const reports = groupByUnit(target, readings).map(({ unit, readings: ofUnit }) => ({
    unit,
    // It says nothing of what the equipment has sent.
    report: {
      samples: ofUnit.map(({ counter: name, at, value }) => ({ name, at, value })),
      cycles: [],
      syncedThrough: 0,
    },
  }));
  await recordReports(db, reports);
  await storeReportedStates(
    db,
    bank,
    readings.map(({ locationId, unitId, counter: name, at, value }) => {
      return { unit: { bankId: bank.bankId, locationId, unitId }, name, at, value };
    }),
  );
  if (readings.length > 0)
    await recordReadings(db, actor, target, { before: null, after: { readings: readings.length } });
  return decisions.map((decision, index): AppliedRow => {
    const { objectKid, current } = rows[index]!;
    // Of one that exists, only the key is new.
    if (decision === undefined) return { objectKid: objectKid ?? '', revision: current?.revision ?? '' };
    if ('errors' in decision) return decision;
    const { reading } = decision;
    return { objectKid: formatReadingKid(bankKid, reading), revision: revisionOfReading(reading.value) };
  });
}

const groupByUnit = <R extends ReadingKey>(
  { bank }: ImportTarget,
  readings: readonly R[],
): { readonly unit: GrantedUnit; readonly readings: readonly R[] }[] =>
  [...Map.groupBy(readings, ({ locationId, unitId }) => `${locationId}/${unitId}`).values()].map((ofUnit) => {
    const { locationId, unitId } = ofUnit[0]!;
    return { unit: { ...requireLocationOf(bank, locationId), unitId }, readings: ofUnit };
  });

/** One entry for all: each reading is a sample, and those of equipment have none. */
const recordReadings = (
  db: LockableDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  values: Pick<Parameters<typeof appendAudit>[2], 'before' | 'after'>,
): Promise<void> =>
  appendAudit(db, actor, { object: formatBankKid(bank.tenant, bank.bankId), bankId: bank.bankId, ...values });

/** The samples are deleted. A state that shows one of them shows the newest that is left. */
async function undoReadings(
  db: LockableDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly UndoableRow[],
): Promise<UndoneRow[]> {
  const { tenant, bank } = target;
  const keys = rows.map(({ objectKid }) => parseReadingKid(objectKid, tenant.name, bank.bankId));
  const readings = keys.flatMap((key) => key ?? []);
  await removeSamples(
    db,
    groupByUnit(target, readings).map(({ unit, readings: ofUnit }) => ({
      unit,
      samples: ofUnit.map(({ counter: name, at }) => ({ name, at })),
    })),
  );
  if (readings.length > 0)
    await recordReadings(db, actor, target, { before: { readings: readings.length }, after: null });
  return keys.map((key): UndoneRow =>
    key === undefined
      ? { errors: [{ field: 'kid', code: 'not-found', text: 'There is no such reading.' }] }
      : { revision: null },
  );
}
