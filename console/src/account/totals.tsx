// Sums of movements, one for each currency: currencies are never added up.

import type { JSX } from 'react';
import type { CurrencyTotal } from '../api/operations.ts';
import { Amount } from '../components/amount.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './totals.module.css';

export function Totals({ totals }: { readonly totals: readonly CurrencyTotal[] }): JSX.Element {
  const { t } = useLanguage();
  return (
    <ul className={`tiles ${styles.wide}`}>
      {totals.map(({ currency, count, debitMinor, creditMinor, amountMinor }) => (
        <li key={currency ?? ''} className="tile">
          <span className="tile-value">
            <Amount minor={amountMinor} currency={currency} />
          </span>
          <span className="tile-name">
            {t('account.debit')} <Amount minor={debitMinor} currency={currency} />
          </span>
          <span className="tile-name">
            {t('account.credit')} <Amount minor={creditMinor} currency={currency} />
          </span>
          <span className="tile-name">{t('count.postings', { count })}</span>
        </li>
      ))}
    </ul>
  );
}

/** The sums alone, for a cell of a table. */
export const TotalAmounts = ({ totals }: { readonly totals: readonly CurrencyTotal[] }): JSX.Element => (
  <>
    {totals.map(({ currency, amountMinor }) => (
      <span key={currency ?? ''} className="line">
        <Amount minor={amountMinor} currency={currency} />
      </span>
    ))}
  </>
);
