// The history of a setting or state of a unit, newest first.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { SettingHistoryItem, SettingName, UnitGroupName, UnitValue } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../components/data-table.tsx';
import { useListState } from '../components/list-state.ts';
import { numberIn } from '../components/search-values.ts';
import { ListView } from '../components/list-view.tsx';
import { Mark, Section } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { formatValue } from './unit-value.ts';

type UnitHistoryProps = {
  readonly unitKid: string;
  /** That of the setting. */
  readonly group: UnitGroupName;
  readonly setting: string;
};

export function UnitHistory({ unitKid, group, setting }: UnitHistoryProps): JSX.Element | undefined {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const list = useListState();
  const history = useRead('GetUnitSettingHistory', {
    unitKid,
    setting: setting as SettingName,
    offset: numberIn(list.search, 'offset'),
    limit: 25,
  });
  const values = useRead('GetUnitGroup', { unitKid, group });
  if (!may(manager, 'GetUnitSettingHistory')) return undefined;
  const described = values.data?.values.find(({ name }) => name === setting);
  const title = t('unit.history', { name: described?.label ?? t('sync.setting') });
  return (
    <Section
      title={title}
      actions={
        <Link to="." search={{ group }} resetScroll={false} className="button">
          {t('action.close')}
        </Link>
      }
    >
      <ListView
        read={history}
        list={list}
        caption={title}
        columns={columnsOf(language, described)}
        keyOf={({ atUtc, value }) => `${atUtc} ${String(value)}`}
      />
    </Section>
  );
}

const columnsOf = (
  language: LanguageState,
  described: UnitValue | undefined,
): readonly Column<SettingHistoryItem>[] => {
  const { t } = language;
  return [
    { key: 'at', title: t('word.time'), cell: ({ atUtc }) => <Instant instant={atUtc} /> },
    {
      key: 'value',
      title: t('word.value'),
      cell: ({ value }) => (described === undefined ? String(value) : formatValue(described, value, language)),
    },
    {
      key: 'editor',
      title: t('unit.editor'),
      cell: ({ editorName }) => editorName,
    },
    {
      key: 'synced',
      title: t('unit.equipment'),
      cell: ({ synced }) => <Mark tone={synced ? 'ok' : 'warn'}>{t(synced ? 'unit.synced' : 'unit.notSynced')}</Mark>,
    },
  ];
};
