// A profile: which column of a file becomes which field, and its whole document.

import type { JSX } from 'react';
import type { ImportProfile } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../bank/bank-page.tsx';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page, Section } from '../components/page.tsx';
import { ImportKindName } from '../imports/import-kind-name.tsx';
import type { Translate } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

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
        <DataTable caption={t('import.columns')} columns={columnsOf(t)} rows={columns} keyOf={({ at }) => String(at)} />
      </Section>
      <Section title={t('import.document')}>
        <pre>
          {JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 2)}
        </pre>
      </Section>
    </Page>
  );
}

type ProfileColumn = {
  readonly at: number;
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
    ({ field, from, ...rules }, at) => ({
      at,
      field: textOf(field),
      from: textOf(from),
      rules: Object.entries(rules)
        .map(([name, value]) => `${name}: ${textOf(value)}`)
        .join(', '),
    }),
  );

const columnsOf = (t: Translate): readonly Column<ProfileColumn>[] => [
  { key: 'field', title: t('import.field'), cell: ({ field }) => (field === '' ? '–' : <code>{field}</code>) },
  { key: 'from', title: t('import.from'), cell: ({ from }) => from },
  { key: 'rules', title: t('import.readAs'), cell: ({ rules }) => <span className="soft">{rules}</span> },
];
