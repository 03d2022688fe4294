// Every overview of random trees of places, as random viewers see it, against the tree itself.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fromMs2000 } from '../../src/lib/ms2000.ts';
import { makeToken } from '../support/factories.ts';
import { plant, type Bank, type Location, type Unit } from '../support/places.ts';
import * as oracle from '../support/places-oracle.ts';
import type { Viewer } from '../support/places-oracle.ts';
import { anyBanks, anyQuestion, anyViewer, now, type Question } from '../support/place-worlds.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

/** What an overview is asked with, and what it then holds. */
type Case = {
  readonly path: string;
  readonly question: Question;
  readonly viewer: Viewer;
  /** Everything of it, and what it is searched and sorted by; undefined where it is refused. */
  readonly all: readonly Listed[] | undefined;
};
type Listed = {
  readonly id: number;
  readonly item: unknown;
  readonly searched: readonly string[];
  readonly sorted: Partial<Record<Question['sort'], string | number>>;
};

function pageOf(all: readonly Listed[], { filter = '', sort, direction, offset, limit }: Question, language: string) {
  const found = all.filter(({ searched }) =>
    searched.some((text) => text.toLowerCase().includes(filter.toLowerCase())),
  );
  const names = new Intl.Collator(language, { numeric: true });
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = found
    .toSorted((a, b) => a.id - b.id)
    .toSorted((a, b) => {
      if (sort === 'kid') return sign * (a.id - b.id);
      const [one = '', other = ''] = [a.sorted[sort], b.sorted[sort]];
      return sign * (typeof one === 'number' ? one - Number(other) : names.compare(one, String(other)));
    });
  const items = sorted.slice(offset, offset + limit).map(({ item }) => item);
  return { items, offset, limit, hasMore: sorted.length > offset + limit };
}

const ofLocations = (bank: Bank, viewer: Viewer, itemOf: (location: Location) => unknown): Listed[] =>
  oracle.locationsOf(bank, viewer).map((location) => ({
    id: location.id,
    item: itemOf(location),
    searched: [location.name, location.address, location.zip],
    sorted: { name: location.name, address: location.address },
  }));

const ofUnits = (location: Location, viewer: Viewer, itemOf: (unit: Unit) => unknown): Listed[] =>
  oracle.unitsOf(location).map((unit) => ({
    id: unit.id,
    item: itemOf(unit),
    searched: [oracle.nameOf(unit, viewer), oracle.typeNameOf(oracle.codeOf(unit), viewer)],
    sorted: { name: oracle.nameOf(unit, viewer), unitType: oracle.codeOf(unit) ?? 0 },
  }));

onBothEngines((engine) => {
  let service: Service;
  before(async () => {
    service = await startService(engine, { clock: () => fromMs2000(now) });
  });
  after(() => service.stop());

  async function check(token: string, { path, question, viewer, all }: Case): Promise<void> {
    const query = new URLSearchParams(
      Object.entries(question).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const { status, json } = await service.call('GET', `${path}?${String(query)}`, {
      token,
      headers: { 'accept-language': viewer.language },
    });
    if (all === undefined) assert.deepEqual([status, json.code], [404, 'not-found'], path);
    else assert.deepEqual(json, pageOf(all, question, viewer.language), `${path}?${String(query)}`);
  }

  const casesOf = (banks: readonly Bank[], viewer: Viewer, ask: <T>(questions: fc.Arbitrary<T>) => T): Case[] => {
    const seen = oracle.banksOf(banks, viewer);
    const bankIcons: Case = {
      path: '/api/v1/banks/icons',
      question: ask(anyQuestion('kid', 'name')),
      viewer,
      all: seen.map((bank) => ({
        id: bank.id,
        item: oracle.bankIcons(bank, viewer),
        searched: [bank.name],
        sorted: { name: bank.name },
      })),
    };
    const ofBanks = banks.flatMap((bank): Case[] => {
      const path = `/api/v1/banks/${oracle.bankKid(bank)}`;
      const told = (itemOf: (location: Location) => unknown) =>
        seen.includes(bank) ? ofLocations(bank, viewer, itemOf) : undefined;
      return [
        {
          path: `${path}/locations`,
          question: ask(anyQuestion('kid', 'name', 'address')),
          viewer,
          all: told((location) => oracle.locationItem(bank, location, viewer)),
        },
        {
          path: `${path}/location-icons`,
          question: ask(anyQuestion('kid')),
          viewer,
          all: told((location) => oracle.locationIcons(bank, location, viewer)),
        },
      ];
    });
    const ofPlaces = banks.flatMap((bank) =>
      bank.locations.flatMap((location): Case[] => {
        const path = `/api/v1/locations/${oracle.locationKid(bank, location)}`;
        const isSeen = seen.includes(bank) && oracle.locationsOf(bank, viewer).includes(location);
        const told = (itemOf: (unit: Unit) => unknown) => (isSeen ? ofUnits(location, viewer, itemOf) : undefined);
        return [
          {
            path: `${path}/units`,
            question: ask(anyQuestion('kid', 'name', 'unitType')),
            viewer,
            all: told((unit) => oracle.unitItem(bank, location, unit, viewer)),
          },
          {
            path: `${path}/unit-icons`,
            question: ask(anyQuestion('kid')),
            viewer,
            all: told((unit) => oracle.unitIcons(bank, location, unit, viewer)),
          },
        ];
      }),
    );
    return [bankIcons, ...ofBanks, ...ofPlaces];
  };

  test(`[places.01, places.02, places.04, places.07, places.08, places.10, places.11, places.13] every overview holds what the tree of places and the grants say (${engine})`, async () => {
    const asked = { answered: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        anyBanks,
        fc.array(anyViewer, { minLength: 2, maxLength: 3 }),
        fc.gen(),
        async (banks, viewers, gen) => {
          await service.write('sund', (db) => plant(db, banks));
          for (const viewer of viewers) {
            const { token } = await makeToken(service, { grants: viewer.grants });
            for (const each of casesOf(banks, viewer, (questions) => gen(() => questions))) {
              asked[each.all === undefined ? 'refused' : 'answered'] += 1;
              await check(token, each);
            }
          }
        },
      ),
      { numRuns: 20 },
    );
    assert.ok(asked.answered > 50 && asked.refused > 20, JSON.stringify(asked));
  });
});
