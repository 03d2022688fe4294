// The state of a computer.

import type { JSX } from 'react';
import type { ComputerState } from '../api/operations.ts';
import { StateMark, type StateTexts } from '../components/state-mark.tsx';

const states: StateTexts<ComputerState> = {
  waiting: { text: 'computer.waiting', tone: 'warn' },
  enrolled: { text: 'computer.enrolled', tone: 'ok' },
  revoked: { text: 'computer.revoked', tone: 'bad' },
};

export const ComputerMark = ({ state }: { readonly state: ComputerState }): JSX.Element => (
  <StateMark states={states} state={state} />
);
