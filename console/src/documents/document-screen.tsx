// A document: the graph of its measurements, and its table, without columns that have no value.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { DocumentGraph } from './document-graph.tsx';
import { useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { symbolOf } from '../units/unit-value.ts';
import type { DocumentColumn, DocumentRow, DocumentTable } from '../api/operations.ts';
import { bankOfLocation, may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, Pager, type Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Icon } from '../components/icon.tsx';
import { useListState } from '../lists/list-state.ts';
import { numberIn } from '../lists/search-values.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Page, Section } from '../components/page.tsx';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function DocumentScreen(): JSX.Element {
  const documentKid = useParameter('documentKid');
  const document = useRead('GetUnitDocumentTable', { documentKid });
  const { bankKid, isUnknown } = usePlaceOf(document.data?.unitKid);
  const isKnown = isUnknown || bankKid !== '';
  return (
    <Loaded read={isKnown ? document : ({ ...document, data: undefined } as typeof document)} lines={14}>
      {(table) => <DocumentPage table={table} bankKid={bankKid} />}
    </Loaded>
  );
}

/** MS2000 counts from here. */
const ms2000Epoch = Date.UTC(2000, 0, 1);
const instantOf = (ms2000: number): string => new Date(ms2000Epoch + ms2000).toISOString();

/** A unit's KID begins with that of its location, but KIDs are opaque: the rights of the manager name the locations. */
function usePlaceOf(unitKid: string | undefined): DocumentPlace {
  const manager = useManager();
  const isAllowed = may(manager, 'GetUnitOverview');
  const read = useRead('GetUnitOverview', { unitKid: unitKid ?? '' }, { enabled: isAllowed && unitKid !== undefined });
  const unit = read.data?.unit;
  const bankKid = unit === undefined ? '' : (bankOfLocation(manager, unit.locationKid)?.kid ?? unit.bankKid);
  return { bankKid, isUnknown: !isAllowed || read.isError };
}

type DocumentPlace = {
  /** Empty until it has been read. */
  readonly bankKid: string;
  /** It cannot be read. */
  readonly isUnknown: boolean;
};

type DocumentPageProps = { readonly table: DocumentTable; readonly bankKid: string };

function DocumentPage({ table, bankKid }: DocumentPageProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { documentKid, unitKid, unitName, timeZone, finished, fromMs2000, throughMs2000 } = table;
  const crumbs = useBankCrumbs(bankKid, 'documents');
  const from = formats.dateTime(instantOf(fromMs2000), timeZone);
  const through = formats.dateTime(instantOf(throughMs2000), timeZone);
  return (
    <Page
      title={unitName}
      mark={<Mark tone={finished ? 'plain' : 'ok'}>{t(finished ? 'documents.finished' : 'documents.running')}</Mark>}
      note={`${from} – ${through}`}
      crumbs={bankKid === '' ? [] : [...crumbs, { title: unitName, to: unitPath(unitKid) }]}
      actions={<DocumentActions documentKid={documentKid} unitKid={unitKid} />}
    >
      <DocumentGraph table={table} />
      <DocumentRows table={table} />
    </Page>
  );
}

function DocumentActions({
  documentKid,
  unitKid,
}: {
  readonly documentKid: string;
  readonly unitKid: string;
}): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <Link to={unitPath(unitKid)} className="button">
        {t('word.unit')}
      </Link>
      <DownloadButton id="DownloadUnitDocumentCsv" input={{ documentKid }} format="CSV" label={t('bank.documents')} />
      <DownloadButton id="DownloadUnitDocumentXls" input={{ documentKid }} format="XLS" label={t('bank.documents')} />
      <button type="button" className="button" onClick={() => window.print()}>
        <Icon name="print" />
        {t('action.print')}
      </button>
    </>
  );
}

const rowsPerPage = 100;

/** The indexes of the columns that have a value in some row. */
const filledColumns = ({ columns, rows }: DocumentTable): number[] =>
  columns.flatMap((_, index) => (rows.some(({ cells }) => (cells[index]?.text ?? '') !== '') ? [index] : []));

function DocumentRows({ table }: { readonly table: DocumentTable }): JSX.Element {
  const { t, formats } = useLanguage();
  const list = useListState();
  const offset = numberIn(list.search, 'offset') ?? 0;
  const items = table.rows.slice(offset, offset + rowsPerPage);
  const page = { offset, limit: rowsPerPage, items, hasMore: offset + rowsPerPage < table.rows.length };
  const columns: Column<DocumentRow>[] = [
    {
      key: 'time',
      title: t('word.time'),
      cell: ({ utc }) => <time dateTime={utc}>{formats.dateTime(utc, table.timeZone, 'seconds')}</time>,
    },
    ...filledColumns(table).map((index) => columnOf(table.columns[index] as DocumentColumn, index)),
  ];
  return (
    <Section title={t('documents.table')}>
      {items.length === 0 ? (
        <Empty>{t('list.none')}</Empty>
      ) : (
        <DataTable
          caption={t('documents.table')}
          columns={columns}
          rows={items}
          keyOf={({ ms2000 }) => String(ms2000)}
          keepsColumns
        />
      )}
      <Pager list={list} page={page} totalCount={table.rows.length} />
    </Section>
  );
}

const columnOf = ({ name, label, unitOfMeasure }: DocumentColumn, index: number): Column<DocumentRow> => ({
  key: name,
  title: unitOfMeasure === null ? label : `${label} (${symbolOf(unitOfMeasure)})`,
  cell: ({ cells }) => cells[index]?.text,
});
