// Imports readings of counters, such as the counters of meters, as samples of the unit's states.

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
import { decideReading, isCounter, type Reading } from './rules/decide-reading.ts';
import {
  formatReadingKid,
  parseReadingKid,
  readingFields,
  type ReadingField,
  type ReadingKey,
} from './rules/reading-fields.ts';
import { answerDrafts, answerEach, decideEach } from '../rules/answers.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { bankKidOf, splitPartKid, createSharedKids } from '../rules/bank-kids.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import { spellLike } from '../rules/import-time.ts';
import { fieldError, listChangeErrors, notFound } from '../rules/parse-fields.ts';
import { defineKind } from '../define-kind.ts';
import type { ImportTarget, KeyedRow } from '../import-kind.ts';

/**
 * Only counters can be imported: the other states of a unit say how the device is, and nobody else knows that. What the
 * equipment has sent is never replaced.
 */
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
    const { decisionOf, drafts } = decideEach(rows, ({ values }) => decideReading(values, places, target.now));
    const keyOf = ({ objectKid }: KeyedRow) => parseReadingKid(target, objectKid);
    const stored = await findReadings(db, target.bank, [...rows.flatMap((row) => keyOf(row) ?? []), ...drafts]);
    const bankKid = bankKidOf(target);
    return (row) => {
      const given = row.values;
      const key = keyOf(row);
      const current = key && stored.get(formatReadingName(key));
      const decision = decisionOf(row);
      if (current !== undefined) {
        const [unit] = splitPartKid(formatReadingKid(bankKid, current));
        const at = spellLike(given['at'], current.at, places.zoneOf(current.locationId));
        // The row may spell the number in another way.
        const isSame = 'draft' in decision && decision.draft.value === current.value;
        const value = isSame ? (given['value'] ?? current.value) : (current.value ?? '');
        const values = { unit, at, counter: current.counter, value } satisfies Record<ReadingField, string>;
        const revision = revisionOfReading(current.value);
        return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
      }
      if ('errors' in decision) return { current: null, errors: decision.errors, claims: [] };
      const name = formatReadingName(decision.draft);
      return { current: null, errors: stored.has(name) ? [takenTime] : [], claims: [`at:${name}`] };
    };
  },
  // Each unit has its own lock, which is taken when it is known which units the rows have.
  locks: ({ bank }) => [outboxLock(bank)],
  apply: async (db, actor, target, rows) => {
    const { bank } = target;
    const bankKid = bankKidOf(target);
    const places = await readNamedPlaces(db, target, rows);
    const created = rows.filter(({ current }) => current === null);
    const { decisionOf, drafts: readings } = decideEach(created, ({ values }) =>
      decideReading(values, places, actor.now),
    );
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
    return answerDrafts(decisionOf, (reading) => ({
      objectKid: formatReadingKid(bankKid, reading),
      revision: revisionOfReading(reading.value),
    }));
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
        limit: exportPageSize,
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

const groupByUnit = ({ bank }: ImportTarget, readings: readonly (ReadingKey & Partial<Reading>)[]) =>
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
