// A resident: what is known of them, their keys, balances and coming bookings, and the way to their receipts.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { AddressPanel } from '../bank/address-panel.tsx';
import { mayOpenTab, useBankCrumbs, useParameter } from '../bank/bank-page.tsx';
import { bookingColumns } from '../bank/booking-table.tsx';
import { ResidentMark } from '../bank/resident-mark.tsx';
import { useTimeZones } from '../bank/time-zones.ts';
import type { ResidentFlag, ResidentKey, ResidentWorkspace } from '../api/operations.ts';
import { mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Mark, Page, Section } from '../components/page.tsx';
import { Ago } from '../components/times.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { languageNames } from '../language/languages.ts';
import { bankPath, locationPath, residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function ResidentScreen(): JSX.Element {
  const bankKid = useParameter('bankKid');
  const userKid = useParameter('userKid');
  const workspace = useRead('GetBankUserWorkspace', { bankKid, userKid });
  return (
    <Loaded read={workspace} lines={12}>
      {(data) => <ResidentPage bankKid={bankKid} workspace={data} />}
    </Loaded>
  );
}

type ResidentPageProps = { readonly bankKid: string; readonly workspace: ResidentWorkspace };

function ResidentPage({ bankKid, workspace }: ResidentPageProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const crumbs = useBankCrumbs(bankKid, 'residents');
  const { user, keys } = workspace;
  return (
    <Page
      title={user.name === '' ? user.kid : user.name}
      mark={<ResidentMark state={user.state} />}
      note={<code>{user.kid}</code>}
      crumbs={crumbs}
      actions={<ResidentActions bankKid={bankKid} userKid={user.kid} />}
    >
      <div className="columns">
        <Section title={t('resident.details')}>
          <div className="panel">
            <ResidentFacts workspace={workspace} />
          </div>
        </Section>
        <Section title={t('resident.keys')}>
          <div className="panel">{keys.length === 0 ? t('resident.noKeys') : <Keys keys={keys} />}</div>
        </Section>
      </div>
      <UpcomingBookings bankKid={bankKid} workspace={workspace} />
      {mayInBank(manager, bankKid, 'GetObjectAddress') ? <AddressPanel kid={user.kid} /> : undefined}
    </Page>
  );
}

function ResidentActions({ bankKid, userKid }: { readonly bankKid: string; readonly userKid: string }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  return (
    <>
      {mayInBank(manager, bankKid, 'GetUserReceipts') ? (
        <Link to={`${residentPath(bankKid, userKid)}/receipts`} className="button">
          <Icon name="account" />
          {t('receipts.title')}
        </Link>
      ) : undefined}
      {mayOpenTab(manager, bankKid, 'account') ? (
        <Link to={bankPath(bankKid, 'account')} search={{ userKid }} className="button">
          <Icon name="account" />
          {t('bank.account')}
        </Link>
      ) : undefined}
    </>
  );
}

const flagTexts: Readonly<Record<ResidentFlag, TextKey>> = {
  HasPin: 'resident.hasPin',
  ActivationPending: 'resident.activationPending',
  ActivationExpired: 'resident.activationExpired',
  Activated: 'resident.activated',
};

function ResidentFacts({
  workspace: { user, language, flags },
}: {
  readonly workspace: ResidentWorkspace;
}): JSX.Element {
  const { t } = useLanguage();
  const { locationKid, locationName, balances, lastActivityUtc } = user;
  return (
    <Facts
      facts={[
        [t('word.email'), user.email],
        [t('word.phone'), user.phone],
        [t('word.apartment'), user.apartment],
        [
          t('word.location'),
          locationKid === null ? undefined : <Link to={locationPath(locationKid)}>{locationName}</Link>,
        ],
        [t('menu.language'), languageNames[language]],
        [
          t('word.balance'),
          balances?.map(({ currency, amountMinor }) => (
            <span key={currency ?? ''} className="line">
              <Amount minor={amountMinor} currency={currency} />
            </span>
          )),
        ],
        [t('word.lastActivity'), lastActivityUtc === null ? undefined : <Ago instant={lastActivityUtc} />],
        [
          t('word.state'),
          flags.length === 0 ? undefined : (
            <span className="marks">
              {flags.map((flag) => (
                <Mark key={flag} tone="plain">
                  {t(flagTexts[flag])}
                </Mark>
              ))}
            </span>
          ),
        ],
      ]}
    />
  );
}

function Keys({ keys }: { readonly keys: readonly ResidentKey[] }): JSX.Element {
  const { t, formats } = useLanguage();
  return (
    <Facts
      facts={keys.map(({ key, kind, addedAtUtc }) => [
        t(kind === 'Card' ? 'resident.card' : 'resident.tag'),
        <>
          <code>{key}</code>
          <span className="second">{t('resident.addedAt', { time: formats.dateTime(addedAtUtc) })}</span>
        </>,
      ])}
    />
  );
}

function UpcomingBookings({ bankKid, workspace: { upcomingBookings } }: ResidentPageProps): JSX.Element {
  const language = useLanguage();
  const zones = useTimeZones(bankKid);
  const { t } = language;
  return (
    <Section title={t('resident.upcoming')}>
      {upcomingBookings.length === 0 ? (
        <Empty>{t('resident.noBookings')}</Empty>
      ) : (
        <DataTable
          caption={t('resident.upcoming')}
          columns={bookingColumns(language, { bankKid, zones, isSorted: false }).filter(({ key }) => key !== 'user')}
          rows={upcomingBookings}
          keyOf={({ eventKid }) => eventKid}
        />
      )}
    </Section>
  );
}
