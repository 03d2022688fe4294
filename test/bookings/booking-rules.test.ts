// GetLocationBookingRules over HTTP: the rules that real laundries print on their doors, in every language, with
// warnings about faulty rules.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { languages } from '../../src/lib/text/language.ts';
import { insertBooking, bookingCharge, executeCommand } from '../support/bookings.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { insertTestBank, insertTestResident, createToken } from '../support/factories.ts';
import { testLocationRead } from '../support/location-read-suite.ts';
import { setUnitType } from '../support/unit-settings.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import { replaceSettings } from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';

type Rule = { code: string; text: string; value: unknown };
type Group = {
  calendar: string | null;
  unitKids: string[];
  rules: Rule[];
  warnings: { code: string; text: string }[];
};
type Values = Readonly<Record<string, string | null>>;

const reads = ['Bank.Read', 'Location.Read', 'Unit.Read'] as const;
const bookable: Values = { Bookable: 'true', BookingCalendar: 'Laundry' };
const unitKids = (location: number, ...ids: number[]): string[] => ids.map((id) => `sund-B1001-L${location}-U${id}`);
const plain = (text: string): string => text.replaceAll(/\s/g, ' ');

testLocationRead({ subPath: 'booking-rules', ruleId: 'rules.06' });

serviceSuite({ now: testNow, manager: false }, ({ service, clock }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      const units = [1, 2, 3, 4, 5, 6, 7, 8];
      await insertTestBank(db, { places: { 1: units, 2: units, 3: units, 4: units } });
      await insertTestBank(db, { bankId: 1002, currency: 'ISK', places: { 1: units } });
    });
  });

  const give = (locationId: number, unitId: number, values: Values, bankId = 1001): Promise<void> =>
    service.write('sund', (db) => replaceSettings(db, { bankId, locationId, unitId }, Object.entries(values)));

  async function read(location: string, language = 'en'): Promise<Group[]> {
    const { token } = await createToken(service);
    const headers = { 'accept-language': language };
    const reply = await service.call('GET', `/api/v1/locations/sund-${location}/booking-rules`, { token, headers });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers['content-language'], language);
    assert.deepEqual(Object.keys(reply.json), ['locationKid', 'groups']);
    assert.equal(reply.json.locationKid, `sund-${location}`);
    return reply.json.groups;
  }

  /** The rules that a unit has, as `code: text`. */
  const told = ({ rules }: Group): string[] => rules.map(({ code, text }) => `${code}: ${plain(text)}`);

  test('[rules.01, rules.02, rules.03, rules.07] the rules of real laundries can be expressed, grouped by units with the same rules', async () => {
    // Held until 15 minutes after the start.
    const held = { ...bookable, BookingHold: '15', BookingStep: '30', BookingMinLength: '90' };
    // Five a month, two of them ahead; bookable from 7 to 22, and first come, first served outside.
    const shared = {
      ...bookable,
      BookingMaxPerMonth: '5',
      BookingMaxOpen: '2',
      BookingFrom: '07:00',
      BookingThrough: '22:00',
      BookingOutside: 'FirstCome',
    };
    // The last wash starts at 22.
    const late = {
      ...bookable,
      BookingFrom: '06:00',
      BookingThrough: '24:00',
      BookingLastStart: '22:00',
      BookingMaxLength: '120',
    };
    for (const unitId of [1, 5]) await give(1, unitId, held);
    for (const unitId of [2, 3]) await give(1, unitId, shared);
    await give(1, 4, late);
    await give(1, 6, { ...shared, Bookable: 'false' });
    await give(1, 7, { ...held, BookingCalendar: 'Basement' });
    await give(1, 8, shared);
    await service.write('sund', (db) =>
      db.updateTable('units').set({ deleted_at: 1 }).where('location_id', '=', 1).where('unit_id', '=', 8).execute(),
    );
    const groups = await read('B1001-L1');
    const heldRules = [
      'step: Time between possible starts: 30 minutes, counted from 00:00.',
      'min-length: A booking lasts at least 1 hour and 30 minutes.',
      'hold: The booking is held until 15 minutes after the start, then released if nobody has come.',
    ];
    assert.deepEqual(
      groups.map((group) => [group.calendar, group.unitKids, told(group), group.warnings]),
      [
        ['Basement', unitKids(1, 7), heldRules, []],
        ['Laundry', unitKids(1, 1, 5), heldRules, []],
        [
          'Laundry',
          unitKids(1, 2, 3),
          [
            'hours: Can be booked from 07:00 to 22:00.',
            'outside-hours: Outside the bookable hours: first come, first served.',
            'max-open: Upcoming bookings per resident: at most 2.',
            'max-per-month: Bookings per resident and month: at most 5.',
          ],
          [],
        ],
        [
          'Laundry',
          unitKids(1, 4),
          [
            'hours: Can be booked from 06:00 to 24:00.',
            'outside-hours: Outside the bookable hours: first come, first served.',
            'last-start: The last booking starts at 22:00.',
            'max-length: A booking lasts at most 2 hours.',
          ],
          [],
        ],
      ],
    );
    assert.deepEqual(groups.flatMap(({ rules }) => rules.map(({ code, value }) => [code, value])).slice(3, 9), [
      ['step', 30],
      ['min-length', 90],
      ['hold', 15],
      ['hours', { from: '07:00', through: '22:00' }],
      ['outside-hours', 'FirstCome'],
      ['max-open', 2],
    ]);
  });

  test('[rules.01] a unit whose type becomes one that cannot be booked has no rules, and has them again when the type changes back', async () => {
    const unit = { bankId: 1002, locationId: 1, unitId: 5 };
    await give(1, 5, { ...bookable, BookingMaxOpen: '7' }, 1002);
    const rules = async (type: UnitType) => {
      await service.write('sund', (db) => setUnitType(db, unit, type));
      return (await read('B1002-L1')).flatMap(({ unitKids: kids }) => kids);
    };
    assert.deepEqual(await rules('washer'), ['sund-B1002-L1-U5']);
    assert.deepEqual(await rules('door'), []);
    assert.deepEqual(await rules('heat_pump'), []);
    assert.deepEqual(await rules('sauna'), ['sund-B1002-L1-U5']);
    await give(1, 6, { Bookable: 'maybe' }, 1002);
    await service.write('sund', (db) => setUnitType(db, { ...unit, unitId: 6 }, 'door'));
    assert.deepEqual(await rules('lock'), [], 'not even as a warning');
  });

  /** Every rule there is. */
  const everything: Values = {
    Bookable: 'true',
    BookingCalendar: 'Party',
    BookingHorizon: '90',
    BookingNotice: '2880',
    BookingMaxOpen: '1',
    BookingMaxPerDay: '1',
    BookingMaxPerWeek: '1',
    BookingMaxPerMonth: '1',
    BookingMinLength: '240',
    BookingMaxLength: '720',
    BookingStep: '60',
    BookingFrom: '10:00',
    BookingThrough: '02:00',
    BookingOutside: 'Closed',
    BookingLastStart: '20:00',
    BookingCancelDeadline: '1500',
    BookingHold: '30',
    BookingPrice: '9223372036854775807',
    BookingRefund: '50',
    BookingCancelFee: '5000',
    BookingNoShowFee: '0',
    BookingFor: 'Tag',
    BookingTag: 'party',
    BookingQuietFrom: '03:00',
    BookingQuietThrough: '08:00',
  };

  test('[rules.02, rules.03] codes and values are the same in each of the ten languages, and the texts are its own', async () => {
    await give(2, 1, everything);
    const english = (await read('B1001-L2', 'en'))[0]!;
    assert.equal(english.rules.length, 20);
    const texts = new Set<string>();
    for (const language of languages) {
      const [group] = await read('B1001-L2', language);
      const stable = (rules: readonly Rule[] = []) => rules.map(({ code, value }) => [code, value]);
      assert.deepEqual(stable(group?.rules), stable(english.rules), language);
      for (const { text } of group?.rules ?? []) {
        assert.doesNotMatch(text, /[{}<>]|\b(?:undefined|null|NaN)\b/, text);
        texts.add(text);
      }
    }
    assert.equal(texts.size, 20 * languages.length);
    assert.deepEqual(told(english).slice(-4), [
      'price: Price of a booking: DKK 92,233,720,368,547,758.07.',
      'refund: Refund on cancellation: 50% of the price.',
      'cancel-fee: Cancellation fee: DKK 50.00.',
      'no-show-fee: No-show fee: DKK 0.00.',
    ]);
  });

  test('[rules.02] a price is exact over 64 bits, in the currency of the bank', async () => {
    const { token } = await createToken(service);
    await give(1, 1, { ...everything, BookingPrice: '1250', BookingCancelFee: '100' }, 1002);
    const exact = await service.call('GET', '/api/v1/locations/sund-B1001-L2/booking-rules', { token });
    assert.match(exact.text, /"value":\{"amountMinor":9223372036854775807,"currency":"DKK"\}/);
    const [icelandic] = await read('B1002-L1', 'is');
    const price = icelandic?.rules.find(({ code }) => code === 'price');
    assert.deepEqual(price?.value, { amountMinor: 1250, currency: 'ISK' });
    assert.equal(plain(price?.text ?? ''), 'Verð bókunar: 1.250 kr.');
  });

  test('[rules.04] faults of rules are warnings, each with its code, in the requested language', async () => {
    await give(3, 1, { ...bookable, BookingCalendar: null });
    await give(3, 2, { Bookable: 'true', BookingMinLength: '90', BookingMaxLength: '60', BookingFor: 'Tag' });
    await give(3, 3, { ...bookable, BookingFrom: '07:00', BookingThrough: '22:00', BookingLastStart: '06:00' });
    await give(3, 4, { ...bookable, BookingStep: '7', BookingHorizon: '14' });
    await give(3, 5, { ...bookable, BookingHorizon: '14' });
    await give(3, 6, { Bookable: 'maybe', BookingCalendar: 'Laundry' });
    const warnings = async (language: string) =>
      (await read('B1001-L3', language)).map((group) => [
        group.unitKids.join(),
        ...group.warnings.map(({ code, text }) => `${code}: ${plain(text)}`),
      ]);
    assert.deepEqual(await warnings('en'), [
      [
        'sund-B1001-L3-U3',
        'unreachable-last-start: The last start, 06:00, is before the bookable hours begin: nothing can be booked.',
      ],
      [
        'sund-B1001-L3-U4',
        'invalid-value: The stored value of the setting “Time between starts” is not allowed; it is treated as not set.',
      ],
      ['sund-B1001-L3-U5'],
      [
        'sund-B1001-L3-U6',
        'invalid-value: The stored value of the setting “Can be booked” is not allowed; it is treated as not set.',
      ],
      ['sund-B1001-L3-U1', 'missing-calendar: The units can be booked, but belong to no calendar.'],
      [
        'sund-B1001-L3-U2',
        'missing-calendar: The units can be booked, but belong to no calendar.',
        'missing-tag: Bookings are for residents with a tag, but no tag is specified.',
        'contradictory-lengths: The shortest booking (1 hour and 30 minutes) is longer than the longest (1 hour).',
      ],
    ]);
    const german = await warnings('de');
    assert.deepEqual(german[1]?.slice(1), [
      'invalid-value: Der gespeicherte Wert der Einstellung „Abstand der Anfangszeiten“ ist nicht zulässig; er gilt als nicht angegeben.',
    ]);
    assert.deepEqual(german.at(-1), [
      'sund-B1001-L3-U2',
      'missing-calendar: Die Einheiten sind buchbar, gehören aber zu keinem Kalender.',
      'missing-tag: Buchungen sind für Bewohner mit einem Merkmal, aber es ist keines angegeben.',
      'contradictory-lengths: Die kürzeste Buchung (1 Stunde und 30 Minuten) ist länger als die längste (1 Stunde).',
    ]);
  });

  test('[rules.03] durations are part of their sentences in each of the ten languages', async () => {
    const unit = { bankId: 1002, locationId: 1, unitId: 7 };
    await give(1, 7, { ...bookable, BookingNotice: '90', BookingHold: '60', BookingHorizon: '14' }, unit.bankId);
    const sentences: Readonly<Record<(typeof languages)[number], readonly string[]>> = {
      en: [
        'Can be booked at most 14 days in advance.',
        'Has to be booked at least 1 hour and 30 minutes before the start.',
        'The booking is held until 1 hour after the start, then released if nobody has come.',
      ],
      da: [
        'Kan højst bookes 14 dage i forvejen.',
        'Skal bookes mindst 1 time og 30 minutter før start.',
        'Bookingen holdes indtil 1 time efter start og frigives derefter, hvis ingen er kommet.',
      ],
      sv: [
        'Kan bokas högst 14 dagar i förväg.',
        'Måste bokas minst 1 timme och 30 minuter före start.',
        'Bokningen ligger kvar till 1 timme efter start och släpps därefter om ingen har kommit.',
      ],
      nb: [
        'Kan reserveres høyst 14 dager i forveien.',
        'Må reserveres minst 1 time og 30 minutter før start.',
        'Reservasjonen holdes til 1 time etter start og frigis deretter hvis ingen har møtt opp.',
      ],
      fi: [
        'Varattavissa etukäteen enintään: 14 päivää.',
        'Varattava viimeistään 1 tunti ja 30 minuuttia ennen alkua.',
        'Varaus pysyy voimassa, kunnes alkamisajasta on kulunut 1 tunti; sitten se vapautetaan, jos kukaan ei ole tullut.',
      ],
      is: [
        'Hámarksfyrirvari bókunar: 14 dagar.',
        'Lágmarksfyrirvari bókunar: 1 klukkustund og 30 mínútur.',
        'Tími sem bókun er haldið eftir upphaf: 1 klukkustund; síðan losnar hún ef enginn er kominn.',
      ],
      de: [
        'Höchstens 14 Tage im Voraus buchbar.',
        'Mindestens 1 Stunde und 30 Minuten vor Beginn zu buchen.',
        'Die Buchung wird bis 1 Stunde nach Beginn gehalten und danach freigegeben, wenn niemand gekommen ist.',
      ],
      nl: [
        'Hoogstens 14 dagen van tevoren te reserveren.',
        'Minstens 1 uur en 30 minuten voor het begin te reserveren.',
        'De reservering wordt tot 1 uur na het begin aangehouden en daarna vrijgegeven als er niemand is gekomen.',
      ],
      fr: [
        'Réservable au plus 14 jours à l’avance.',
        'À réserver au moins 1 heure et 30 minutes avant le début.',
        'Réservation maintenue jusqu’à 1 heure après le début, puis libérée si personne n’est venu.',
      ],
      pl: [
        'Najdłuższe wyprzedzenie rezerwacji: 14 dni.',
        'Najkrótsze wyprzedzenie rezerwacji: 1 godzina i 30 minut.',
        'Czas utrzymania rezerwacji po rozpoczęciu: 1 godzina; potem jest ona zwalniana, jeśli nikt nie przyszedł.',
      ],
    };
    for (const language of languages) {
      const group = (await read('B1002-L1', language)).find(({ unitKids: kids }) => kids.includes('sund-B1002-L1-U7'));
      assert.deepEqual(
        group?.rules.map(({ text }) => plain(text)),
        sentences[language],
        language,
      );
    }
  });

  test('[rules.05] the rules do not depend on the manager, on bookings, charges and cancellations, or on the time, in any language', async () => {
    await give(4, 1, { ...everything, BookingMaxOpen: '1' });
    await give(4, 2, { ...bookable, BookingMaxOpen: '1', BookingHorizon: '7', BookingPrice: '700' });
    const path = '/api/v1/locations/sund-B1001-L4/booking-rules';
    const texts = (grants = [{ bankId: 0, locationId: 0 }]): Promise<string[]> =>
      Promise.all(
        languages.map(async (language) => {
          const { token } = await createToken(service, { grants, permissions: reads });
          const reply = await service.call('GET', path, { token, headers: { 'accept-language': language } });
          assert.equal(reply.status, 200);
          return reply.text;
        }),
      );
    const rules = await texts();
    assert.equal(new Set(rules).size, languages.length);
    await bookEverything(4, [1, 2]);
    assert.deepEqual(await texts(), rules);
    assert.deepEqual(await texts([{ bankId: 1001, locationId: 4 }]), rules);
    clock.now += 400 * dayMs;
    assert.deepEqual(await texts(), rules);
    for (const text of rules) assert.doesNotMatch(text, /userKid|-R\d|available|free/i);
  });

  /** On each unit a day that is full, a booking that was charged and cancelled, and one that was recorded as cancelled. */
  async function bookEverything(locationId: number, units: readonly number[]): Promise<void> {
    await service.write('sund', async (db) => {
      for (const id of [1001, 1002]) await insertTestResident(db, id);
    });
    const [at, { token }] = [clock.now, await createToken(service)];
    for (const unitId of units) {
      const common = { locationId, unitId, hours: 1, priceMinor: 700n, residentId: 1001 };
      for (let hour = 0; hour < 24; hour += 1)
        await insertBooking(
          service,
          { ...common, startAt: at + dayMs + hour * hourMs, charge: bookingCharge },
          1001,
          at,
        );
      const charged = await insertBooking(
        service,
        { ...common, startAt: at + 3 * dayMs, charge: bookingCharge },
        1001,
        at,
      );
      assert.equal((await executeCommand(service, charged, 'Cancel', { token })).status, 200);
      await insertBooking(service, { ...common, startAt: at + 4 * dayMs, cancelled: { at, editorId: null } }, 1001, at);
    }
  }

  test('[rules.06] a manager of one location reads the rules of its units and of no others', async () => {
    const { token } = await createToken(service, { grants: [{ bankId: 1001, locationId: 3 }] });
    const status = async (location: number): Promise<number> =>
      (await service.call('GET', `/api/v1/locations/sund-B1001-L${location}/booking-rules`, { token })).status;
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(status)), [404, 404, 200, 404]);
  });
});
