// A resident: what is known of them, their keys, balances and coming bookings, what can be done with each, and the way to
// their receipts and the letter with their activation code.

import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { AddressPanel } from '../addresses/address-panel.tsx';
import { mayOpenTab, useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { BookingCommandButton, BookingCommands } from '../bookings/booking-command.tsx';
import { bookingColumns } from '../bookings/booking-table.tsx';
import {
  AddKeyButton,
  ChangeFact,
  findDecision,
  RemoveKeyButton,
  RenewButton,
  ResidentCommands,
  StateButtons,
  textOfKey,
} from './resident-commands.tsx';
import { fieldNames, residentFields, type ResidentField } from './resident-fields.ts';
import { ResidentMark } from './resident-mark.tsx';
import { MoveButton, MoveCommand } from './resident-move.tsx';
import type { ResidentFlag, ResidentWorkspace } from '../api/operations.ts';
import { mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { Email } from '../components/email.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Mark, Page, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { languageNames } from '../language/languages.ts';
import { bankPath, locationPath, residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './resident-screen.module.css';

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
      actions={<ResidentActions bankKid={bankKid} workspace={workspace} />}
    >
      <div className="columns">
        <Section title={t('resident.details')}>
          <div className="panel">
            <ResidentFacts workspace={workspace} />
          </div>
        </Section>
        <Section title={t('resident.keys')} actions={<AddKeyButton workspace={workspace} />}>
          <div className="panel">{keys.length === 0 ? t('resident.noKeys') : <Keys workspace={workspace} />}</div>
        </Section>
      </div>
      <UpcomingBookings bankKid={bankKid} workspace={workspace} />
      {mayInBank(manager, bankKid, 'GetObjectAddress') ? <AddressPanel kid={user.kid} /> : undefined}
      <ResidentCommands bankKid={bankKid} workspace={workspace} />
      <MoveCommand bankKid={bankKid} workspace={workspace} />
      <BookingCommands bankKid={bankKid} />
    </Page>
  );
}

function ResidentActions({ bankKid, workspace }: ResidentPageProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { user } = workspace;
  const userKid = user.kid;
  return (
    <>
      <MoveButton workspace={workspace} />
      <StateButtons workspace={workspace} />
      {user.state === 'active' && mayInBank(manager, bankKid, 'GetBankUserActivation') ? (
        <Link to={`${residentPath(bankKid, userKid)}/letter`} className="button">
          <Icon name="print" />
          {t('letter.title')}
        </Link>
      ) : undefined}
      {mayInBank(manager, bankKid, 'GetUserReceipts') ? (
        <Link to={`${residentPath(bankKid, userKid)}/receipts`} className="button">
          <Icon name="account" />
          {t('receipts.title')}
        </Link>
      ) : undefined}
      {mayOpenTab(manager, bankKid, 'account') ? (
        <Link to={bankPath(bankKid, 'account')} search={{ userKid }} className="button">
          <Icon name="account" />
          {t('account.ofResident')}
        </Link>
      ) : undefined}
    </>
  );
}

/** How far the account is activated; whether there is a code for units has a line of its own. */
const activationTexts: Readonly<Partial<Record<ResidentFlag, TextKey>>> = {
  ActivationPending: 'resident.activationPending',
  ActivationExpired: 'resident.activationExpired',
  Activated: 'resident.activated',
};

function ResidentFacts({ workspace }: { readonly workspace: ResidentWorkspace }): JSX.Element {
  const { t } = useLanguage();
  const { user, language, flags } = workspace;
  const { locationKid, locationName, balances, lastActivityUtc } = user;
  const changed = (command: Parameters<typeof ChangeFact>[0]['command'], value: ReactNode): ReactNode => (
    <Changeable workspace={workspace} command={command}>
      {value}
    </Changeable>
  );
  const shown: Partial<Record<ResidentField, ReactNode>> = {
    email: user.email === '' ? '' : <Email address={user.email} />,
    locationKid: locationKid === null ? '' : <Link to={locationPath(locationKid)}>{locationName}</Link>,
    language: languageNames[language],
  };
  return (
    <Facts
      facts={[
        ...fieldNames.map((name) => {
          const { label, command } = residentFields[name];
          return [t(label), changed(command, shown[name] ?? user[name])] as const;
        }),
        [t('resident.code'), changed('SetPin', t(flags.includes('HasPin') ? 'resident.hasPin' : 'state.none'))],
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
          t('resident.activation'),
          <span className="marks">
            {flags
              .flatMap((flag) => activationTexts[flag] ?? [])
              .map((text) => (
                <Mark key={text} tone="plain">
                  {t(text)}
                </Mark>
              ))}
            <RenewButton workspace={workspace} />
          </span>,
        ],
      ]}
    />
  );
}

type ChangeableProps = Parameters<typeof ChangeFact>[0] & { readonly children: ReactNode };

function Changeable({ workspace, command, children }: ChangeableProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <span className={styles.changeable}>
      <span>{children === '' ? t('state.none') : children}</span>
      <ChangeFact workspace={workspace} command={command} />
    </span>
  );
}

function Keys({ workspace }: { readonly workspace: ResidentWorkspace }): JSX.Element {
  const { t, formats } = useLanguage();
  return (
    <>
      <Facts
        facts={workspace.keys.map(({ key, kind, addedAtUtc }) => [
          t(kind === 'Card' ? 'resident.card' : 'resident.tag'),
          <>
            <span className={styles.changeable}>
              <code>{key}</code>
              <RemoveKeyButton workspace={workspace} keyText={textOfKey({ key, kind })} />
            </span>
            <span className="second">{t('resident.addedAt', { time: formats.dateTime(addedAtUtc) })}</span>
          </>,
        ])}
      />
      {findDecision(workspace, 'RemoveKey')?.allowed === true ? (
        <p className={`soft ${styles.advice}`}>{t('resident.lostKey')}</p>
      ) : undefined}
    </>
  );
}

function UpcomingBookings({ bankKid, workspace: { upcomingBookings } }: ResidentPageProps): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  return (
    <Section title={t('resident.upcoming')}>
      {upcomingBookings.length === 0 ? (
        <Empty>{t('resident.noBookings')}</Empty>
      ) : (
        <DataTable
          caption={t('resident.upcoming')}
          columns={[
            ...bookingColumns(language, { bankKid, isSorted: false }).filter(({ key }) => key !== 'user'),
            {
              key: 'commands',
              title: t('word.command'),
              cell: (booking) => <BookingCommandButton booking={booking} />,
            },
          ]}
          rows={upcomingBookings}
          keyOf={({ eventKid }) => eventKid}
        />
      )}
    </Section>
  );
}
