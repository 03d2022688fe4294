// The state of a change on its way to the equipment.

import type { JSX } from 'react';
import type { DeviceSync, UnitValue } from '../api/operations.ts';
import { Mark } from '../components/page.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { LiveAgo } from '../times/times.tsx';
import { useLanguage } from '../portal.tsx';
import { syncTexts } from './sync-states.ts';

export function SyncMark({ state, code }: Pick<DeviceSync, 'state' | 'code'>): JSX.Element {
  return (
    <>
      <StateMark states={syncTexts} state={state} />
      {code === null ? undefined : (
        <>
          {' '}
          <code>{code}</code>
        </>
      )}
    </>
  );
}

type SettingSyncMarkProps = { readonly value: UnitValue; readonly syncs: readonly DeviceSync[] };

/** @param syncs of the unit, newest first */
export function SettingSyncMark({ value, syncs }: SettingSyncMarkProps): JSX.Element {
  const { t } = useLanguage();
  if (value.synced) return <Mark tone="ok">{t('unit.synced')}</Mark>;
  const sync = syncs.find(({ subject, setting }) => subject === 'setting' && setting === value.name);
  if (sync === undefined || sync.state === 'acknowledged') return <Mark tone="warn">{t('unit.notSynced')}</Mark>;
  return (
    <>
      <SyncMark {...sync} />
      <span className="second">
        <LiveAgo instant={sync.changedUtc} />
      </span>
    </>
  );
}
