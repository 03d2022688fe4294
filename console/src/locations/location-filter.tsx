// Chooses one of the locations of a housing association, above a list.

import type { JSX } from 'react';
import type { LocationReference } from '../api/operations.ts';
import { ChoiceFilter } from '../components/filters.tsx';
import type { ListState } from '../components/list-state.ts';
import { useLanguage } from '../portal.tsx';

type LocationFilterProps = { readonly list: ListState; readonly locations: readonly LocationReference[] };

export function LocationFilter({ list, locations }: LocationFilterProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <ChoiceFilter
      list={list}
      label={t('word.location')}
      name="locationKid"
      choices={[['', t('list.all')], ...locations.map(({ kid, name }) => [kid, name] as const)]}
    />
  );
}
