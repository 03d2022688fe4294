// What the palette can do besides opening what is there.

import type { CurrentManager } from '../api/operations.ts';
import type { Translate } from '../language/catalogue.ts';
import { themeTexts, type OwnActions } from '../layout/own-actions.ts';
import type { Entry } from './entries.ts';

type ActionsOptions = {
  readonly manager: CurrentManager;
  /** The object of the screen below. */
  readonly placeKid: string;
  readonly own: OwnActions;
  readonly t: Translate;
};

export const listActions = ({ own, t }: ActionsOptions): Entry[] => [
  ...themeTexts.map((key, theme) => ({
    key: `theme-${theme}`,
    title: `${t('menu.theme')}: ${t(key)}`,
    icon: 'theme' as const,
    run: () => void own.chooseTheme(theme),
  })),
  { key: 'log-out', title: t('session.logOut'), icon: 'logout', run: () => void own.logOut() },
];
