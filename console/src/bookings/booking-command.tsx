// Cancels or restores a booking. Whether that is possible, and if not why, the service says by the rules that it would
// follow itself.

import type { JSX } from 'react';
import type { Booking, BookingCommand } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { Preview, usePreview } from '../command/preview.tsx';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import { Amount } from '../components/amount.tsx';
import { Facts } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { BookingMark } from './booking-table.tsx';

const texts: Readonly<
  Record<BookingCommand, { readonly name: string; readonly action: TextKey; readonly done: TextKey }>
> = {
  Cancel: { name: 'cancel', action: 'booking.cancel', done: 'booking.isCancelled' },
  Restore: { name: 'restore', action: 'booking.restore', done: 'booking.isRestored' },
};

/** What would follow from the state of the booking; whether it is possible, the service checks. */
const commandOf = ({ state }: Pick<Booking, 'state'>): BookingCommand | undefined =>
  state === 'Booked' ? 'Cancel' : state === 'Cancelled' ? 'Restore' : undefined;

export function BookingCommandButton({ booking }: { readonly booking: Booking }): JSX.Element | undefined {
  const { t, formats } = useLanguage();
  const manager = useManager();
  const command = commandOf(booking);
  if (command === undefined || !may(manager, 'ExecuteBankBookingCommand')) return undefined;
  const { name, action } = texts[command];
  return (
    <CommandButton
      name={`${name}.${booking.eventKid}`}
      text={t(action)}
      about={`${booking.unitName}, ${formats.dateTime(booking.startUtc)}`}
      isSmall
    />
  );
}

/** The dialog of the booking that the address names, on every screen with bookings. */
export function BookingCommands({ bankKid }: { readonly bankKid: string }): JSX.Element | undefined {
  const right = { id: 'ExecuteBankBookingCommand' } as const;
  const cancelled = useOpenCommand(texts.Cancel.name, right);
  const restored = useOpenCommand(texts.Restore.name, right);
  if (cancelled !== undefined) return <BookingDialog bankKid={bankKid} eventKid={cancelled} command="Cancel" />;
  if (restored !== undefined) return <BookingDialog bankKid={bankKid} eventKid={restored} command="Restore" />;
  return undefined;
}

type BookingDialogProps = {
  readonly bankKid: string;
  readonly eventKid: string;
  readonly command: BookingCommand;
};

const readsOfBookings = [
  'GetBankBookings',
  'GetBankBooking',
  'GetBankUserWorkspace',
  'GetBankAccount',
  'GetBankUsers',
  'GetUserReceipts',
] as const;

function BookingDialog({ bankKid, eventKid, command: bookingCommand }: BookingDialogProps): JSX.Element {
  const { t } = useLanguage();
  // It answers by any event of the booking, also by one that another manager has made outdated meanwhile.
  const booking = useRead('GetBankBooking', { bankKid, eventKid });
  const current = booking.data?.eventKid ?? eventKid;
  const input = { bankKid, eventKid: current, command: bookingCommand };
  const check = usePreview('CheckBankBookingCommand', input, { enabled: booking.data !== undefined });
  const { name, action, done } = texts[bookingCommand];
  const command = useCommand({
    name: `${name}.${eventKid}`,
    id: 'ExecuteBankBookingCommand',
    stored: { values: {} },
    request: () => ({ input }),
    invalidates: readsOfBookings,
    done: (answer) => ({
      text: t(done, { unit: answer.unitName }),
      // A restoration takes back the refund; to cancel once more could cost another fee.
      ...(bookingCommand === 'Cancel'
        ? {
            undo: requestOf('ExecuteBankBookingCommand', {
              input: { bankKid, eventKid: answer.eventKid, command: 'Restore' },
            }),
          }
        : {}),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={t(action)}
      action={t(action)}
      isDanger={bookingCommand === 'Cancel'}
      preview={check}
      refusal={check.data?.allowed === false ? <Refusal check={check.data} booking={booking.data} /> : undefined}
    >
      <Preview preview={booking}>{(shown) => <BookingFacts booking={shown} />}</Preview>
      {check.error === null ? undefined : <Preview preview={check}>{() => undefined}</Preview>}
    </CommandDialog>
  );
}

type RefusalProps = {
  readonly check: { readonly codes: readonly { code: string; text: string }[]; readonly possibleAtUtc: string | null };
  readonly booking: Booking | undefined;
};

function Refusal({ check: { codes, possibleAtUtc }, booking }: RefusalProps): JSX.Element {
  const { t, formats } = useLanguage();
  const manager = useManager();
  return (
    <>
      {codes.map(({ code, text }) => (
        <p key={code}>{text}</p>
      ))}
      {possibleAtUtc === null ? undefined : (
        <p>
          {t('booking.possibleAt', {
            time: formats.dateTime(possibleAtUtc, booking?.timeZone ?? manager.timeZone),
          })}
        </p>
      )}
    </>
  );
}

function BookingFacts({ booking }: { readonly booking: Booking }): JSX.Element {
  const { t, formats } = useLanguage();
  const { startUtc, endUtc, timeZone, locationName, unitName, userName, userKid, priceMinor, currency, state } =
    booking;
  return (
    <div className="panel">
      <Facts
        facts={[
          [t('word.unit'), `${unitName}, ${locationName}`],
          [t('word.time'), `${formats.dateTime(startUtc, timeZone)}–${formats.until(startUtc, endUtc, timeZone)}`],
          [t('word.resident'), userName === '' ? userKid : userName],
          [t('word.price'), <Amount minor={priceMinor} currency={currency} />],
          [t('word.state'), <BookingMark state={state} />],
        ]}
      />
    </div>
  );
}
