// What a screen asks for while it is being loaded.

import type { Answer, Input, ReadId } from '../api/client.ts';
import type { Search } from '../lists/search-values.ts';

/** Asks for what the screen will read; what goes wrong stands on the screen. */
export type Ask = <Id extends ReadId>(id: Id, input: Input<Id>, then?: (answer: Answer<Id>) => void) => void;

/** @param parameters the placeholders of the address */
export type StartScreen = (ask: Ask, parameters: Readonly<Record<string, string>>, search: Search) => void;
