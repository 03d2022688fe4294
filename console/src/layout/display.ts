// How dense the screen is, as the reader has chosen, and light or dark, as the manager's profile says.

import type { TextKey } from '../language/catalogue.ts';

export type Density = 'comfortable' | 'compact';

export type DisplayStore = {
  density(): Density;
  setDensity(density: Density): void;
  /** System = 0, Light = 1, Dark = 2. */
  showTheme(theme: number): void;
  subscribe(listener: () => void): () => void;
};

const key = 'portal-console-density';
/** The names of the themes, by their numbers in the profile. */
export const themeTexts: readonly TextKey[] = ['theme.system', 'theme.light', 'theme.dark'];

const themes = ['system', 'light', 'dark'];

export function createDisplayStore(storage: Storage): DisplayStore {
  const listeners = new Set<() => void>();
  let density: Density = storage.getItem(key) === 'compact' ? 'compact' : 'comfortable';
  document.documentElement.dataset['density'] = density;
  return {
    density: () => density,
    setDensity: (next) => {
      density = next;
      storage.setItem(key, next);
      document.documentElement.dataset['density'] = next;
      for (const listener of listeners) listener();
    },
    showTheme: (theme) => {
      document.documentElement.dataset['theme'] = themes[theme] ?? 'system';
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
