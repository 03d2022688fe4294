// The way from rules that a location shows to the settings of its units, where they are changed.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { UnitGroupName } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './unit-setting-links.module.css';

type UnitSettingLinksProps = {
  readonly unitKids: readonly string[];
  readonly nameOf: (unitKids: readonly string[]) => string;
  readonly group: UnitGroupName;
};

export function UnitSettingLinks({ unitKids, nameOf, group }: UnitSettingLinksProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!may(manager, 'SetUnitSetting')) return undefined;
  return (
    <p className={styles.links}>
      {t('action.change')}:{' '}
      {unitKids.map((kid) => (
        <Link key={kid} to={unitPath(kid)} search={{ group }}>
          {nameOf([kid])}
        </Link>
      ))}
    </p>
  );
}
