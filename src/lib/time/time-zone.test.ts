// Zones and civil days, by tables of known clock changes and against Intl, which counts them with data of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { fromMs2000, parseUtc, toMs2000, formatUtc } from './ms2000.ts';
import { countDays, dayInterval, parseCivilDate, resolveTimeZone, todayIn } from './time-zone.ts';
import { codePoint } from '../../../test/support/code-point.ts';
import { hourMs } from './durations.ts';

const zones = Intl.supportedValuesOf('timeZone');

test('an IANA name is known in any case and comes back in its own', () => {
  const examples: Record<string, string> = {
    'Europe/Copenhagen': 'Europe/Copenhagen',
    'europe/copenhagen': 'Europe/Copenhagen',
    'EUROPE/COPENHAGEN': 'Europe/Copenhagen',
    'america/port-au-prince': 'America/Port-au-Prince',
    'america/argentina/buenos_aires': 'America/Argentina/Buenos_Aires',
    'europe/kyiv': 'Europe/Kyiv',
    'europe/kiev': 'Europe/Kiev',
    'asia/kolkata': 'Asia/Kolkata',
    'etc/gmt+2': 'Etc/GMT+2',
    utc: 'UTC',
    cet: 'CET',
  };
  for (const [name, id] of Object.entries(examples)) assert.equal(resolveTimeZone(name), id);
  for (const zone of zones) {
    for (const name of [zone, zone.toLowerCase(), zone.toUpperCase()]) assert.equal(resolveTimeZone(name, 'DK'), zone);
  }
});

test('an offset or anything else that is no zone name is unknown', () => {
  const unknown = [
    ['', ' ', '+02:00', '-03', '+0200', '+02:00:00', '−02:00', 'Z', 'z', 'UTC+2', 'GMT+2', 'UTC+02:00', 'GMT+02:00'],
    ['2'],
    ['Europe', 'Europe/', '/Copenhagen', 'Europe/Nowhere', 'Europe/Copenhagen ', ' Europe/Copenhagen'],
    ['Europe Copenhagen'],
    ['Europe/Copenhagen\n', 'Europe/Copenhagen\0', 'Europe\\Copenhagen', '../Europe/Copenhagen'],
    ['Europe/../Europe/Oslo'],
    ['2024-01-01T00:00Z', '2024-01-01T00:00[Europe/Oslo]', '[Europe/Oslo]', 'Factory', 'localtime', 'null'],
    ['constructor'],
    ['Romance', 'Romance Standard', 'Romance  Standard Time', 'Romance_Standard_Time', '__proto__'],
    ['Europe/\u212aiev'],
    ['\u212aorea Standard Time', 'Kamchatka\u00a0Standard Time', '\ud800', 'a'.repeat(1_000_000)],
    ['A/'.repeat(500_000)],
  ].flat();
  for (const name of unknown) assert.equal(resolveTimeZone(name, 'DK'), undefined, JSON.stringify(name.slice(0, 60)));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: codePoint })), (name) => {
      const zone = resolveTimeZone(name);
      if (zone !== undefined) assert.equal(resolveTimeZone(zone), zone);
    }),
  );
});

test("a Windows name means the tenant's own country first, then the name's default", () => {
  const examples: [name: string, territory: string | undefined, id: string][] = [
    ['Romance Standard Time', 'DK', 'Europe/Copenhagen'],
    ['romance standard time', 'DK', 'Europe/Copenhagen'],
    ['ROMANCE STANDARD TIME', 'BE', 'Europe/Brussels'],
    ['Romance Standard Time', undefined, 'Europe/Paris'],
    ['Romance Standard Time', 'NO', 'Europe/Paris'],
    ['W. Europe Standard Time', 'NO', 'Europe/Oslo'],
    ['W. Europe Standard Time', 'SE', 'Europe/Stockholm'],
    ['W. Europe Standard Time', 'DE', 'Europe/Berlin'],
    ['GMT Standard Time', 'GB', 'Europe/London'],
    ['Greenwich Standard Time', 'IS', 'Atlantic/Reykjavik'],
    ['FLE Standard Time', 'FI', 'Europe/Helsinki'],
    ['Central Standard Time (Mexico)', 'DK', 'America/Mexico_City'],
    ['UTC-02', 'DK', 'Etc/GMT+2'],
    ['utc+12', 'DK', 'Etc/GMT-12'],
    ['UTC', 'DK', 'UTC'],
  ];
  for (const [name, territory, id] of examples)
    assert.equal(resolveTimeZone(name, territory), id, `${name} ${territory}`);
});

