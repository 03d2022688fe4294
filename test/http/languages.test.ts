// Accept-Language chooses the language of unit names, and the response says which it is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { grantBank } from '../support/granted-banks.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const account = '/api/v1/banks/sund-B1001/account';

/** `{washer} 1` in the ten languages. */
const washers: Record<string, string> = {
  da: 'Vaskemaskine 1',
  en: 'Washer 1',
  sv: 'Tvättmaskin 1',
  nb: 'Vaskemaskin 1',
  fi: 'Pesukone 1',
  is: 'Þvottavél 1',
  de: 'Waschmaschine 1',
  nl: 'Wasmachine 1',
  fr: 'Lave-linge 1',
  pl: 'Pralka 1',
};

const choices: [acceptLanguage: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['en-GB', 'en'],
  ['da-DK', 'da'],
  ['DA', 'da'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['zh', 'en'],
  ['zh, ja;q=0.9', 'en'],
  ['zh, pl;q=0.1', 'pl'],
  ['fr;q=0.2, de;q=0.9, nl;q=0.5', 'de'],
  ['de;q=0, *', 'en'],
  ['sv;q=0', 'en'],
  ['*', 'en'],
  ['danish', 'en'],
  ['da;q=none', 'en'],
  ['{washer}', 'en'],
  [`${'x-'.repeat(600)}, da`, 'en'],
];

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      const posting = {
        recordedAt: toMs2000(Date.now()),
        locationId: 1,
        unitId: 1,
        residentId: 1000,
        kind: 'Consumption',
      } as const;
      await lockAndAppendPostings(db, grantBank(1001), [
        { ...posting, currency: 'DKK', amountMinor: -1250n, text: 'Wash' },
      ]);
    });
  });

  /** The unit's name in the choices and in the rows. */
  const read = async (acceptLanguage: string | undefined) => {
    const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
    const reply = await service.call('GET', `${account}?Period=0`, { token: manager.token, headers });
    const chosen = reply.json.choices.units.find((unit: { kid: string }) => unit.kid === 'sund-B1001-L1-U1');
    return { headers: reply.headers, names: [chosen.name, reply.json.items[0].unitName], json: reply.json };
  };

  test('[general.19, general.20, general.22] each of the ten languages has its own unit names, and Content-Language says which it is', async () => {
    assert.equal(Object.keys(washers).length, 10);
    for (const [language, name] of Object.entries(washers)) {
      const { headers, names } = await read(language);
      assert.deepEqual(names, [name, name]);
      assert.equal(headers['content-language'], language);
      assert.match(headers.vary ?? '', /\bAccept-Language\b/);
    }
  });

  test('[general.19, general.20] a usable language is chosen by its weight, and English if none is usable', async () => {
    for (const [acceptLanguage, language] of choices) {
      const { headers, names } = await read(acceptLanguage);
      assert.equal(headers['content-language'], language, String(acceptLanguage));
      assert.deepEqual(names, [washers[language], washers[language]], String(acceptLanguage));
      assert.match(headers.vary ?? '', /\bAccept-Language\b/);
    }
  });

  test('the language changes only names', async () => {
    const { json: danish } = await read('da');
    const { json: english } = await read('en');
    const spelled = JSON.stringify(danish).replaceAll('Vaskemaskine', 'Washer');
    assert.deepEqual(JSON.parse(spelled), english);
  });

  test('an answer without localised text has no Content-Language', async () => {
    for (const path of ['/api/v1/session/me', `${account}/revision`]) {
      const { headers } = await service.call('GET', path, {
        token: manager.token,
        headers: { 'accept-language': 'da' },
      });
      assert.deepEqual([headers['content-language'], headers.vary], [undefined, 'Accept, Accept-Encoding'], path);
    }
  });
});
