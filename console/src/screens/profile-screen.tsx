// The manager's own profile.

import type { JSX } from 'react';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page } from '../components/page.tsx';
import { useLanguage } from '../portal.tsx';

export function ProfileScreen(): JSX.Element {
  const { t } = useLanguage();
  const profile = useRead('GetMyManagerProfile', {});
  return (
    <Page title={t('nav.profile')}>
      <Loaded read={profile} lines={6}>
        {({ kid, name, organisation, email, emailVerified, pendingEmail, retentionDays }) => (
          <div className="panel">
            <Facts
              facts={[
                [t('word.name'), name],
                [t('word.organisation'), organisation],
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
                [t('profile.retention'), t('count.days', { count: retentionDays })],
                ['KID', <code key="kid">{kid}</code>],
              ]}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
