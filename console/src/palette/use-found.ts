// What the palette finds for a text: at once what is known, and after a pause what the service finds.

import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { largestPages } from '../api/limits.ts';
import type { BankAccess, CurrentManager } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { readQuery, useRead } from '../api/use-read.ts';
import { dayOf } from '../times/today.ts';
import { usePaused } from '../components/use-paused.ts';
import { bankKidOf, findKid, type FoundKid } from '../kid.ts';
import { bankPath, managerPath, residentPath, unitPath } from '../paths.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import {
  listBankScreens,
  listBanks,
  listLocations,
  listOfKid,
  listScreens,
  matches,
  orderBanks,
  type Entry,
  type EntryGroup,
} from './entries.ts';

/** Every housing association and every location is a request of its own. */
const maxBanks = 4;
const maxLocations = 8;
const maxEntries = 6;
const fewestLetters = 2;
const minuteMs = 60_000;

export type Found = {
  readonly groups: readonly EntryGroup[];
  readonly isSearching: boolean;
  /** The housing associations in which residents and units were searched, if these are not all. */
  readonly searchedIn: readonly string[];
  /** In how many locations units were searched, if these are not all of them. */
  readonly unitsIn: number | undefined;
  /** Some of them could not be searched. */
  readonly isIncomplete: boolean;
};

type FindOptions = {
  readonly manager: CurrentManager;
  readonly text: string;
  /** The housing association, or the location, of the screen below. */
  readonly placeKid: string;
  readonly actions: readonly Entry[];
};

export function useFound({ manager, text, placeKid, actions }: FindOptions): Found {
  const { t } = useLanguage();
  const typed = text.trim();
  const settled = usePaused(typed);
  const kid = findKid(typed, manager.tenantKid);
  const banks = orderBanks(manager, bankKidOf(placeKid));
  const searched = banks.slice(0, maxBanks);
  const isSearched = settled === typed && typed.length >= fewestLetters && kid === undefined;
  const booking = useBookingEntry(manager, kid);
  const people = usePeople(manager, searched, isSearched ? typed : '');
  const units = useUnits(manager, searched, { typed: isSearched ? typed : '', placeKid });
  const choose = (entries: readonly Entry[]): Entry[] =>
    entries.filter(({ title, detail = '', key }) => matches(typed, `${title} ${detail} ${key}`)).slice(0, maxEntries);
  const ofKid = kid === undefined ? [] : [...booking.entries, ...listOfKid(manager, kid, t)];
  const here = banks.filter((bank) => bank.kid === bankKidOf(placeKid));
  const groups: EntryGroup[] =
    typed === ''
      ? [
          { title: here[0]?.name ?? '', entries: listBankScreens(manager, here, t) },
          { title: t('palette.screens'), entries: listScreens(manager, t) },
          { title: t('palette.actions'), entries: actions },
        ]
      : [
          { title: 'KID', entries: ofKid },
          {
            title: t('palette.screens'),
            entries: choose([...listScreens(manager, t), ...listBankScreens(manager, banks, t)]),
          },
          { title: t('nav.banks'), entries: choose(listBanks(manager, banks)) },
          { title: t('bank.locations'), entries: choose(listLocations(manager, banks)) },
          { title: t('word.units'), entries: units.entries.slice(0, maxEntries) },
          { title: t('bank.residents'), entries: people.residents.slice(0, maxEntries) },
          { title: t('nav.managers'), entries: people.managers },
          { title: t('palette.actions'), entries: choose(actions) },
        ];
  const parts = [booking, people, units];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: (settled !== typed && kid === undefined) || parts.some(({ isPending }) => isPending),
    searchedIn: isSearched && banks.length > maxBanks ? searched.map(({ name }) => name) : [],
    unitsIn: isSearched && countLocations(banks) > maxLocations ? maxLocations : undefined,
    isIncomplete: parts.some(({ isError }) => isError),
  };
}

const countLocations = (banks: readonly BankAccess[]): number => banks.flatMap(({ locations }) => locations).length;

type Part = { readonly isPending: boolean; readonly isError: boolean };

const stateOf = (results: readonly UseQueryResult[]): Part => ({
  isPending: results.some(({ isLoading }) => isLoading),
  isError: results.some(({ isError }) => isError),
});

type People = Part & { readonly residents: readonly Entry[]; readonly managers: readonly Entry[] };

