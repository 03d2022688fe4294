// An amount of money, to the last digit; negative ones carry their sign and a colour.

import type { JSX } from 'react';
import { useLanguage } from '../portal.tsx';
import styles from './amount.module.css';

type AmountProps = { readonly minor: bigint; readonly currency: string | null };

export function Amount({ minor, currency }: AmountProps): JSX.Element {
  const { formats, t } = useLanguage();
  return (
    <span className={minor < 0n ? 'amount is-negative' : 'amount'}>
      {formats.money(minor, currency)}
      {currency === null ? <span className={styles.unknownCurrency}> {t('money.unknownCurrency')}</span> : undefined}
    </span>
  );
}