test('every Windows name leads to a zone', () => {
  for (const { windowsName, territory } of WINDOWS_TO_IANA_MAP) {
    const zone = resolveTimeZone(windowsName, territory);
    assert.ok(zone !== undefined, `${windowsName} ${territory}`);
  }
});

test('a civil date is YYYY-MM-DD and a real day', () => {
  for (const text of ['2024-02-29', '2000-02-29', '1999-12-31', '0000-01-01', '0001-01-01', '9999-12-31']) {
    assert.equal(parseCivilDate(text)?.toString(), text);
  }
  const refused = [
    ['', '2024', '2024-02', '2024-2-9', '24-02-29', '20240229', '2024-060', '2024-W09-4', '2024/02/29'],
    ['29-02-2024'],
    ['2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31', '2024-00-01', '2024-13-01', '2024-01-00', '2024-01-32'],
    ['12024-01-01', '+002024-01-01', '-000001-01-01', '-2024-01-01', '2024-01-01T00:00', '2024-01-01Z'],
    ['2024-01-01[u-ca=hebrew]'],
    [' 2024-01-01', '2024-01-01 ', '2024-01-01\n', '２024-01-01', '2024‐01‐01', '2024-01-0\ud800'],
    ['1'.repeat(1_000_000)],
  ].flat();
  for (const text of refused) assert.equal(parseCivilDate(text), undefined, JSON.stringify(text.slice(0, 60)));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (y, m, d) => {
        const text = `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`;
        const real = new Date(`${text}T00:00:00Z`);
        const isReal = !Number.isNaN(real.getTime()) && real.toISOString().startsWith(text);
        assert.equal(parseCivilDate(text)?.toString(), isReal ? text : undefined);
      },
    ),
    { numRuns: 2000 },
  );
});

test('days are counted inclusively, and a reversed interval has none', () => {
  assert.equal(countDays(day('2024-03-31'), day('2024-03-31')), 1);
  assert.equal(countDays(day('2024-02-28'), day('2024-03-01')), 3);
  assert.equal(countDays(day('2023-02-28'), day('2023-03-01')), 2);
  assert.equal(countDays(day('2024-01-01'), day('2025-01-01')), 367);
  assert.equal(countDays(day('2024-01-01'), day('2025-01-02')), 368);
  assert.equal(countDays(day('2024-03-31'), day('2024-03-30')), 0);
  assert.equal(countDays(day('2024-03-31'), day('2024-03-29')), -1);
  assert.equal(countDays(day('0000-01-01'), day('9999-12-31')), 3_652_425);
});

