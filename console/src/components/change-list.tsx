// What a change would grant and what it would withdraw, before it is done.

import type { JSX } from 'react';
import { Icon } from './icon.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './change-list.module.css';

type ChangeListProps = { readonly granted: readonly string[]; readonly withdrawn: readonly string[] };

export function ChangeList({ granted, withdrawn }: ChangeListProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <div className={styles.changes} role="status" data-changes>
      {granted.length + withdrawn.length === 0 ? <p className="soft">{t('change.none')}</p> : undefined}
      <List title={t('change.granted')} texts={granted} isGranted />
      <List title={t('change.withdrawn')} texts={withdrawn} isGranted={false} />
    </div>
  );
}

type ListProps = { readonly title: string; readonly texts: readonly string[]; readonly isGranted: boolean };

function List({ title, texts, isGranted }: ListProps): JSX.Element | undefined {
  if (texts.length === 0) return undefined;
  return (
    <div className={isGranted ? styles.change : `${styles.change} ${styles.withdrawn}`}>
      <p className="field-name">
        <Icon name={isGranted ? 'ok' : 'close'} /> {title}
      </p>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
