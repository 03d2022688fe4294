// A profile: which column of a file becomes which field, and its whole document, which can be changed, copied, and tried
// on a file.

import type { JSX } from 'react';
import type { ImportProfile } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../banks/bank-page.tsx';
import { CommandButton } from '../command/command-button.tsx';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page, Section } from '../components/page.tsx';
import { nameOfImportField } from '../imports/field-names.ts';
import { ImportKindName } from '../imports/import-kind-name.tsx';
import { ChangedProfile, NewProfile, profileCommands, textOfDocument } from './profile-commands.tsx';
import { TryProfile } from './try-profile.tsx';
import type { Translate } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function ImportProfileScreen(): JSX.Element {
  const name = useParameter('name');
  const profile = useRead('GetImportProfile', { name });
  return (
    <Loaded read={profile} lines={12}>
      {(data) => <ProfilePage profile={data} />}
    </Loaded>
  );
}

function ProfilePage({ profile }: { readonly profile: ImportProfile }): JSX.Element {
  const { t, formats } = useLanguage();
  const manager = useManager();
  const { name, kind, version, builtIn, document } = profile;
  const columns = listColumns(document);
  return (
    <Page
      title={name}
      mark={builtIn ? <Mark tone="plain">{t('import.builtIn')}</Mark> : undefined}
      crumbs={[
        { title: t('nav.imports'), to: '/imports' },
        { title: t('import.profiles'), to: '/imports/profiles' },
      ]}
      actions={<ProfileButtons profile={profile} />}
    >
      <Section title={t('import.file')}>
        <div className="panel">
          <Facts
            facts={[
              [t('import.kind'), <ImportKindName kind={kind} />],
              [t('import.version'), version === null ? undefined : formats.number(version)],
              [t('import.format'), textOf(document['format'])],
              [t('import.encoding'), textOf(document['encoding'])],
              [t('import.separator'), textOf(document['separator'])],
            ]}
          />
        </div>
      </Section>
      <Section title={t('import.columns')}>
        <DataTable
          caption={t('import.columns')}
          columns={columnsOf(t, kind)}
          rows={columns}
          keyOf={({ index }) => String(index)}
        />
      </Section>
      <Section title={t('import.document')}>
        <pre>{textOfDocument(document)}</pre>
      </Section>
      {may(manager, 'TryImportProfile') ? <TryProfile profile={profile} /> : undefined}
      <ChangedProfile profile={profile} />
      <NewProfile copied={profile} />
    </Page>
  );
}

/** A profile that comes with the portal is copied, not changed. */
function ProfileButtons({ profile: { builtIn } }: { readonly profile: ImportProfile }): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!may(manager, 'SetImportProfile')) return undefined;
  return (
    <>
      {builtIn ? undefined : <CommandButton name={profileCommands.change} text={t('action.change')} isMain />}
      <CommandButton name={profileCommands.create} text={t('importProfile.copy')} icon="copy" />
    </>
  );
}

type ProfileColumn = {
  readonly index: number;
  readonly field: string;
  readonly from: string;
  /** How its text is read, as the document says it. */
  readonly rules: string;
};

type Values = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The document is that of a profile, as docs/imports.md describes it. */
const listColumns = (document: Values): ProfileColumn[] =>
  (Array.isArray(document['columns']) ? (document['columns'] as Values[]) : []).map(
    ({ field, from, ...rules }, index) => ({
      index,
      field: textOf(field),
      from: textOf(from),
      rules: Object.entries(rules)
        .map(([name, value]) => `${name}: ${textOf(value)}`)
        .join(', '),
    }),
  );

const columnsOf = (t: Translate, kind: string): readonly Column<ProfileColumn>[] => [
  {
    key: 'field',
    title: t('import.field'),
    cell: ({ field }) =>
      field === '' ? (
        '–'
      ) : (
        <>
          <span className="line">{nameOfImportField(kind, field, t)}</span>
          <code>{field}</code>
        </>
      ),
  },
  { key: 'from', title: t('import.from'), cell: ({ from }) => from },
  { key: 'rules', title: t('import.readAs'), cell: ({ rules }) => <span className="soft">{rules}</span> },
];