test('a day runs from its first instant in the zone to the first of the next, over clock changes too', () => {
  const examples: [zone: string, from: string, through: string, start: string, end: string, hours: number][] = [
    ['UTC', '2024-03-31', '2024-03-31', '2024-03-31T00:00:00Z', '2024-04-01T00:00:00Z', 24],
    // summer time begins (23 h), ends (25 h), and both within one year
    ['Europe/Copenhagen', '2024-03-30', '2024-03-30', '2024-03-29T23:00:00Z', '2024-03-30T23:00:00Z', 24],
    ['Europe/Copenhagen', '2024-03-31', '2024-03-31', '2024-03-30T23:00:00Z', '2024-03-31T22:00:00Z', 23],
    ['Europe/Copenhagen', '2024-10-27', '2024-10-27', '2024-10-26T22:00:00Z', '2024-10-27T23:00:00Z', 25],
    ['Europe/Copenhagen', '2024-01-01', '2024-12-31', '2023-12-31T23:00:00Z', '2024-12-31T23:00:00Z', 366 * 24],
    ['Europe/Copenhagen', '2024-03-01', '2024-03-31', '2024-02-29T23:00:00Z', '2024-03-31T22:00:00Z', 31 * 24 - 1],
    // the clock jumps at midnight: 00:00 does not exist, and the day begins at 01:00
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z', 23],
    ['America/Sao_Paulo', '2018-11-03', '2018-11-03', '2018-11-03T03:00:00Z', '2018-11-04T03:00:00Z', 24],
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17', '2018-02-17T02:00:00Z', '2018-02-18T03:00:00Z', 25],
    ['America/Sao_Paulo', '2017-10-15', '2017-10-15', '2017-10-15T03:00:00Z', '2017-10-16T02:00:00Z', 23],
    // the hour before 01:00 happens twice: the day begins with the first of them
    ['America/Havana', '2024-11-03', '2024-11-03', '2024-11-03T04:00:00Z', '2024-11-04T05:00:00Z', 25],
    ['America/Havana', '2024-03-10', '2024-03-10', '2024-03-10T05:00:00Z', '2024-03-11T04:00:00Z', 23],
    // an offset of 5:45, and the quarter of an hour it lost when it was introduced
    ['Asia/Kathmandu', '2024-03-31', '2024-03-31', '2024-03-30T18:15:00Z', '2024-03-31T18:15:00Z', 24],
    ['Asia/Kathmandu', '1986-01-01', '1986-01-01', '1985-12-31T18:30:00Z', '1986-01-01T18:15:00Z', 23.75],
    ['Australia/Lord_Howe', '2024-04-07', '2024-04-07', '2024-04-06T13:00:00Z', '2024-04-07T13:30:00Z', 24.5],
    // the day that Samoa skipped is empty, and the days around it touch
    ['Pacific/Apia', '2011-12-29', '2011-12-29', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-31', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-29', '2011-12-31', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z', 48],
    // the ends of what can be asked for
    ['Europe/Copenhagen', '9999-12-31', '9999-12-31', '9999-12-30T23:00:00Z', '9999-12-31T23:00:00Z', 24],
  ];
  for (const [zone, from, through, start, end, hours] of examples) {
    const interval = dayInterval(day(from), day(through), zone);
    assert.deepEqual(interval, { fromMs2000: parseUtc(start), toMs2000: parseUtc(end) }, `${zone} ${from}..${through}`);
    assert.equal((interval.toMs2000 - interval.fromMs2000) / hourMs, hours, `${zone} ${from}..${through}`);
  }
  assert.equal(dayInterval(day('0000-01-01'), day('0000-01-01'), 'UTC').fromMs2000, parseUtc('0000-01-01T00:00:00Z'));
});

test('today is the civil day of the zone at that instant', () => {
  const examples: [zone: string, now: string, today: string][] = [
    ['UTC', '2024-03-31T23:59:59.999Z', '2024-03-31'],
    ['UTC', '2024-04-01T00:00:00Z', '2024-04-01'],
    ['Europe/Copenhagen', '2024-03-30T22:59:59.999Z', '2024-03-30'],
    ['Europe/Copenhagen', '2024-03-30T23:00:00Z', '2024-03-31'],
    ['Europe/Copenhagen', '2024-03-31T21:59:59.999Z', '2024-03-31'],
    ['Europe/Copenhagen', '2024-03-31T22:00:00Z', '2024-04-01'],
    ['Asia/Kathmandu', '2024-03-31T18:14:59.999Z', '2024-03-31'],
    ['Asia/Kathmandu', '2024-03-31T18:15:00Z', '2024-04-01'],
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
  ];
  for (const [zone, now, today] of examples)
    assert.equal(todayIn(zone, ms2000(now)).toString(), today, `${zone} ${now}`);
});

test('every instant lies in the interval of its own day and of no other, in every zone', () => {
  const from = toMs2000(Date.UTC(1970, 0, 2));
  const to = toMs2000(Date.UTC(2037, 11, 31));
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: from, max: to }), (zone, now) => {
      const today = todayIn(zone, now);
      const { fromMs2000: start, toMs2000: end } = dayInterval(today, today, zone);
      assert.ok(start <= now && now < end);
      assert.equal(dayInterval(today.subtract({ days: 1 }), today, zone).toMs2000, end);
      assert.equal(
        dayInterval(today.subtract({ days: 1 }), today.subtract({ days: 1 }), zone).toMs2000,
        start,
        'days touch',
      );
    }),
    { numRuns: 2000 },
  );
});

test('the first and last instant of a day are of that day by the calendar of Intl, their neighbours are not', () => {
  const days = fc
    .integer({ min: 0, max: 24_000 })
    .map((count) => Temporal.PlainDate.from('1971-01-01').add({ days: count }));
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (zone, date) => {
      const { fromMs2000: start, toMs2000: end } = dayInterval(date, date, zone);
      if (start === end) return;
      assert.equal(civilDay(zone, start), date.toString(), `${zone} ${formatUtc(start)}`);
      assert.equal(civilDay(zone, end - 1), date.toString());
      assert.notEqual(civilDay(zone, start - 1), date.toString());
      assert.notEqual(civilDay(zone, end), date.toString());
    }),
    { numRuns: 2000 },
  );
});

function civilDay(zone: string, time: number): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(fromMs2000(time));
}

function day(text: string): Temporal.PlainDate {
  const date = parseCivilDate(text);
  assert.ok(date, text);
  return date;
}

function ms2000(text: string): number {
  const time = parseUtc(text);
  assert.ok(time !== undefined, text);
  return time;
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
