// Readings of counters, such as those of meters, as samples of the unit's states. Only counters can be imported: the other
// states of a unit say how the device is, which nobody else knows. What the equipment has sent is never replaced.

import type { WriteDb } from '../../../database/db.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { requireLocationOf } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { recordReports, removeSamples } from '../../documents/queries/record-report.ts';
import { setUnitSettingAccess, unitReadAccess } from '../../units/access.ts';
import { allDefinitions } from '../../units/catalogue/type-catalogue.ts';
import { storeReportedStates } from '../../units/queries/store-reported-states.ts';
import { readNamedPlaces } from '../queries/named-places.ts';
import {
  findReadings,
  formatReadingName,
  listReadingsAfter,
  revisionOfReading,
  type StoredReading,
} from './queries/readings-of-rows.ts';
import { decideReading, isCounter } from './rules/decide-reading.ts';
import {
  formatReadingKid,
  parseReadingKid,
  readingFields,
  type ReadingField,
  type ReadingKey,
} from './rules/reading-fields.ts';
import { answerEach, answersOf, keepApplied } from '../rules/answers.ts';
import { bankKidOf, splitPartKid } from '../rules/bank-kids.ts';
import { exportedTogether, exportPages } from '../rules/export-pages.ts';
import { spellLike } from '../rules/import-time.ts';
import { fieldError } from '../rules/parse-fields.ts';
import { listChangeErrors, notFound } from '../rules/row-errors.ts';
import { createSharedKids } from '../rules/shared-kids.ts';
import { defineKind } from '../define-kind.ts';
import type { ImportTarget } from '../import-kind.ts';

export const readingsKind = defineKind({
  name: 'readings',
  belongsTo: 'bank',
  // What is written of a unit needs what a setting of it needs.
  access: { ...setUnitSettingAccess, grantLevel: 'bank' },
  readAccess: { ...unitReadAccess, grantLevel: 'bank' },
  fields: readingFields,
  isAppendOnly: true,
  findCurrent: async (db, target, rows) => {
    const places = await readNamedPlaces(db, target, rows);
    const decisions = answerEach(rows, ({ values, objectKid }) => ({
      key: parseReadingKid(target, objectKid),
      ...decideReading(values, places, target.now),
    }));
    const decide = answersOf(decisions);
    const keys = [...decisions.values()].flatMap(({ key, reading }) => [key ?? [], reading ?? []].flat());
    const stored = await findReadings(db, target.bank, keys);
    const bankKid = bankKidOf(target);
    return (row) => {
      const given = row.values;
      const { key, reading, errors = [] } = decide(row);
      const current = key && stored.get(formatReadingName(key));
      if (current !== undefined) {
        const [unit] = splitPartKid(formatReadingKid(bankKid, current));
        const at = spellLike(given['at'], current.at, places.zoneOf(current.locationId));
        // The row may spell the number in another way.
        const isSame = reading !== undefined && reading.value === current.value;
        const value = isSame ? (given['value'] ?? current.value) : (current.value ?? '');
        const values = { unit, at, counter: current.counter, value } satisfies Record<ReadingField, string>;
        const revision = revisionOfReading(current.value);
        return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
      }
      if (reading === undefined) return { current: null, errors, claims: [] };
      const name = formatReadingName(reading);
      return { current: null, errors: stored.has(name) ? [takenTime] : [], claims: [`at:${name}`] };
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
    const readings = [...decisions.values()].flatMap(({ reading }) => reading ?? []);
    const reports = groupByUnit(target, readings).map(({ unit, samples }) => ({
      unit,
      // It says nothing of what the equipment has sent.
      report: { samples, cycles: [], syncedThrough: 0 },
    }));
    await recordReports(db, reports);
    const states = readings.map(({ locationId, unitId, counter: name, at, value }) => {
      return { unit: { bankId: bank.bankId, locationId, unitId }, name, at, value };
    });
    await storeReportedStates(db, bank, states);
    if (readings.length > 0)
      await recordReadings(db, actor, target, { before: null, after: { readings: readings.length } });
    const decide = answersOf(decisions);
    return (row) => {
      if (row.current !== null) return keepApplied(row);
      const { reading, errors = [] } = decide(row);
      if (reading === undefined) return { errors };
      return { objectKid: formatReadingKid(bankKid, reading), revision: revisionOfReading(reading.value) };
    };
  },
  // The samples are deleted. A state that shows one of them shows the newest that is left.
  undo: async (db, actor, target, rows) => {
    const keys = answerEach(rows, ({ objectKid }) => parseReadingKid(target, objectKid));
    const readings = [...keys.values()].flatMap((key) => key ?? []);
    await removeSamples(db, groupByUnit(target, readings));
    if (readings.length > 0)
      await recordReadings(db, actor, target, { before: { readings: readings.length }, after: null });
    return (row) => (keys.get(row) === undefined ? { errors: [notFound('reading')] } : { revision: null });
  },
  // Unit by unit, oldest first.
  exportRows: (db, target) => {
    const bankKid = bankKidOf(target);
    const counters = allDefinitions.filter(isCounter).map(({ name }) => name);
    const kids = createSharedKids(bankKid);
    const readPage = (after: StoredReading | undefined) =>
      listReadingsAfter(db, target.bank, counters, {
        after: after ?? { seriesId: 0, at: 0 },
        limit: exportedTogether,
      });
    return exportPages(readPage, (reading) => ({
      objectKid: formatReadingKid(bankKid, reading),
      values: {
        unit: kids.unit(reading.locationId, reading.unitId),
        at: formatUtc(reading.at),
        counter: reading.counter,
        value: reading.value ?? '',
      } satisfies Record<ReadingField, string>,
    }));
  },
});

const takenTime = fieldError('at', 'taken', 'is the time of another reading of this counter');

type Reading = ReadingKey & { readonly value?: string };

const groupByUnit = ({ bank }: ImportTarget, readings: readonly Reading[]) =>
  [...Map.groupBy(readings, ({ locationId, unitId }) => `${locationId}/${unitId}`).values()].flatMap((ofUnit) =>
    ofUnit.slice(0, 1).map(({ locationId, unitId }) => ({
      unit: { ...requireLocationOf(bank, locationId), unitId },
      samples: ofUnit.map(({ counter: name, at, value = null }) => ({ name, at, value })),
    })),
  );

/** One entry for all: each reading is a sample, and those of equipment have none. */
const recordReadings = (
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  values: Pick<Parameters<typeof appendAudit>[2], 'before' | 'after'>,
): Promise<void> => appendAudit(db, actor, { object: bankKidOf(target), bankId: target.bank.bankId, ...values });
