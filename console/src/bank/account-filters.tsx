// The filters of the account, and what they ask of the service. The current settlement period is shown unless told.

import type { JSX } from 'react';
import type { Input } from '../api/client.ts';
import type { AccountPage } from '../api/operations.ts';
import { CheckFilter, ChoiceFilter, DateFilter, FilterBar } from '../components/filters.tsx';
import { choiceIn, numberIn, type ListState, type Search } from '../components/list-state.ts';
import { useLanguage } from '../portal.tsx';
import { LocationFilter } from './location-filter.tsx';
import { todayIn } from './today.ts';

export type AccountInput = Omit<Input<'GetBankAccount'>, 'Offset' | 'Limit' | 'Cursor'>;

/** In place of the number of a period. */
const byDate = 'dates';

export function accountInput(bankKid: string, search: Search, timeZone: string): AccountInput {
  const isByDate = search['period'] === byDate;
  const dates = { From: search['from'] ?? todayIn(timeZone), Through: search['through'] ?? todayIn(timeZone) };
  return {
    bankKid,
    TimeZone: timeZone,
    ...(isByDate ? dates : { Period: numberIn(search, 'period') ?? 0 }),
    LocationKid: search['locationKid'],
    UnitKid: search['unitKid'],
    UserKid: search['userKid'],
    Kind: choiceIn(search, 'kind', ['debit', 'credit'] as const),
    IncludeZero: search['zero'] === 'no' ? false : undefined,
    IncludeBookings: search['bookings'] === 'no' ? false : undefined,
    IncludeMonthly: search['monthly'] === 'no' ? false : undefined,
  };
}

type AccountFiltersProps = { readonly list: ListState; readonly page: AccountPage | undefined };

export function AccountFilters({ list, page }: AccountFiltersProps): JSX.Element {
  const { t } = useLanguage();
  const { search } = list;
  const timeZone = page?.timeZone ?? 'UTC';
  const locations = page?.choices.locations ?? [];
  const units =
    page?.choices.units.filter(({ locationKid }) => (search['locationKid'] ?? locationKid) === locationKid) ?? [];
  return (
    <FilterBar>
      <ChoiceFilter
        list={list}
        label={t('account.periodTitle')}
        name="period"
        choices={usePeriods(page, search['period'])}
      />
      {search['period'] === byDate ? (
        <>
          <DateFilter list={list} label={t('word.from')} name="from" value={todayIn(timeZone)} />
          <DateFilter list={list} label={t('word.through')} name="through" value={todayIn(timeZone)} />
        </>
      ) : undefined}
      <LocationFilter list={list} locations={locations} />
      <ChoiceFilter
        list={list}
        label={t('word.unit')}
        name="unitKid"
        choices={[['', t('list.all')], ...units.map(({ kid, name }) => [kid, name] as const)]}
      />
      <ChoiceFilter
        list={list}
        label={t('account.sign')}
        name="kind"
        choices={[
          ['', t('list.all')],
          ['debit', t('account.debit')],
          ['credit', t('account.credit')],
        ]}
      />
      <ChoiceFilter
        list={list}
        label={t('account.view')}
        name="view"
        choices={[
          ['', t('account.postings')],
          ['documents', t('account.receiptGroups')],
        ]}
      />
      <CheckFilter list={list} label={t('account.includeZero')} name="zero" />
      <CheckFilter list={list} label={t('account.includeBookings')} name="bookings" />
      <CheckFilter list={list} label={t('account.includeMonthly')} name="monthly" />
      {search['userKid'] === undefined ? undefined : <UserFilter list={list} userKid={search['userKid']} />}
    </FilterBar>
  );
}

/** The periods that the service offers, and a choice of dates. */
function usePeriods(page: AccountPage | undefined, chosen: string | undefined): (readonly [string, string])[] {
  const { t, formats } = useLanguage();
  const periods = (page?.periods ?? [])
    .filter(({ period }) => period !== 0)
    .map(({ period, fromUtc }) => {
      const begin = formats.dateTime(fromUtc, page?.timeZone).split(/,? \d\d[:.]\d\d/, 1)[0] ?? '';
      return [String(period), `${t('account.period', { period: String(period) })} (${begin})`] as const;
    });
  const isMissing = chosen !== undefined && chosen !== byDate && !periods.some(([value]) => value === chosen);
  return [
    ['0', t('account.currentPeriod')],
    [byDate, t('account.byDate')],
    ...(isMissing ? [[chosen, t('account.period', { period: chosen })] as const] : []),
    ...periods,
  ];
}

function UserFilter({ list, userKid }: { readonly list: ListState; readonly userKid: string }): JSX.Element {
  const { t } = useLanguage();
  return (
    <div className="field">
      <span className="field-name">{t('word.resident')}</span>
      <button type="button" className="button" onClick={() => list.change({ userKid: undefined })}>
        <code>{userKid}</code> ✕<span className="visually-hidden">{t('action.clear')}</span>
      </button>
    </div>
  );
}
