// The graph of a document, as the service draws it: of the measurements that have values.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, type JSX } from 'react';
import type { DocumentTable } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { Loaded } from '../components/loaded.tsx';
import { Section } from '../components/page.tsx';
import { useLanguage, usePortal } from '../portal.tsx';

/** More, and the graph cannot be read; the service draws no more. */
const maxSeries = 16;
const width = 1200;

type Selection = { readonly states: string; readonly settings: string };

/** What varies and has numbers: the settings of a unit seldom change in a cycle. */
function selectSeries({ columns, rows }: DocumentTable): Selection | undefined {
  const varying = columns.filter((_, at) => {
    const values = new Set(rows.flatMap(({ cells }) => cells[at]?.text ?? []));
    return values.size > 1;
  });
  const chosen = varying.slice(0, maxSeries);
  const namesOf = (kind: 'State' | 'Setting'): string =>
    chosen.flatMap((column) => (column.kind === kind ? [column.name] : [])).join(',');
  return chosen.length === 0 ? undefined : { states: namesOf('State'), settings: namesOf('Setting') };
}

export function DocumentGraph({ table }: { readonly table: DocumentTable }): JSX.Element | undefined {
  const { t } = useLanguage();
  const { client } = usePortal();
  const selection = useMemo(() => selectSeries(table), [table]);
  const { documentKid, throughMs2000 } = table;
  const graph = useQuery<Blob, Problem>({
    queryKey: ['GetUnitDocumentSvg', { documentKid, ...selection, throughMs2000 }],
    queryFn: ({ signal }) => client.call('GetUnitDocumentSvg', { documentKid, ...selection, width }, { signal }),
    enabled: selection !== undefined,
  });
  if (selection === undefined || graph.error?.status === 422) return undefined;
  return (
    <Section title={t('documents.graph')}>
      <Loaded read={graph} lines={10}>
        {(svg) => <Picture svg={svg} text={t('documents.graphOf', { unit: table.unitName })} />}
      </Loaded>
    </Section>
  );
}

function Picture({ svg, text }: { readonly svg: Blob; readonly text: string }): JSX.Element {
  const address = useMemo(() => URL.createObjectURL(svg), [svg]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return <img className="graph" src={address} alt={text} />;
}