function usePeople(manager: CurrentManager, banks: readonly BankAccess[], typed: string): People {
  const { client } = usePortal();
  const { language } = useLanguage();
  const enabled = typed !== '' && may(manager, 'GetBankUsers');
  const residents = useQueries({
    queries: banks.map(({ kid: bankKid }) => ({
      ...readQuery(client, language, 'GetBankUsers', { bankKid, filter: typed, limit: maxEntries }),
      enabled,
    })),
  });
  const managers = useRead(
    'GetManagers',
    { filter: typed, limit: maxEntries, state: 'all' },
    { enabled: typed !== '' && may(manager, 'GetManagers') },
  );
  const found = residents.flatMap(({ data }, index) =>
    (data?.items ?? []).map((resident): Entry => {
      const { kid, name, apartment } = resident;
      const bank = banks[index];
      return {
        key: kid,
        title: name === '' ? kid : name,
        detail: [apartment, bank?.name].filter(Boolean).join(' · '),
        icon: 'manager',
        to: residentPath(bankKidOf(kid), kid),
      };
    }),
  );
  const foundManagers = (managers.data?.items ?? []).map(({ kid, name, organisation }): Entry => ({
    key: kid,
    title: name === '' ? kid : name,
    detail: organisation,
    icon: 'manager',
    to: managerPath(kid),
  }));
  const isShown = typed !== '';
  return {
    residents: isShown && may(manager, 'GetBankUserWorkspace') ? found : [],
    managers: isShown && may(manager, 'GetManager') && !managers.isPlaceholderData ? foundManagers : [],
    ...(isShown ? stateOf([...residents, managers]) : { isPending: false, isError: false }),
  };
}

type UnitSearch = { readonly typed: string; readonly placeKid: string };

/** The units of a location are read once, and searched here. */
function useUnits(
  manager: CurrentManager,
  banks: readonly BankAccess[],
  { typed, placeKid }: UnitSearch,
): Part & { readonly entries: readonly Entry[] } {
  const { client } = usePortal();
  const { language } = useLanguage();
  const isOpen = may(manager, 'GetLocationUnits') && may(manager, 'GetUnitOverview');
  const locations = banks
    .flatMap(({ name: bankName, locations: all }) => all.map((location) => ({ ...location, bankName })))
    .toSorted((a, b) => Number(placeKid.startsWith(b.kid)) - Number(placeKid.startsWith(a.kid)))
    .slice(0, maxLocations);
  const read = useQueries({
    queries: locations.map(({ kid: locationKid }) => ({
      ...readQuery(client, language, 'GetLocationUnits', { locationKid, limit: largestPages.GetLocationUnits }),
      staleTime: minuteMs,
      enabled: isOpen && typed !== '',
    })),
  });
  if (typed === '') return { entries: [], isPending: false, isError: false };
  const entries = read.flatMap(({ data }, index) =>
    (data?.items ?? [])
      .map(({ kid, name, typeName }): Entry => {
        const { name: locationName = '', bankName = '' } = locations[index] ?? {};
        return {
          key: kid,
          title: name === '' ? typeName : name,
          detail: `${locationName} · ${bankName}`,
          icon: 'unit',
          to: unitPath(kid),
        };
      })
      .filter(({ title, detail = '', key }) => matches(typed, `${title} ${detail} ${key}`)),
  );
  return { entries, ...stateOf(read) };
}

/** A booking is shown in the list of its day. */
function useBookingEntry(
  manager: CurrentManager,
  found: FoundKid | undefined,
): Part & { readonly entries: readonly Entry[] } {
  const { t, formats } = useLanguage();
  const isBooking = found?.type === 'booking' && may(manager, 'GetBankBooking');
  const eventKid = isBooking ? found.kid : '';
  const bankKid = bankKidOf(eventKid);
  const booking = useRead('GetBankBooking', { bankKid, eventKid }, { enabled: isBooking });
  if (!isBooking) return { entries: [], isPending: false, isError: false };
  const part = { isPending: booking.isLoading, isError: booking.isError };
  if (booking.data === undefined || booking.isError) return { ...part, entries: [] };
  const { startUtc, timeZone, unitName, userName } = booking.data;
  // The list takes days in the zone of the tenant.
  const day = dayOf(startUtc, manager.timeZone);
  const entry: Entry = {
    key: `kid ${eventKid}`,
    title: `${t('word.booking')} ${formats.dateTime(startUtc, timeZone)}`,
    detail: [unitName, userName].filter(Boolean).join(' · '),
    icon: 'bookings',
    to: bankPath(bankKid, 'bookings'),
    search: { from: day, through: day },
  };
  return { ...part, entries: [entry] };
}
