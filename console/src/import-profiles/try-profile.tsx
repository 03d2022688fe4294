// Reads the beginning of a file by a profile, and shows the first rows as fields, or what is wrong with them. Nothing is
// changed by it.

import { useState, type JSX } from 'react';
import type { ImportProfile, ImportSample, ImportSampleRow } from '../api/operations.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { useListState } from '../components/list-state.ts';
import { Empty, Facts, Section } from '../components/page.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import { decimalText, nameOfSeparator } from '../imports/detected-file.ts';
import { nameOfImportField } from '../imports/field-names.ts';
import { FileForm } from '../imports/file-form.tsx';
import { FileOptionFields, fileOptionsIn } from '../imports/file-options.tsx';
import { RowErrors } from '../imports/row-errors.tsx';

/** The service takes no more of a file for a trial, and reads less. */
const maxSampleBytes = 1024 ** 2;

export function TryProfile({ profile: { name, kind } }: { readonly profile: ImportProfile }): JSX.Element {
  const { t } = useLanguage();
  const { client } = usePortal();
  const list = useListState();
  const [sample, setSample] = useState<ImportSample>();
  return (
    <Section title={t('importProfile.try')}>
      <FileForm
        action={t('importProfile.readFile')}
        icon="search"
        advice={t('importProfile.tryAdvice')}
        titleOf={() => t('importProfile.notRead')}
        send={async (file, signal) => {
          setSample(undefined);
          const input = { name, ...fileOptionsIn(list.search) };
          setSample(await client.call('TryImportProfile', input, { body: file.slice(0, maxSampleBytes), signal }));
        }}
      >
        <FileOptionFields list={list} />
      </FileForm>
      {sample === undefined ? undefined : <Sample sample={sample} kind={kind} />}
    </Section>
  );
}

function Sample({ sample, kind }: { readonly sample: ImportSample; readonly kind: string }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const { detected, rows, failure } = sample;
  return (
    <div className="panel" role="status">
      {failure === null ? undefined : (
        <p className="note note-bad">
          {failure.line === 0 ? undefined : `${t('import.line')} ${failure.line}: `}
          <span lang="en">{failure.text}</span> <code>{failure.code}</code>
        </p>
      )}
      <Facts
        facts={[
          [t('import.format'), detected?.format],
          [t('import.encoding'), detected?.encoding],
          [t('import.separator'), nameOfSeparator(detected?.separator)],
          [t('import.decimalMark'), decimalText(detected?.decimalComma)],
        ]}
      />
      {rows.length > 0 ? (
        <DataTable
          caption={t('importProfile.firstRows')}
          columns={columnsOf(language, kind)}
          rows={rows}
          keyOf={({ line }) => String(line)}
        />
      ) : failure === null ? (
        <Empty>{t('list.none')}</Empty>
      ) : undefined}
    </div>
  );
}

const columnsOf = ({ t, formats }: LanguageState, kind: string): readonly Column<ImportSampleRow>[] => [
  { key: 'line', title: t('import.line'), isNumber: true, cell: ({ line }) => formats.number(line) },
  {
    key: 'fields',
    title: t('importProfile.fields'),
    cell: ({ fields, errors }) => (
      <>
        <Facts facts={fields.map(({ field, value }) => [nameOfImportField(kind, field, t), value] as const)} />
        <RowErrors kind={kind} errors={errors} />
      </>
    ),
  },
];
