// Every overview of random trees of places, as random viewers see it, against the tree itself.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '../support/factories.ts';
import { replacePlaces, type BankTreeModel, type LocationModel, type UnitModel } from '../support/place-trees.ts';
import * as oracle from '../support/places-oracle.ts';
import type { OverviewViewer } from '../support/places-oracle.ts';
import {
  anyBanks,
  anyOverviewQuery,
  anyViewer,
  placesTestNow,
  type OverviewQuery,
} from '../support/place-arbitraries.ts';
import { serviceSuite } from '../support/service-suite.ts';

/** What an overview is asked with, and what it then holds. */
type Case = {
  readonly path: string;
  readonly question: OverviewQuery;
  readonly viewer: OverviewViewer;
  /** Everything of it, and what it is searched and sorted by; undefined where it is refused. */
  readonly all: readonly Listed[] | undefined;
};
type Listed = {
  readonly id: number;
  readonly item: unknown;
  readonly searched: readonly string[];
  readonly sorted: Partial<Record<OverviewQuery['sort'], string | number>>;
};

function pageOf(
  all: readonly Listed[],
  { filter = '', sort, direction, offset, limit }: OverviewQuery,
  language: string,
) {
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

const ofLocations = (
  bank: BankTreeModel,
  viewer: OverviewViewer,
  itemOf: (location: LocationModel) => unknown,
): Listed[] =>
  oracle.visibleLocations(bank, viewer).map((location) => {
    const { id, name } = location;
    const [address, zip] = oracle.showsAddress(location, viewer) ? [location.address, location.zip] : ['', ''];
    return { id, item: itemOf(location), searched: [name, address, zip], sorted: { name, address } };
  });

const ofUnits = (location: LocationModel, viewer: OverviewViewer, itemOf: (unit: UnitModel) => unknown): Listed[] =>
  oracle.liveUnits(location).map((unit) => ({
    id: unit.id,
    item: itemOf(unit),
    searched: [oracle.translateUnitName(unit, viewer), oracle.translateTypeName(oracle.unitTypeCodeOf(unit), viewer)],
    sorted: { name: oracle.translateUnitName(unit, viewer), unitType: oracle.unitTypeCodeOf(unit) ?? 0 },
  }));

serviceSuite({ now: placesTestNow, manager: false }, ({ service }) => {
  async function check(token: string, { path, question, viewer, all }: Case): Promise<void> {
    const query = new URLSearchParams(
      Object.entries(question).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const { status, json } = await service.call('GET', `${path}?${String(query)}`, {
      token,
      headers: { 'accept-language': viewer.language },
    });
    if (all === undefined) assert.deepEqual([status, json.code], [404, 'not-found'], path);
    else {
      const { nextCursor, ...page } = json;
      assert.deepEqual(page, pageOf(all, question, viewer.language), `${path}?${String(query)}`);
      assert.equal(nextCursor !== null, page.hasMore);
    }
  }

  const casesOf = (
    banks: readonly BankTreeModel[],
    viewer: OverviewViewer,
    ask: <T>(questions: fc.Arbitrary<T>) => T,
  ): Case[] => {
    const seen = oracle.visibleBanks(banks, viewer);
    const bankIcons: Case = {
      path: '/api/v1/banks/icons',
      question: ask(anyOverviewQuery('kid', 'name')),
      viewer,
      all: seen.map((bank) => ({
        id: bank.id,
        item: oracle.expectedBankIcons(bank, viewer),
        searched: [bank.name],
        sorted: { name: bank.name },
      })),
    };
    const ofBanks = banks.flatMap((bank): Case[] => {
      const path = `/api/v1/banks/${oracle.bankKid(bank)}`;
      const told = (itemOf: (location: LocationModel) => unknown) =>
        seen.includes(bank) ? ofLocations(bank, viewer, itemOf) : undefined;
      return [
        {
          path: `${path}/locations`,
          question: ask(anyOverviewQuery('kid', 'name', 'address')),
          viewer,
          all: told((location) => oracle.expectedLocationItem(bank, location, viewer)),
        },
        {
          path: `${path}/location-icons`,
          question: ask(anyOverviewQuery('kid')),
          viewer,
          all: told((location) => oracle.expectedLocationIcons(bank, location, viewer)),
        },
      ];
    });
    const ofPlaces = banks.flatMap((bank) =>
      bank.locations.flatMap((location): Case[] => {
        const path = `/api/v1/locations/${oracle.locationKid(bank, location)}`;
        const isSeen = seen.includes(bank) && oracle.visibleLocations(bank, viewer).includes(location);
        const told = (itemOf: (unit: UnitModel) => unknown) => (isSeen ? ofUnits(location, viewer, itemOf) : undefined);
        return [
          {
            path: `${path}/units`,
            question: ask(anyOverviewQuery('kid', 'name', 'unitType')),
            viewer,
            all: told((unit) => oracle.expectedUnitItem(bank, location, unit, viewer)),
          },
          {
            path: `${path}/unit-icons`,
            question: ask(anyOverviewQuery('kid')),
            viewer,
            all: told((unit) => oracle.expectedUnitIcons(bank, location, unit, viewer)),
          },
        ];
      }),
    );
    return [bankIcons, ...ofBanks, ...ofPlaces];
  };

  test('[places.01, places.02, places.04, places.07, places.08, places.10, places.11, places.13] every overview holds what the tree of places and the grants say', async () => {
    const asked = { answered: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        anyBanks,
        fc.array(anyViewer, { minLength: 2, maxLength: 3 }),
        fc.gen(),
        async (banks, viewers, gen) => {
          await service.write('sund', (db) => replacePlaces(db, banks));
          for (const viewer of viewers) {
            const { token } = await createToken(service, { grants: viewer.grants });
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
