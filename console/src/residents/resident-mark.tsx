// The state of a resident.

import type { JSX } from 'react';
import type { ResidentState } from '../api/operations.ts';
import { StateMark, type StateTexts } from '../components/state-mark.tsx';

const states: StateTexts<ResidentState> = {
  active: { text: 'resident.active', tone: 'ok' },
  disabled: { text: 'resident.disabled', tone: 'warn' },
  deleted: { text: 'resident.deleted', tone: 'bad' },
};

export const ResidentMark = ({ state }: { readonly state: ResidentState }): JSX.Element => (
  <StateMark states={states} state={state} />
);
