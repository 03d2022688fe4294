// The letter with which a resident activates the account, to be printed: in the language of the resident.

import { useQuery } from '@tanstack/react-query';
import { useState, type JSX } from 'react';
import type { ResidentActivation, ResidentWorkspace } from '../api/operations.ts';
import { mayInBank, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { RenewButton, ResidentCommands } from './resident-commands.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded, Skeleton } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Missing } from '../layout/missing.tsx';
import { loadLanguage } from '../language/language-store.ts';
import { residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { homeFields } from './resident-fields.ts';
import styles from './letter-screen.module.css';

export function LetterScreen(): JSX.Element {
  const bankKid = useParameter('bankKid');
  const userKid = useParameter('userKid');
  const workspace = useRead('GetBankUserWorkspace', { bankKid, userKid });
  return (
    <Loaded read={workspace} lines={12}>
      {(data) => <LetterPage bankKid={bankKid} workspace={data} />}
    </Loaded>
  );
}

type LetterPageProps = { readonly bankKid: string; readonly workspace: ResidentWorkspace };

function LetterPage({ bankKid, workspace }: LetterPageProps): JSX.Element {
  const { t } = useLanguage();
  const crumbs = useBankCrumbs(bankKid, 'residents');
  const manager = useManager();
  const { kid, name } = workspace.user;
  const isWaiting = workspace.flags.includes('ActivationPending');
  const mayRead = mayInBank(manager, bankKid, 'GetBankUserActivation');
  const activation = useRead('GetBankUserActivation', { bankKid, userKid: kid }, { enabled: isWaiting && mayRead });
  const { data, error } = activation;
  if (!mayRead) return <Missing />;
  return (
    <Page
      title={t('letter.title')}
      note={name}
      crumbs={[...crumbs, { title: name === '' ? kid : name, to: residentPath(bankKid, kid) }]}
      actions={
        <>
          {!isWaiting || data === undefined || error !== null ? undefined : (
            <button type="button" className="button button-main" onClick={() => window.print()}>
              <Icon name="print" />
              {t('action.print')}
            </button>
          )}
          <RenewButton workspace={workspace} />
        </>
      }
    >
      {isWaiting ? (
        <Loaded read={activation}>
          {(found) => <Letter bankKid={bankKid} workspace={workspace} activation={found} />}
        </Loaded>
      ) : (
        <p className="note">{t('letter.noCode')}</p>
      )}
      <ResidentCommands bankKid={bankKid} workspace={workspace} />
    </Page>
  );
}

type LetterProps = LetterPageProps & { readonly activation: ResidentActivation };

function Letter({ bankKid, workspace: { user, language }, activation }: LetterProps): JSX.Element {
  const manager = useManager();
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const theirs = useQuery({
    queryKey: ['language', language],
    queryFn: () => loadLanguage(language),
    staleTime: Infinity,
  });
  if (theirs.error !== null) return <ProblemPanel error={theirs.error} onRetry={() => void theirs.refetch()} />;
  if (theirs.data === undefined) return <Skeleton lines={8} />;
  const { t, formats, locale } = theirs.data;
  const { code, link, expiresAtUtc } = activation;
  return (
    <article className={`panel ${styles.letter}`} lang={locale}>
      <p className={styles.sender}>
        {nameOfPlace(manager, bankKid)}
        <span>{formats.date(today)}</span>
      </p>
      <address>
        {[user.name, ...homeFields.map((name) => user[name]), user.locationName].filter(Boolean).map((line) => (
          <span key={line} className="line">
            {line}
          </span>
        ))}
      </address>
      <h2>{t('letter.heading', { portal: manager.tenantName })}</h2>
      <p>{t('letter.open')}</p>
      <p>
        <a href={link}>{link}</a>
      </p>
      <p>{t('letter.enter')}</p>
      <p className={styles.code}>
        <code>{code}</code>
      </p>
      <p>{t('letter.until', { time: formats.dateTime(expiresAtUtc) })}</p>
      <p>{t('letter.keep')}</p>
    </article>
  );
}
