// The labels of commands in the ten languages.

import { localisedTexts, type Language } from '../../../lib/text/language.ts';
import type { CommandName } from './command-catalogue.ts';

const commandTexts = localisedTexts('commands');

export const formatCommandLabel = (name: CommandName, language: Language): string =>
  commandTexts[language].get(name) ?? name;
