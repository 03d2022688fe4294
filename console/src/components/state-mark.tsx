// The state of something as a mark: its name in the reader's words, and how good that is.

import type { JSX } from 'react';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';
import { Mark } from './page.tsx';

export type StateText = { readonly text: TextKey; readonly tone: 'ok' | 'warn' | 'bad' | 'plain' };
export type StateTexts<State extends string> = Readonly<Record<State, StateText>>;

type StateMarkProps<State extends string> = { readonly states: StateTexts<State>; readonly state: State };

/** Later versions of the service may have more states: they keep their own name. */
export function StateMark<State extends string>({ states, state }: StateMarkProps<State>): JSX.Element {
  const { t } = useLanguage();
  const known = Object.hasOwn(states, state) ? states[state] : undefined;
  return known === undefined ? <>{state}</> : <Mark tone={known.tone}>{t(known.text)}</Mark>;
}
