// The state of a resident.

import type { JSX } from 'react';
import type { ResidentState } from '../api/operations.ts';
import { Mark } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const states: Readonly<Record<ResidentState, { readonly text: TextKey; readonly tone: 'ok' | 'warn' | 'bad' }>> = {
  active: { text: 'resident.active', tone: 'ok' },
  disabled: { text: 'resident.disabled', tone: 'warn' },
  deleted: { text: 'resident.deleted', tone: 'bad' },
};

export function ResidentMark({ state }: { readonly state: ResidentState }): JSX.Element {
  const { t } = useLanguage();
  return <Mark tone={states[state].tone}>{t(states[state].text)}</Mark>;
}
