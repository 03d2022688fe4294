// The state of an installer.

import type { JSX } from 'react';
import type { InstallerState } from '../api/operations.ts';
import { Mark } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const states: Readonly<Record<InstallerState, { readonly text: TextKey; readonly tone: 'ok' | 'warn' | 'plain' }>> = {
  active: { text: 'resident.active', tone: 'ok' },
  invited: { text: 'installer.invited', tone: 'plain' },
  disabled: { text: 'resident.disabled', tone: 'warn' },
};

export function InstallerMark({ state }: { readonly state: InstallerState }): JSX.Element {
  const { t } = useLanguage();
  return <Mark tone={states[state].tone}>{t(states[state].text)}</Mark>;
}
