// The profiles by which files are read: those that come with the portal, and its own.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { ImportProfileItem } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Page } from '../components/page.tsx';
import { ImportKindName } from '../imports/import-kind-name.tsx';
import { NewProfile, profileCommands } from './profile-commands.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { importProfilePath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function ImportProfilesScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const profiles = useRead('GetImportProfiles', {});
  return (
    <Page
      title={t('import.profiles')}
      crumbs={[{ title: t('nav.imports'), to: '/imports' }]}
      actions={
        may(manager, 'SetImportProfile') ? (
          <CommandButton name={profileCommands.create} text={t('importProfile.create')} icon="create" isMain />
        ) : undefined
      }
    >
      <Loaded read={profiles}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{t('list.none')}</Empty>
          ) : (
            <DataTable
              caption={t('import.profiles')}
              columns={columnsOf(language)}
              rows={items}
              keyOf={({ name }) => name}
            />
          )
        }
      </Loaded>
      <NewProfile />
    </Page>
  );
}

const columnsOf = ({ t, formats }: LanguageState): readonly Column<ImportProfileItem>[] => [
  {
    key: 'name',
    title: t('word.name'),
    cell: ({ name }) => (
      <Link to={importProfilePath(name)} className="named">
        {name}
      </Link>
    ),
  },
  { key: 'kind', title: t('import.kind'), cell: ({ kind }) => <ImportKindName kind={kind} /> },
  {
    key: 'version',
    title: t('import.version'),
    cell: ({ version, builtIn }) =>
      builtIn || version === null ? <Mark tone="plain">{t('import.builtIn')}</Mark> : formats.number(version),
  },
];
