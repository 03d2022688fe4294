// The screens that ask for what they will read while they are being loaded, by their addresses.

import { startAccount } from './account/account-input.ts';
import type { StartScreen } from './layout/start-screen.ts';

export type FirstScreen = {
  /** The name of its module. */
  readonly module: string;
  readonly start: StartScreen;
};

export const firstScreens: Readonly<Record<string, FirstScreen>> = {
  '/banks/$bankKid/account': { module: 'account-screen', start: startAccount },
};
