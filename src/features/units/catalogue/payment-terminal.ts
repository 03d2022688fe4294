// The settings and states of payment terminals.

import { setting, state, type ValueDefinition } from './value-definition.ts';

const amount = { min: 0, max: 100_000_000 } as const;

export const paymentTerminal: readonly ValueDefinition[] = [
  setting('Operation', 'TerminalId', 'text', { maxLength: 16, pattern: '[0-9]{4,16}' }),
  setting('Operation', 'AcceptCards', 'bool', { fallback: 'true' }),
  setting('Operation', 'AcceptCoins', 'bool', { fallback: 'false' }),
  setting('Operation', 'PrintReceipts', 'bool', { fallback: 'true' }),
  /** How long the screen stays on without a user. */
  setting('Operation', 'ScreenTimeout', 'duration', {
    unitOfMeasure: 's',
    min: 10,
    max: 600,
    step: 10,
    fallback: '60',
  }),
  setting('Prices', 'MinTopUp', 'money', amount),
  setting('Prices', 'MaxTopUp', 'money', amount),
  setting('Prices', 'PaymentFee', 'money', amount),
  /** The key that signs its payments. */
  setting('Network', 'TerminalKey', 'text', { maxLength: 64, editable: false, visible: false }),
  state('Status', 'CardReaderReady', 'bool'),
  state('Status', 'PaperLevel', 'enum', { options: ['Full', 'Low', 'Empty'] }),
  state('Counters', 'PaymentCount', 'int', { min: 0 }),
  state('Counters', 'PaymentTotal', 'money', { min: 0 }),
  state('Counters', 'CoinsHeld', 'money', { min: 0, isCounter: false }),
];
