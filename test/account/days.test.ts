// The interval of an account read: civil days in a zone, their bounds to the millisecond, their defaults, their limit.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  fetchAccount,
  fetchAccountAndRevision,
  postingDraft,
  createBankWithModel,
  recordInBoth,
  assertBothRefused,
} from '../support/account-reads.ts';
import { ms2000Of, type BankModel } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';

/** A day in a zone, with its first and last instant, worked out by hand from the zone's clock changes. */
const days: [zone: string, day: string, start: string, end: string][] = [
  ['Europe/Copenhagen', '2026-06-15', '2026-06-14T22:00:00Z', '2026-06-15T22:00:00Z'],
  // 23 hours, then 25.
  ['Europe/Copenhagen', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['Europe/Copenhagen', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['Romance Standard Time', '2026-01-31', '2026-01-30T23:00:00Z', '2026-01-31T23:00:00Z'],
  ['Asia/Kathmandu', '2026-06-15', '2026-06-14T18:15:00Z', '2026-06-15T18:15:00Z'],
  ['Nepal Standard Time', '2026-07-01', '2026-06-30T18:15:00Z', '2026-07-01T18:15:00Z'],
  ['America/St_Johns', '2026-03-08', '2026-03-08T03:30:00Z', '2026-03-09T02:30:00Z'],
  ['America/St_Johns', '2026-11-01', '2026-11-01T02:30:00Z', '2026-11-02T03:30:00Z'],
  // Half an hour of summer time.
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
  ['Pacific/Apia', '2026-01-01', '2025-12-31T11:00:00Z', '2026-01-01T11:00:00Z'],
  // Samoa crossed the date line: there was no 30 December 2011.
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'],
  // Midnight was skipped: the day began at one.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  ['UTC', '1999-12-31', '1999-12-31T00:00:00Z', '2000-01-01T00:00:00Z'],
  ['UTC', '0001-01-01', '0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'],
];

const night = ms2000Of('2026-06-15T22:30:00Z');

serviceSuite({ now: night }, ({ service, manager }) => {
  let book: BankModel;
  before(async () => {
    book = await createBankWithModel(service);
    const edges = days.flatMap(([, , start, end]) => [start, end].map(ms2000Of));
    const instants = new Set([...edges, ms2000Of('2026-06-15T12:00:00Z')].flatMap((edge) => [edge - 1, edge]));
    await recordInBoth(
      service,
      book,
      [...instants].map((recordedAt) => postingDraft(recordedAt)),
    );
  });

  /** Returns the times of the rows, oldest first. */
  async function times(query: Parameters<typeof fetchAccount>[3]): Promise<number[]> {
    const { items } = await fetchAccount(service, manager.token, book, { Limit: 200, ...query });
    return items.map(({ recordedAtMs2000 }) => recordedAtMs2000).toReversed();
  }
  const posted = (from: number, to: number): number[] =>
    book.rows
      .map(({ recordedAt }) => recordedAt)
      .filter((each) => each >= from && each < to)
      .toSorted((a, b) => a - b);

  for (const [zone, day, start, end] of days) {
    test(`[account.03, account.06] ${day} in ${zone} is all of ${start} to ${end} and no more`, async () => {
      const expected = posted(ms2000Of(start), ms2000Of(end));
      if (start !== end) assert.ok(expected.includes(ms2000Of(start)) && expected.includes(ms2000Of(end) - 1));
      assert.deepEqual(await times({ From: day, Through: day, TimeZone: zone }), expected);
      // The same at a location, whose days are assembled in another way.
      assert.deepEqual(await times({ From: day, Through: day, TimeZone: zone, location: 1 }), expected);
      const { totalCount } = await fetchAccount(service, manager.token, book, {
        From: day,
        Through: day,
        TimeZone: zone,
        location: 1,
      });
      assert.equal(totalCount, expected.length);
    });
  }

  test('[account.03] an interval is all days from the first through the last', async () => {
    const interval = { From: '2026-03-08', Through: '2026-03-29' };
    const expected = posted(ms2000Of('2026-03-07T23:00:00Z'), ms2000Of('2026-03-29T22:00:00Z'));
    assert.equal(expected.length, 7);
    assert.deepEqual(await times(interval), expected);
  });

  test('[account.03] From and Through are both today in TimeZone by default, on either side of midnight', async () => {
    const today: [zone: string | undefined, day: string][] = [
      [undefined, '2026-06-16'],
      ['Europe/Copenhagen', '2026-06-16'],
      ['UTC', '2026-06-15'],
      ['Asia/Kathmandu', '2026-06-16'],
      ['America/St_Johns', '2026-06-15'],
      ['Newfoundland Standard Time', '2026-06-15'],
      ['Pacific/Apia', '2026-06-16'],
    ];
    for (const [zone, day] of today) {
      const TimeZone = zone === undefined ? {} : { TimeZone: zone };
      const byDefault = await fetchAccount(service, manager.token, book, TimeZone);
      assert.deepEqual([byDefault.from, byDefault.through], [day, day], String(zone));
      const spelled = await fetchAccount(service, manager.token, book, { ...TimeZone, From: day, Through: day });
      assert.deepEqual(byDefault, spelled);
      const sinceMonday = await fetchAccount(service, manager.token, book, { ...TimeZone, From: '2026-06-08' });
      assert.deepEqual([sinceMonday.from, sinceMonday.through], ['2026-06-08', day]);
      const ahead = await fetchAccount(service, manager.token, book, { ...TimeZone, Through: '2026-06-30' });
      assert.deepEqual([ahead.from, ahead.through], [day, '2026-06-30']);
    }
    await assertBothRefused(service, manager.token, book, 'Through=2026-06-15');
    await assertBothRefused(service, manager.token, book, 'From=2026-06-17');
    await assertBothRefused(service, manager.token, book, 'From=2025-06-14');
    assert.equal((await fetchAccountAndRevision(service, manager.token, book, 'From=2025-06-15')).status, 200);
  });

  test('[account.04, account.05] 367 days pass, both ends counted and shown, and 368 are refused', async () => {
    const spans: [from: string, longest: string, tooLong: string][] = [
      ['2026-01-01', '2027-01-02', '2027-01-03'],
      ['2024-01-01', '2025-01-01', '2025-01-02'],
      ['2023-03-01', '2024-03-01', '2024-03-02'],
      ['1999-12-31', '2000-12-31', '2001-01-01'],
    ];
    for (const [From, Through, tooLong] of spans) {
      const { from, through } = await fetchAccount(service, manager.token, book, { From, Through });
      assert.deepEqual([from, through], [From, Through]);
      await assertBothRefused(service, manager.token, book, `From=${From}&Through=${tooLong}`);
    }
    const year = await times({ From: '2025-12-31', Through: '2027-01-01', TimeZone: 'UTC' });
    assert.deepEqual(year, posted(ms2000Of('2025-12-31T00:00:00Z'), ms2000Of('2027-01-02T00:00:00Z')));
  });

  test('[account.03] a Through before From is refused, and so is a date that does not exist', async () => {
    await assertBothRefused(service, manager.token, book, 'From=2026-06-16&Through=2026-06-15');
    const wrong = [
      '2026-02-29',
      '2026-13-01',
      '2026-6-1',
      '20260601',
      '2026-06-01T00:00:00Z',
      '2026-06-01Z',
      '',
      'today',
    ];
    for (const day of wrong) {
      await assertBothRefused(service, manager.token, book, `From=${day}&Through=2026-06-16`);
      await assertBothRefused(service, manager.token, book, `From=2026-06-16&Through=${day}`);
    }
  });

  test('[account.06] TimeZone takes IANA and Windows names in any case, Copenhagen by default, and refuses others', async () => {
    const zones: [asked: string, answered: string][] = [
      ['Europe/Copenhagen', 'Europe/Copenhagen'],
      ['europe/copenhagen', 'Europe/Copenhagen'],
      ['Romance Standard Time', 'Europe/Copenhagen'],
      ['GMT Standard Time', 'Europe/London'],
      ['UTC', 'UTC'],
      ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ];
    for (const [TimeZone, answered] of zones) {
      assert.equal((await fetchAccount(service, manager.token, book, { TimeZone })).timeZone, answered);
    }
    assert.equal((await fetchAccount(service, manager.token, book, {})).timeZone, 'Europe/Copenhagen');
    for (const wrong of ['Mars/Olympus', 'Europe', '+02:00', '', ' UTC', 'CEST', 'x'.repeat(65)]) {
      await assertBothRefused(service, manager.token, book, String(new URLSearchParams({ TimeZone: wrong })));
    }
  });
});
