// How many units are online and how many are not.

import type { JSX } from 'react';
import { useLanguage } from '../portal.tsx';
import { Mark } from './page.tsx';

type OnlineCountsProps = { readonly online: number; readonly offline: number };

export function OnlineCounts({ online, offline }: OnlineCountsProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <span className="marks">
      <Mark tone="ok">{t('units.online', { count: online })}</Mark>
      {offline === 0 ? undefined : <Mark tone="warn">{t('units.offline', { count: offline })}</Mark>}
    </span>
  );
}
