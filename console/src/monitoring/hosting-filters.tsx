// The choice of what runs where, for its logs and measurements.

import type { JSX } from 'react';
import { ChoiceFilter } from '../lists/filters.tsx';
import type { ListState } from '../lists/list-state.ts';
import { useLanguage } from '../portal.tsx';

type HostingFiltersProps = { readonly list: ListState; readonly applications: readonly string[] };

export function HostingFilters({ list, applications }: HostingFiltersProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <ChoiceFilter
        list={list}
        label={t('hosting.environment')}
        name="environment"
        choices={[
          ['beta', t('hosting.beta')],
          ['production', t('hosting.production')],
        ]}
      />
      <ChoiceFilter
        list={list}
        label={t('hosting.application')}
        name="application"
        choices={applications.map((name) => [name, name] as const)}
      />
    </>
  );
}
