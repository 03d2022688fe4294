// The state of a computer.

import type { JSX } from 'react';
import type { ComputerState } from '../api/operations.ts';
import { Mark } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const states: Readonly<Record<ComputerState, { readonly text: TextKey; readonly tone: 'ok' | 'warn' | 'bad' }>> = {
  waiting: { text: 'computer.waiting', tone: 'warn' },
  enrolled: { text: 'computer.enrolled', tone: 'ok' },
  revoked: { text: 'computer.revoked', tone: 'bad' },
};

export function ComputerMark({ state }: { readonly state: ComputerState }): JSX.Element {
  const { t } = useLanguage();
  return <Mark tone={states[state].tone}>{t(states[state].text)}</Mark>;
}
