// A location: its units with their state, its opening hours, its booking rules and its address.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { AddressPanel } from '../addresses/address-panel.tsx';
import { useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { BookingRulesSection } from '../bookings/booking-rules.tsx';
import { OpeningHoursSection } from './opening-hours.tsx';
import { largestPages } from '../api/limits.ts';
import type { Unit, UnitIcons } from '../api/operations.ts';
import { bankOfLocation, may, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../lists/data-table.tsx';
import { FilterBar, TextFilter } from '../lists/filters.tsx';
import { KidIcon } from '../components/icon.tsx';
import { pageInput, useListState } from '../lists/list-state.ts';
import { ListView } from '../lists/list-view.tsx';
import { Skeleton } from '../components/loaded.tsx';
import { Mark, Page, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function LocationScreen(): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const locationKid = useParameter('locationKid');
  const crumbs = useBankCrumbs(bankOfLocation(manager, locationKid)?.kid ?? '');
  return (
    <Page title={nameOfPlace(manager, locationKid)} note={<code>{locationKid}</code>} crumbs={crumbs}>
      {may(manager, 'GetLocationUnits') ? (
        <Section title={t('word.units')}>
          <UnitList locationKid={locationKid} />
        </Section>
      ) : undefined}
      <div className="columns">
        <div>
          {may(manager, 'GetLocationOpeningHours') ? <OpeningHoursSection locationKid={locationKid} /> : undefined}
          {may(manager, 'GetObjectAddress') ? <AddressPanel kid={locationKid} /> : undefined}
        </div>
        {may(manager, 'GetLocationBookingRules') ? <BookingRulesSection locationKid={locationKid} /> : undefined}
      </div>
    </Page>
  );
}

function UnitList({ locationKid }: { readonly locationKid: string }): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  // The opening hours read as many for the names of units: without a filter, both are one request.
  const input = {
    locationKid,
    ...pageInput(list.search, ['kid', 'name', 'unitType'] as const),
    limit: largestPages.GetLocationUnits,
  };
  const units = useRead('GetLocationUnits', input);
  const icons = useRead('GetUnitIcons', { locationKid, limit: largestPages.GetUnitIcons });
  const iconsByKid = new Map((icons.data?.items ?? []).map((each) => [each.kid, each]));
  return (
    <>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
      </FilterBar>
      {/* The rows grow by the state of the units. */}
      {icons.isPending ? (
        <Skeleton lines={10} />
      ) : (
        <ListView
          read={units}
          list={list}
          caption={t('word.units')}
          columns={columnsOf(t, iconsByKid)}
          keyOf={({ kid }) => kid}
          defaultSort="kid"
        />
      )}
    </>
  );
}

const columnsOf = (t: Translate, icons: ReadonlyMap<string, UnitIcons>): readonly Column<Unit>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, iconKid }) => (
      <Link to={unitPath(kid)} className="named">
        <KidIcon kid={iconKid} />
        {name}
      </Link>
    ),
  },
  { key: 'type', title: t('word.type'), sort: 'unitType', cell: ({ typeName }) => typeName },
  {
    key: 'state',
    title: t('word.state'),
    cell: ({ kid, enabled, bookable, outOfOrder }) => (
      <span className="marks">
        <ContactMark icons={icons.get(kid)} />
        {outOfOrder ? <Mark tone="bad">{t('status.outOfOrder')}</Mark> : undefined}
        {enabled ? undefined : <Mark tone="warn">{t('state.disabled')}</Mark>}
        {bookable ? <Mark tone="plain">{t('units.bookable')}</Mark> : undefined}
      </span>
    ),
  },
  {
    key: 'contact',
    title: t('units.lastContact'),
    cell: ({ kid }) => {
      const lastContact = icons.get(kid)?.lastContactUtc ?? undefined;
      return lastContact === undefined ? undefined : <Ago instant={lastContact} />;
    },
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];

function ContactMark({ icons }: { readonly icons: UnitIcons | undefined }): JSX.Element | undefined {
  const { t } = useLanguage();
  if (icons === undefined) return undefined;
  if (icons.status === 'Online') return <Mark tone="ok">{t('status.online')}</Mark>;
  if (icons.status === 'Offline') return <Mark tone="warn">{t('status.offline')}</Mark>;
  return <Mark tone="plain">{t('state.unknown')}</Mark>;
}
