// The locations of a housing association as a list or on a map, and its own address.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { AddressPanel } from '../addresses/address-panel.tsx';
import { BankPage, useParameter } from './bank-page.tsx';
import { DeviceSyncs } from '../units/device-syncs.tsx';
import { LocationMap } from '../addresses/location-map.tsx';
import { largestPages } from '../api/limits.ts';
import type { Location } from '../api/operations.ts';
import { may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../components/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filters.tsx';
import { KidIcon } from '../components/icon.tsx';
import { pageInput, useListState } from '../components/list-state.ts';
import { ListView } from '../components/list-view.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Section } from '../components/page.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { locationPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function BankScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const manager = useManager();
  const isMap = list.search['view'] === 'map';
  const locations = useRead('GetBankLocations', {
    bankKid,
    ...pageInput(list.search, ['kid', 'name', 'address'] as const),
    ...(isMap ? { offset: undefined, limit: largestPages.GetBankLocations } : {}),
  });
  return (
    <BankPage bankKid={bankKid} tab="">
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
        <ChoiceFilter
          list={list}
          label={t('account.view')}
          name="view"
          choices={[
            ['', t('booking.list')],
            ['map', t('map.title')],
          ]}
        />
      </FilterBar>
      <Section title={t('bank.locations')} isHidden>
        {isMap ? (
          <Loaded read={locations}>
            {({ items, hasMore }) =>
              items.length === 0 ? <Empty>{t('list.none')}</Empty> : <LocationMap places={items} hasMore={hasMore} />
            }
          </Loaded>
        ) : (
          <ListView
            read={locations}
            list={list}
            caption={t('bank.locations')}
            columns={columnsOf(language)}
            keyOf={({ kid }) => kid}
            defaultSort="kid"
          />
        )}
      </Section>
      {mayInBank(manager, bankKid, 'GetObjectAddress') ? <AddressPanel kid={bankKid} /> : undefined}
      {may(manager, 'GetDeviceSyncs') ? <RefusedSyncs bankKid={bankKid} /> : undefined}
    </BankPage>
  );
}

/** What the equipment has refused, and what still waits to be sent again. */
function RefusedSyncs({ bankKid }: { readonly bankKid: string }): JSX.Element | undefined {
  const { t } = useLanguage();
  const syncs = useRead('GetDeviceSyncs', { bankKid, state: 'failed' });
  // It comes last on the screen, and only if there is something: nothing jumps.
  if (syncs.isPending || syncs.data?.items.length === 0) return undefined;
  return <DeviceSyncs bankKid={bankKid} read={syncs} isOfUnit={false} title={t('sync.refused')} />;
}

const columnsOf = ({ t, formats }: LanguageState): readonly Column<Location>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, iconKid, enabled }) => (
      <>
        <Link to={locationPath(kid)} className="named">
          <KidIcon kid={iconKid} />
          {name}
        </Link>
        {enabled ? undefined : <Mark tone="warn">{t('state.disabled')}</Mark>}
      </>
    ),
  },
  {
    key: 'address',
    title: t('word.address'),
    sort: 'address',
    cell: ({ address, zip }) => [address, zip].filter(Boolean).join(', '),
  },
  {
    key: 'units',
    title: t('word.units'),
    cell: ({ units }) => (
      <span className="marks">
        {units.map(({ unitType, typeName, count }) => (
          <Mark key={unitType ?? ''} tone="plain">
            {formats.number(count)} × {typeName}
          </Mark>
        ))}
      </span>
    ),
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];
