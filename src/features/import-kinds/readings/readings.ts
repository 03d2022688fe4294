// Readings of counters, such as those of meters, as samples of the unit's states. Only counters can be imported: the other
// states of a unit say how the device is, which nobody else knows. What the equipment has sent is never replaced.

import type { WriteDb } from '../../../database/db.ts';
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
  readingFields,
  type ReadingField,
  type ReadingKey,
} from './rules/reading-fields.ts';
import { answerEach, answersOf, keepApplied } from '../rules/answers.ts';
import { listChangeErrors } from '../rules/row-errors.ts';
import { defineKind } from '../define-kind.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import type { ImportTarget, KeyedRow, UndoableRow } from '../import-kind.ts';
import { exportReadings } from './readings-export.ts';

export const readingsKind = defineKind({
  name: 'readings',
  belongsTo: 'bank',
  // What is written of a unit needs what a setting of it needs.
  access: { ...setUnitSettingAccess, grantLevel: 'bank' },
  readAccess: { ...unitReadAccess, grantLevel: 'bank' },
  fields: readingFields,
  isAppendOnly: true,
  findCurrent: async (db, target, rows) => {
    const { bank } = target;
    const places = await readNamedPlaces(db, target, rows);
    const keyOf = ({ objectKid }: KeyedRow) => parseReadingKid(target, objectKid);
    const decisions = answerEach(rows, ({ values }) => decideReading(values, places, target.now));
    const decide = answersOf(decisions);
    const named = [...decisions.values()].flatMap((decision) => ('reading' in decision ? [decision.reading] : []));
    const stored = await findReadings(db, bank, [...rows.flatMap((row) => keyOf(row) ?? []), ...named]);
    const bankKid = bankKidOf(target);
    return (row) => {
      const given = row.values;
      const key = keyOf(row);
      const current = key && stored.get(formatReadingName(key));
      const decision = decide(row);
      if (current !== undefined) {
        const unit = formatReadingKid(bankKid, current).split('#', 1)[0] ?? '';
        const at = spellLike(given['at'], current.at, places.zoneOf(current.locationId));
        // The row may spell the number in another way.
        const isSame = 'reading' in decision && decision.reading.value === current.value;
        const value = isSame ? (given['value'] ?? current.value) : (current.value ?? '');
        const values = { unit, at, counter: current.counter, value } satisfies Record<ReadingField, string>;
        const revision = revisionOfReading(current.value);
        return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
      }
      if ('errors' in decision) return { current: null, errors: decision.errors, claims: [] };
      const name = formatReadingName(decision.reading);
      const errors = stored.has(name)
        ? [fieldError('at', 'taken', 'is the time of another reading of this counter')]
        : [];
      return { current: null, errors, claims: [`at:${name}`] };
    };
  },
  // Each unit has its own lock, which is taken when it is known which units the rows have.
  locks: () => [],
  apply: async (db, actor, target, rows) => {
    const { bank } = target;
    const bankKid = bankKidOf(target);
    const places = await readNamedPlaces(db, target, rows);
    const created = rows.filter(({ current }) => current === null);
    const decisions = answerEach(created, ({ values }) => decideReading(values, places, actor.now));
    const readings = [...decisions.values()].flatMap((each) => ('reading' in each ? [each.reading] : []));
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
    return (row) => {
      const decision = decisions.get(row);
      if (decision === undefined) return keepApplied(row);
      if ('errors' in decision) return decision;
      const { reading } = decision;
      return { objectKid: formatReadingKid(bankKid, reading), revision: revisionOfReading(reading.value) };
    };
  },
  // The samples are deleted. A state that shows one of them shows the newest that is left.
  undo: async (db, actor, target, rows) => {
    const keyOf = ({ objectKid }: UndoableRow) => parseReadingKid(target, objectKid);
    const readings = rows.flatMap((row) => keyOf(row) ?? []);
    await removeSamples(
      db,
      groupByUnit(target, readings).map(({ unit, readings: ofUnit }) => ({
        unit,
        samples: ofUnit.map(({ counter: name, at }) => ({ name, at })),
      })),
    );
    if (readings.length > 0)
      await recordReadings(db, actor, target, { before: { readings: readings.length }, after: null });
    return (row) =>
      keyOf(row) === undefined
        ? { errors: [{ field: 'kid', code: 'not-found', text: 'There is no such reading.' }] }
        : { revision: null };
  },
  exportRows: exportReadings,
});

const groupByUnit = <R extends ReadingKey>(
  { bank }: ImportTarget,
  readings: readonly R[],
): { readonly unit: GrantedUnit; readonly readings: readonly R[] }[] =>
  [...Map.groupBy(readings, ({ locationId, unitId }) => `${locationId}/${unitId}`).values()].flatMap((ofUnit) =>
    ofUnit.slice(0, 1).map(({ locationId, unitId }) => ({
      unit: { ...requireLocationOf(bank, locationId), unitId },
      readings: ofUnit,
    })),
  );

/** One entry for all: each reading is a sample, and those of equipment have none. */
const recordReadings = (
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  values: Pick<Parameters<typeof appendAudit>[2], 'before' | 'after'>,
): Promise<void> => appendAudit(db, actor, { object: bankKidOf(target), bankId: target.bank.bankId, ...values });
