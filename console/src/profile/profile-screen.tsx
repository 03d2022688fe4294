// The manager's own profile, email address and password, and the language of the console in this browser.

import type { JSX, ReactNode } from 'react';
import { EmailButtons, formatField, PasswordButton, ProfileCommands, ProfileFieldButton } from './profile-commands.tsx';
import type { ManagerProfile, ProfileField } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { KidIcon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page, Section } from '../components/page.tsx';
import { isLanguage, languageNames } from '../language/languages.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import styles from './profile-screen.module.css';

export function ProfileScreen(): JSX.Element {
  const { t } = useLanguage();
  const profile = useRead('GetMyManagerProfile', {});
  return (
    <Page title={t('nav.profile')}>
      <Loaded read={profile} lines={6}>
        {(data) => (
          <>
            <div className="columns">
              <OwnData profile={data} />
              <Access profile={data} />
            </div>
            <ProfileCommands profile={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type ProfileProps = { readonly profile: ManagerProfile };

function OwnData({ profile }: ProfileProps): JSX.Element {
  const { t } = useLanguage();
  const { kid, name, organisation, personIcon, theme, retentionDays } = profile;
  const changeable = (field: ProfileField, value: ReactNode): JSX.Element => (
    <span key={field} className={styles.change}>
      <span>{value}</span>
      <ProfileFieldButton field={field} />
    </span>
  );
  return (
    <Section title={t('resident.details')}>
      <div className="panel">
        <Facts
          facts={[
            [t('word.name'), changeable('Name', name)],
            [t('word.organisation'), changeable('Organisation', organisation === '' ? t('state.none') : organisation)],
            [t('word.icon'), changeable('PersonIcon', <KidIcon kid={personIcon} />)],
            [t('menu.theme'), changeable('Theme', formatField('Theme', String(theme), t))],
            [t('profile.retention'), changeable('RetentionDays', t('count.days', { count: retentionDays }))],
            [t('menu.language'), <LanguageChoice key="language" />],
            ['KID', <code key="kid">{kid}</code>],
          ]}
        />
      </div>
    </Section>
  );
}

/** The language belongs to this browser, as the mails of the service follow the language of the request. */
function LanguageChoice(): JSX.Element {
  const { t, language } = useLanguage();
  const { languages } = usePortal();
  return (
    <select
      className={styles.choice}
      aria-label={t('menu.language')}
      value={language}
      onChange={({ target }) => {
        if (isLanguage(target.value)) void languages.choose(target.value);
      }}
    >
      {Object.entries(languageNames).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Access({ profile }: ProfileProps): JSX.Element {
  const { t } = useLanguage();
  const { email, emailVerified, pendingEmail } = profile;
  return (
    <Section title={t('profile.access')}>
      <div className="panel">
        <Facts
          facts={[
            [
              t('word.email'),
              <span key="email" className="marks">
                {email}
                <Mark tone={emailVerified ? 'ok' : 'warn'}>
                  {t(emailVerified ? 'profile.verified' : 'profile.notVerified')}
                </Mark>
              </span>,
            ],
            [t('profile.pendingEmail'), pendingEmail],
          ]}
        />
        <p className="marks">
          <EmailButtons profile={profile} />
          <PasswordButton />
        </p>
      </div>
    </Section>
  );
}
