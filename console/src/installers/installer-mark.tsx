// The state of an installer.

import type { JSX } from 'react';
import type { InstallerState } from '../api/operations.ts';
import { StateMark, type StateTexts } from '../components/state-mark.tsx';

const states: StateTexts<InstallerState> = {
  active: { text: 'resident.active', tone: 'ok' },
  invited: { text: 'installer.invited', tone: 'plain' },
  disabled: { text: 'resident.disabled', tone: 'warn' },
};

export const InstallerMark = ({ state }: { readonly state: InstallerState }): JSX.Element => (
  <StateMark states={states} state={state} />
);
