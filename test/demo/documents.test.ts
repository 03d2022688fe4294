// The documents of demo units: some are finished and some are running, and they fit the catalogue.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import type { Tables } from '../../src/database/tables.ts';
import { typeCodeOf, unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { formatStoredText, parseStoredText } from '../../src/features/units/rules/stored-text.ts';
import {
  countRows,
  openMigratedDatabases,
  readRows,
  seedDemoTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { onBothEngines } from '../support/service.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';

type DocumentRow = {
  readonly type: number;
  readonly packed_type: number | null;
  readonly from_at: number;
  readonly through_at: number;
  readonly ended: number;
  readonly synced_at: number;
};

const selectDocuments = sql<DocumentRow>`select u.unit_type as type, u.packed_type, min(c.at) as from_at,
    max(c.at) as through_at, max(case when c.value = 'End' then 1 else 0 end) as ended, max(s.synced_at) as synced_at
  from document_cycles c
  join units u on u.bank_id = c.bank_id and u.location_id = c.location_id and u.unit_id = c.unit_id
  join unit_syncs s on s.bank_id = c.bank_id and s.location_id = c.location_id and s.unit_id = c.unit_id
  group by c.bank_id, c.location_id, c.unit_id, c.document_id, u.unit_type, u.packed_type`;

const typeOf = ({ type, packed_type }: DocumentRow): number | undefined => typeCodeOf({ unit_type: type, packed_type });

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  let database: TenantDatabase;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund');
    database = opened.databases.forTenant('sund');
    await seedDemoTenant(database, 'sund', { postings: 300 });
  });
  after(() => opened.release());

  const documents = (): Promise<DocumentRow[]> => readRows(database, selectDocuments);
  const count = (condition: string): Promise<number> => countRows(database, sql.raw(condition));

  test('machines have finished and running documents, meters those of two months', async () => {
    const rows = await documents();
    for (const code of [1, 2]) {
      const ofType = rows.filter((row) => typeOf(row) === code);
      assert.ok(
        ofType.some(({ ended, synced_at, through_at }) => ended === 1 && synced_at >= through_at + 2 * minuteMs),
      );
      assert.ok(ofType.some(({ ended, synced_at }) => ended === 0 && synced_at > testNow - hourMs));
      for (const { from_at, through_at } of ofType) assert.ok(through_at - from_at <= 2 * hourMs);
    }
    const ofMeters = rows.filter((row) => [6, 7, 8, 9].includes(typeOf(row) ?? 0));
    assert.ok(ofMeters.length >= 20);
    assert.ok(ofMeters.some(({ ended }) => ended === 1) && ofMeters.some(({ ended }) => ended === 0));
    for (const { from_at, through_at } of ofMeters) assert.ok(through_at - from_at <= 31 * dayMs);
    assert.ok(rows.every(({ synced_at, through_at }) => through_at <= synced_at && synced_at <= testNow));
  });

  test('the time of a program counts down, a charging session has energy, and a door has documents', async () => {
    type Row = {
      readonly type: number;
      readonly series_id: number;
      readonly name: string;
      readonly at: number;
      readonly value: string;
    };
    const rows = await readRows(
      database,
      sql<Row>`select u.unit_type as type, r.series_id, r.name, v.at, v.value from state_samples v
        join state_series r on r.series_id = v.series_id
        join units u on u.bank_id = r.bank_id and u.location_id = r.location_id and u.unit_id = r.unit_id
        where r.name in ('RemainingTime', 'SessionEnergy', 'SessionTime') order by r.series_id, v.at`,
    );
    const stepsOf = (name: string): number[] =>
      [
        ...Map.groupBy(
          rows.filter((row) => row.name === name),
          (row) => row.series_id,
        ).values(),
      ].flatMap((series) => series.slice(1).map(({ value }, at) => Number(value) - Number(series[at]?.value)));
    // It falls but for the beginning of the next run; a session grows but for the beginning of the next one.
    for (const [name, sign] of [
      ['RemainingTime', -1],
      ['SessionTime', 1],
      ['SessionEnergy', 1],
    ] as const) {
      const steps = stepsOf(name);
      assert.ok(steps.length > 50, name);
      assert.ok(steps.filter((step) => step * sign < 0).length < steps.length / 10, name);
      assert.ok(steps.filter((step) => step * sign > 0).length > steps.length / 2, name);
    }
    const doors = (await documents()).filter((row) => typeOf(row) === unitTypeCode('door'));
    assert.ok(doors.some(({ ended }) => ended === 1));
    for (const { from_at, through_at } of doors) assert.ok(through_at - from_at <= 4 * minuteMs);
  });

  test('samples have valid values for the unit’s type, and none is later than the unit’s last report', async () => {
    type SampleRow = Pick<Tables['units'], 'unit_type' | 'packed_type'> &
      Pick<Tables['state_samples'], 'at' | 'value'> & { readonly name: string; readonly synced_at: number };
    const rows = await readRows(
      database,
      sql<SampleRow>`select u.unit_type, u.packed_type, r.name, v.at, v.value, s.synced_at from state_samples v
        join state_series r on r.series_id = v.series_id
        join units u on u.bank_id = r.bank_id and u.location_id = r.location_id and u.unit_id = r.unit_id
        join unit_syncs s on s.bank_id = r.bank_id and s.location_id = r.location_id and s.unit_id = r.unit_id`,
    );
    assert.ok(rows.length > 10_000);
    for (const row of rows) {
      const definition = typeCatalogueOf(typeCodeOf(row)).visibleByName.get(row.name);
      assert.ok(definition?.kind === 'State', row.name);
      assert.ok(row.at <= row.synced_at);
      if (row.value === null) continue;
      const stored = formatStoredText(definition, parseStoredText(definition, row.value));
      assert.ok(
        ('text' in stored && Number(stored.text) === Number(row.value)) ||
          ('text' in stored && stored.text === row.value),
        `${row.name} ${row.value}`,
      );
    }
    assert.ok(rows.some(({ value }) => value === null));
  });

  test('equipment also reports its connection, its supplies and its errors, and a graph has room for all numbers', async () => {
    type SeriesRow = Pick<Tables['units'], 'unit_type' | 'packed_type'> & {
      readonly unit: string;
      readonly name: string;
    };
    const rows = await readRows(
      database,
      sql<SeriesRow>`select u.unit_type, u.packed_type, r.name,
        ${sql.join([sql`r.bank_id * 1000000`, sql`r.location_id * 1000`, sql`r.unit_id`], sql` + `)} as unit
        from state_series r join units u on u.bank_id = r.bank_id and u.location_id = r.location_id and u.unit_id = r.unit_id`,
    );
    for (const name of [
      'SignalStrength',
      'IpAddress',
      'FirmwareVersion',
      'Uptime',
      'SoapLevel',
      'FilterFull',
      'ErrorText',
    ])
      assert.ok(
        rows.some((row) => row.name === name),
        name,
      );
    for (const [unit, ofUnit] of Map.groupBy(rows, (row) => row.unit)) {
      const numeric = ofUnit.filter((row) => {
        const { valueType } = typeCatalogueOf(typeCodeOf(row)).visibleByName.get(row.name) ?? {};
        return valueType !== 'text' && valueType !== 'time';
      });
      // With the Cycle, and one or two settings that were written meanwhile, a graph has at most sixteen series.
      assert.ok(numeric.length <= 13, `${unit}: ${numeric.map(({ name }) => name).join()}`);
    }
  });

  test('ids of series are below the head of their sequence', async () => {
    assert.equal(await count('from state_series where series_id > (select allocated from state_series_heads)'), 0);
    assert.equal(
      await count('from (select series_id from state_series group by series_id having count(*) > 1) twice'),
      0,
    );
  });
});
