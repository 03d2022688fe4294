// The graph of a document, as the service draws it: of the measurements that have values.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, type JSX } from 'react';
import type { DocumentTable } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { Loaded } from '../components/loaded.tsx';
import { Section } from '../components/page.tsx';
import { useLanguage, usePortal } from '../portal.tsx';
import styles from './document-graph.module.css';

/** More, and the graph cannot be read; the service draws no more. */
const maxSeries = 16;
const width = 1200;

type Selection = { readonly states: string; readonly settings: string };

/** What varies and has numbers: the settings of a unit seldom change in a cycle. */
function selectSeries({ columns, rows }: DocumentTable): Selection | undefined {
  const varying = columns.filter((_, index) => {
    const values = new Set(rows.flatMap(({ cells }) => cells[index]?.text ?? []));
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
  const graph = useQuery<Drawing, Problem>({
    queryKey: ['GetUnitDocumentSvg', { documentKid, ...selection, throughMs2000 }],
    queryFn: async ({ signal }) => {
      const svg = await client.call('GetUnitDocumentSvg', { documentKid, ...selection, width }, { signal });
      return { svg, height: await readHeight(svg) };
    },
    enabled: selection !== undefined,
  });
  if (selection === undefined || graph.error?.status === 422) return undefined;
  return (
    <Section title={t('documents.graph')}>
      <Loaded read={graph} lines={10}>
        {(drawing) => <Picture drawing={drawing} text={t('documents.graphOf', { unit: table.unitName })} />}
      </Loaded>
    </Section>
  );
}

/** The height is known before the picture is decoded, so that nothing below it jumps. */
type Drawing = { readonly svg: Blob; readonly height: number };

const longestHead = 500;

/** Reads the height of the root element; more measurements make it higher. */
async function readHeight(svg: Blob): Promise<number> {
  const head = await svg.slice(0, longestHead).text();
  return Number(/<svg[^>]* height="(\d+)/.exec(head)?.[1] ?? width);
}

function Picture({
  drawing: { svg, height },
  text,
}: {
  readonly drawing: Drawing;
  readonly text: string;
}): JSX.Element {
  const address = useMemo(() => URL.createObjectURL(svg), [svg]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return <img className={styles.graph} src={address} alt={text} width={width} height={height} />;
}
