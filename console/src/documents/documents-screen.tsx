// The documents of what units did in the last hours or days.

import { Link } from '@tanstack/react-router';
import { useMemo, type JSX } from 'react';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { LocationFilter } from '../locations/location-filter.tsx';
import { lastDays } from '../times/today.ts';
import type { FoundDocument } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { KidIcon } from '../components/icon.tsx';
import { useListState } from '../lists/list-state.ts';
import { choiceIn, numberIn } from '../lists/search-values.ts';
import { ListView } from '../lists/list-view.tsx';
import { Section } from '../components/page.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { documentPath, locationPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

/** At most 31 days can be searched at once. */
const dayChoices = ['1', '7', '31'] as const;

export function DocumentsScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const { search } = list;
  const days = Number(choiceIn(search, 'days', dayChoices) ?? '1');
  // Not at each render: a new interval would be a new search.
  const interval = useMemo(() => lastDays(days), [days]);
  const documents = useRead('GetBankDocuments', {
    bankKid,
    ...interval,
    locationKid: search['locationKid'],
    unitKid: search['unitKid'],
    offset: numberIn(search, 'offset'),
  });
  const { locations = [], units = [] } = documents.data ?? {};
  return (
    <BankPage bankKid={bankKid} tab="documents">
      <FilterBar>
        <ChoiceFilter
          list={list}
          label={t('documents.active')}
          name="days"
          choices={dayChoices.map(
            (value) =>
              [
                value,
                value === '1' ? t('documents.lastDay') : t('documents.lastDays', { count: Number(value) }),
              ] as const,
          )}
        />
        <LocationFilter list={list} locations={locations} />
        <ChoiceFilter
          list={list}
          label={t('word.unit')}
          name="unitKid"
          choices={[
            ['', t('list.all')],
            ...units
              .filter(({ locationKid }) => (search['locationKid'] ?? locationKid) === locationKid)
              .map(({ kid, name }) => [kid, name] as const),
          ]}
        />
      </FilterBar>
      <Section title={t('bank.documents')} isHidden>
        <ListView
          read={documents}
          list={list}
          caption={t('bank.documents')}
          columns={columnsOf(language)}
          keyOf={({ kid }) => kid}
        />
      </Section>
    </BankPage>
  );
}

const columnsOf = ({ t, formats }: LanguageState): readonly Column<FoundDocument>[] => [
  {
    key: 'unit',
    title: t('word.unit'),
    cell: ({ kid, unitName, unitIconKid }) => (
      <Link to={documentPath(kid)} className="named">
        <KidIcon kid={unitIconKid} />
        {unitName}
      </Link>
    ),
  },
  {
    key: 'location',
    title: t('word.location'),
    cell: ({ locationKid, locationName }) => <Link to={locationPath(locationKid)}>{locationName}</Link>,
  },
  {
    key: 'activity',
    title: t('word.lastActivity'),
    cell: ({ lastActivityUtc, timeZone }) => (
      <time dateTime={lastActivityUtc}>{formats.dateTime(lastActivityUtc, timeZone)}</time>
    ),
  },
  { key: 'kid', title: 'KID', cell: ({ kid }) => <code>{kid}</code> },
];
