// What demo data hold: everything that an account can show, read directly from the database.

import { sql, type RawBuilder } from 'kysely';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { grantBank } from '../support/granted-banks.ts';
import { onBothEngines } from '../support/service.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { computePostingClass } from '../../src/features/account/rules/posting-kinds.ts';
import { isIcon } from '../../src/features/icons/assets/icon-catalogue.ts';
import { contactBounds, contactStatusOf } from '../../src/features/places/rules/contact-status.ts';
import { typeCodeOf, unitTypes, type UnitTypeColumns } from '../../src/features/places/rules/unit-types.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import {
  countRows,
  openMigratedDatabases,
  readRows,
  seedDemoTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

const banks = [1001, 1002, 1003];

onBothEngines((engine) => {
  let opened: MigratedDatabases;
  let database: TenantDatabase;
  before(async () => {
    opened = await openMigratedDatabases(engine, 'sund');
    database = opened.databases.forTenant('sund');
    assert.equal(await seedDemoTenant(database), 'seeded');
  });
  after(() => opened.release());

  const rows = <T>(statement: RawBuilder<T>): Promise<T[]> => readRows(database, statement);
  const counted = (from: RawBuilder<unknown>): Promise<number> => countRows(database, from);
  const postings = (bankId: number, where: RawBuilder<unknown>): Promise<number> =>
    counted(sql`from postings p where p.bank_id = ${bankId} and ${where}`);
  const some = async (bankId: number, where: RawBuilder<unknown>, least = 1): Promise<void> => {
    const found = await postings(bankId, where);
    assert.ok(found >= least, `bank ${bankId} has ${found}`);
  };
  const thisPeriod = sql`p.period = 27`;

  test('demo data have 3 banks, 12 locations, 120 units of every type and 400 residents', async () => {
    assert.equal(await counted(sql`from banks`), 3);
    assert.equal(await counted(sql`from locations`), 12);
    assert.equal(await counted(sql`from units`), 120);
    const types = new Set((await rows(sql<UnitTypeColumns>`select * from units where bank_id = 1001`)).map(typeCodeOf));
    assert.deepEqual(types, new Set(unitTypes.map((_, at) => at + 1)));
    assert.equal(await counted(sql`from residents`), 400);
  });

  test('a few units have their type only in the packed field', async () => {
    const packed = await counted(sql`from units where unit_type = 0 and packed_type > 0`);
    assert.ok(packed >= 3 && packed < 12);
    assert.equal(await counted(sql`from units where unit_type = 0 and packed_type is null`), 0);
    assert.equal(await counted(sql`from units where unit_type > 0 and packed_type is not null`), 0);
  });

  test('some banks and locations have an icon, some an invalid one and some none, and all locations but one have an address', async () => {
    for (const table of ['banks', 'locations']) {
      const icons = await rows(sql<{ icon: string | null }>`select icon from ${sql.table(table)}`);
      assert.deepEqual(
        new Set(icons.map(({ icon }) => (icon === null ? null : isIcon(icon)))),
        new Set([true, false, null]),
        table,
      );
    }
    const unaddressed = await rows(sql<{ zip: string }>`select zip from locations where address = ''`);
    assert.deepEqual(unaddressed, [{ zip: '' }]);
    const zips = await rows(sql<{ zip: string }>`select zip from locations where address <> ''`);
    for (const { zip } of zips) assert.match(zip, /^\d{4}$/);
  });

  test('most units are online, some offline and some unknown, in every bank', async () => {
    for (const bankId of banks) {
      const units = await rows(sql<{ last_contact_at: number | null; bank_type: number }>`select * from units u
        join banks b on b.bank_id = u.bank_id where u.bank_id = ${bankId} and u.deleted_at is null`);
      const statuses = Object.groupBy(units, (unit) =>
        contactStatusOf(unit.last_contact_at, contactBounds(unit.bank_type, testNow)),
      );
      assert.ok((statuses.Online?.length ?? 0) > units.length / 2, `bank ${bankId}`);
      assert.ok(statuses.Offline !== undefined && statuses.Unknown !== undefined, `bank ${bankId}`);
    }
    const never = sql`from units where last_contact_at is null`;
    assert.ok((await counted(never)) >= 10);
    assert.ok((await counted(sql`from units where last_contact_at < ${testNow - 100 * dayMs}`)) >= 10);
    assert.equal(await counted(sql`from units where last_contact_at > ${testNow}`), 0);
  });

  test('in the third bank everything that can be is disabled or deleted', async () => {
    for (const table of ['banks', 'locations', 'units', 'residents']) {
      assert.equal(await counted(sql`from ${sql.table(table)} where bank_id = 1003 and enabled <> 0`), 0, table);
    }
    for (const table of ['locations', 'units', 'residents']) {
      const of = sql`from ${sql.table(table)} where bank_id = 1003`;
      assert.ok((await counted(sql`${of} and deleted_at is null`)) > 0, table);
      assert.ok((await counted(sql`${of} and deleted_at <= ${testNow}`)) > 0, table);
    }
    assert.equal(await counted(sql`from banks where deleted_at is not null`), 0);
  });

  test('some residents are disabled, deleted, expired, or will expire', async () => {
    for (const bankId of [1001, 1002]) {
      const of = sql`from residents where bank_id = ${bankId}`;
      assert.ok((await counted(sql`${of} and enabled = 0 and deleted_at is null`)) > 0);
      assert.ok((await counted(sql`${of} and deleted_at <= ${testNow} and expired_at is null`)) > 0);
      assert.ok((await counted(sql`${of} and expired_at <= ${testNow}`)) > 0);
      assert.ok((await counted(sql`${of} and expired_at > ${testNow}`)) > 0);
      assert.ok((await counted(sql`${of} and enabled = 1`)) > 90);
    }
  });

  test('20,000 postings lie in 26 closed periods and the current one, none in the future', async () => {
    for (const [at, expected] of [12_000, 6000, 2000].entries()) {
      const bankId = banks[at] as number;
      assert.equal(await postings(bankId, sql`1 = 1`), expected);
      assert.equal(await counted(sql`from (select distinct period from postings where bank_id = ${bankId}) t`), 27);
      assert.equal(await postings(bankId, sql`p.recorded_at > ${testNow}`), 0);
    }
  });

  test('closed periods abut and begin at local midnight of the first of a month', async () => {
    const closed = await rows(
      sql<{
        from_at: number;
        through_at: number;
      }>`select * from settlement_periods where bank_id = 1001 order by period`,
    );
    assert.equal(closed.length, 26);
    const [ledger] = await rows(sql<{ opened_at: number }>`select * from ledgers where bank_id = 1001`);
    assert.equal(formatUtc(closed[0]?.from_at ?? 0), '2024-03-31T22:00:00.000Z');
    assert.equal(formatUtc(closed[9]?.from_at ?? 0), '2024-12-31T23:00:00.000Z');
    for (const [at, { through_at }] of closed.entries()) {
      assert.equal(through_at, closed[at + 1]?.from_at ?? ledger?.opened_at);
    }
    assert.equal(formatUtc(ledger?.opened_at ?? 0), '2026-05-31T22:00:00.000Z');
  });

  test('the roll-ups agree with the postings', async () => {
    for (const bankId of banks) {
      const { differences } = await database.read({ deadlineMs: 30_000 }, (db) =>
        verifyBankRollups(db, grantBank(bankId)),
      );
      assert.deepEqual(differences, []);
    }
  });

  test('accounts hold the tenant’s currency, another one and the unknown one', async () => {
    for (const bankId of [1001, 1002]) {
      await some(bankId, sql`p.currency = 'DKK'`, 1000);
      await some(bankId, sql`p.currency = 'EUR' and p.amount_minor < 0`, 50);
      await some(bankId, sql`p.currency = '' and p.amount_minor < 0`, 2);
      await some(bankId, sql`p.currency = '' and p.amount_minor > 0`);
    }
  });

  test('postings have every kind, and every class that filters distinguish', async () => {
    const found = await rows(
      sql<{
        kind: number;
        bank_id: number;
        amount_minor: number | bigint;
      }>`select * from postings where bank_id < 1003`,
    );
    assert.deepEqual(new Set(found.map(({ kind }) => kind)), new Set([0, 1, 2, 3, 4, 5, 6, 7]));
    for (const bankId of [1001, 1002]) {
      const own = found.filter(({ bank_id }) => bank_id === bankId);
      assert.equal(
        new Set(own.map(({ kind, amount_minor }) => computePostingClass(kind, BigInt(amount_minor)))).size,
        9,
      );
    }
  });

  test('each closed period ends with monthly lines: discounts in a Danish cash bank, transfers in a rent bank', async () => {
    for (const [bankId, kind, least] of [
      [1001, 3, 3],
      [1001, 6, 1],
      [1002, 3, 3],
      [1002, 7, 1],
    ] as const) {
      const lines = sql`from postings p join settlement_periods s on s.bank_id = p.bank_id and s.period = p.period
        where p.bank_id = ${bankId} and p.kind = ${kind}
        and p.recorded_at >= s.through_at - ${hourMs} and p.recorded_at < s.through_at`;
      assert.equal(
        await counted(sql`from (select p.period ${lines} group by p.period having count(*) >= ${least}) t`),
        26,
      );
    }
    assert.equal(await counted(sql`from postings where kind = 6 and currency <> 'DKK'`), 0);
  });

  test('settlements have discounts and transfers to be calculated, in addition to stored ones', async () => {
    const [bank] = await rows(sql<{ discount: number; vat: number }>`select discount_basis_points as discount,
      vat_basis_points as vat from banks where bank_id = 1001`);
    assert.deepEqual(bank, { discount: 750, vat: 2500 });
    for (const [bankId, kind] of [
      [1001, 6],
      [1002, 7],
    ] as const) {
      const settled = (stored: RawBuilder<unknown>): Promise<number> =>
        counted(sql`from (select distinct user_id, period from postings p where p.bank_id = ${bankId} and p.kind = 1
          and p.currency = 'DKK' and p.amount_minor < 0 and p.period in (24, 25, 26) and p.user_id > 1000
          and ${stored} (select 1 from postings s where s.bank_id = p.bank_id and s.user_id = p.user_id
            and s.period = p.period and s.currency = p.currency and s.kind = ${kind})) t`);
      assert.ok((await settled(sql`exists`)) >= 3, `bank ${bankId}`);
      assert.ok((await settled(sql`not exists`)) > 50, `bank ${bankId}`);
    }
  });

  test('payments are of every payment kind, and all but plain ones have a reference', async () => {
    for (const paymentKind of [1, 2, 3]) {
      await some(1001, sql`p.payment_kind = ${paymentKind} and p.payment_reference is not null`);
      assert.equal(await postings(1001, sql`p.payment_kind = ${paymentKind} and p.payment_reference is null`), 0);
    }
    await some(1001, sql`p.kind = 1 and p.payment_kind = 3 and p.document_id > 0`);
  });

  test('reversals compensate an earlier posting, in its period or a later one', async () => {
    const pair = sql`exists (select 1 from postings o where o.bank_id = p.bank_id and o.posting_id = p.reversal_of
      and o.posting_id < p.posting_id and o.amount_minor = -p.amount_minor and o.user_id = p.user_id
      and o.location_id = p.location_id and o.unit_id = p.unit_id and o.currency = p.currency`;
    for (const bankId of banks) {
      const reversals = await postings(bankId, sql`p.reversal_of is not null`);
      assert.equal(await postings(bankId, sql`${pair})`), reversals);
      await some(bankId, sql`${pair} and o.period = p.period) and ${thisPeriod}`);
      await some(bankId, sql`${pair} and o.period < p.period) and ${thisPeriod}`);
    }
  });

  test('guests, the GDPR user and expired residents have recent postings', async () => {
    await some(1001, sql`p.user_id = 1000`, 50);
    await some(1001, sql`p.user_id = 1000 and ${thisPeriod}`, 2);
    await some(1001, sql`p.user_id = 0 and ${thisPeriod}`, 2);
    const expired = sql`exists (select 1 from residents r where r.bank_id = p.bank_id and r.resident_id = p.user_id
      and r.expired_at <= ${testNow})`;
    await some(1001, sql`${expired} and p.recorded_at > ${testNow - 3 * dayMs}`, 3);
    await some(1001, sql`${expired} and p.recorded_at < ${testNow - 300 * dayMs}`, 3);
  });

  test('document ids are shared by two to four lines of a group, reused by others, and absent, zero or negative', async () => {
    const groups = await rows(
      sql<{
        size: number;
      }>`select count(*) as size from postings where bank_id = 1001 and document_id > 0 and payment_kind <> 3
        group by document_id, user_id, location_id, period, currency`,
    );
    for (const size of [1, 2, 3, 4]) assert.ok(groups.some((group) => group.size === size));
    // Lines that share a document id and the other columns, but not the first.
    const reused = (differs: string, ...shared: string[]): Promise<number> =>
      counted(sql`from (select document_id from postings where bank_id = 1001 and document_id > 0
        group by document_id, ${sql.join(shared.map((column) => sql.ref(column)))}
        having count(distinct ${sql.ref(differs)}) > 1) t`);
    assert.ok((await reused('user_id', 'location_id', 'period')) > 0);
    assert.ok((await reused('location_id', 'user_id', 'period')) > 0);
    assert.ok((await reused('period', 'user_id', 'location_id')) > 0);
    assert.ok((await reused('currency', 'user_id', 'location_id', 'period')) > 0);
    await some(1001, sql`p.kind = 1 and p.document_id is null`, 100);
    await some(1001, sql`p.document_id = 0`, 50);
    await some(1001, sql`p.document_id < 0`, 50);
  });

  test('only purchases in the cash bank have tax, and most purchases have a tag', async () => {
    assert.ok((await postings(1001, sql`p.vat_minor < 0`)) > 9000);
    assert.equal(await postings(1001, sql`p.vat_minor < 0 and p.vat_minor <> -floor(-p.amount_minor / 5)`), 0);
    assert.equal(await postings(1002, sql`p.vat_minor is not null`), 0);
    const uses = await postings(1001, sql`p.kind = 1 and p.amount_minor < 0`);
    const tagged = await postings(1001, sql`p.kind = 1 and p.amount_minor < 0 and p.internal_tag is not null`);
    assert.ok(tagged > 0.8 * uses && tagged < uses);
  });

  test('several postings share an instant at different places', async () => {
    const places = await rows(
      sql<{ places: number }>`select count(distinct location_id * 1000 + unit_id) as places from postings
        where bank_id = 1001 group by recorded_at having count(*) >= 6`,
    );
    assert.ok(places.some((instant) => instant.places >= 5));
  });

  test('postings lie on both sides of a change of the clocks, in both hours that read the same', async () => {
    const autumn = [
      '2025-10-25T23:00:00',
      '2025-10-26T00:30:00',
      '2025-10-26T00:59:59',
      '2025-10-26T01:00:00',
      '2025-10-26T01:30:00',
    ];
    const spring = ['2026-03-29T00:30:00', '2026-03-29T01:00:00', '2026-03-29T01:30:00'];
    const instants = await rows(sql<{ recorded_at: number }>`select recorded_at from postings where bank_id = 1001`);
    const seconds = new Set(instants.map(({ recorded_at }) => formatUtc(recorded_at).slice(0, 19)));
    for (const second of [...autumn, ...spring]) assert.ok(seconds.has(second), second);
  });

  test('postings lie at local midnight and a millisecond before it', async () => {
    for (const midnight of ['2026-05-31T22:00:00.000Z', '2026-06-13T22:00:00.000Z', '2026-06-14T22:00:00.000Z']) {
      const instants = await rows(sql<{ recorded_at: number }>`select recorded_at from postings where bank_id = 1001`);
      const texts = new Set(instants.map(({ recorded_at }) => formatUtc(recorded_at)));
      assert.ok(texts.has(midnight), midnight);
      const before1 = instants.filter(({ recorded_at }) => formatUtc(recorded_at + 1) === midnight);
      assert.ok(before1.length > 0, midnight);
    }
  });

  test('some postings arrive days late, and are recorded in a later period', async () => {
    const late = sql`exists (select 1 from settlement_periods s where s.bank_id = p.bank_id and s.period = p.period - 1
      and p.recorded_at < s.through_at - ${dayMs})`;
    await some(1001, late, 26 * 3);
    await some(1001, sql`${late} and ${thisPeriod}`, 3);
  });

  test('amounts beyond 2^53 are stored exactly', async () => {
    const huge = await rows(
      sql<{ amount_minor: bigint }>`select amount_minor from postings where bank_id = 1003
        and (amount_minor > 9007199254740992 or amount_minor < -9007199254740992) order by amount_minor`,
    );
    assert.deepEqual(
      huge.map(({ amount_minor }) => amount_minor),
      [-9_007_199_254_740_993n, 1_152_921_504_606_846_983n],
    );
  });

  test('the last hour has purchases of residents', async () => {
    await some(1001, sql`p.amount_minor < 0 and p.user_id > 1000 and p.recorded_at >= ${testNow - hourMs}`, 5);
    await some(1001, sql`p.amount_minor < 0 and p.user_id > 1000 and p.recorded_at >= ${testNow - hourMs / 6}`);
  });

  test('retention is shorter than the time that the periods cover', async () => {
    const settings = await rows(sql<{ name: string; value: string }>`select * from tenant_settings`);
    const value = new Map(settings.map((setting) => [setting.name, setting.value]));
    assert.equal(value.get('surveillanceRetentionDays'), '90');
    const kept = Number(value.get('accountingRetentionDays'));
    assert.ok((await postings(1001, sql`p.recorded_at < ${testNow - kept * dayMs}`)) > 1000);
  });

  test('postings name some deleted units and not others', async () => {
    const deleted = sql`from units u where u.bank_id = 1001 and u.deleted_at is not null and`;
    const posted = sql`exists (select 1 from postings p where p.bank_id = u.bank_id and p.location_id = u.location_id
      and p.unit_id = u.unit_id)`;
    assert.equal(await counted(sql`${deleted} ${posted}`), 1);
    assert.equal(await counted(sql`${deleted} not ${posted}`), 1);
  });
});
