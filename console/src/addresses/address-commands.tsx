// The commands of an address: to write it, to look up its coordinates, to set them by hand, and to say where they are
// from. An address is stored before its coordinates are looked up, so that the answer also says what came of that.

import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { AddressOutcome, ObjectAddress, ObjectCoordinateProvenanceUpdate } from '../api/operations.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Values, Version } from '../command/command-store.ts';
import { parseMinor, toTyped } from '../command/exact-number.ts';
import { ChoiceField, NumberField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import type { TextKey } from '../language/catalogue.ts';
import { toDecimal } from '../language/formats.ts';
import { useLanguage } from '../portal.tsx';
import { nameOfProvenance, provenanceCodes } from './address-provenance.ts';

const names = { write: 'address', lookUp: 'look-up', place: 'coordinates', provenance: 'origin' } as const;

/** What shows addresses or coordinates. */
const readsOfAddresses = ['GetObjectAddress', 'GetBankLocations'] as const;

const outcomeTexts: Readonly<Record<AddressOutcome, TextKey>> = {
  Success: 'address.wasFound',
  Unchanged: 'address.unchanged',
  IncompleteAddress: 'address.incomplete',
  ManualCoordinatesPreserved: 'address.kept',
  ManualCoordinatesSaved: 'address.placed',
  NoResult: 'address.noResult',
  TransientFailure: 'address.lookupFailed',
  PermanentFailure: 'address.lookupFailed',
  NotConfigured: 'address.noProvider',
  Superseded: 'address.superseded',
  ProvenanceSaved: 'address.provenanceSaved',
};

export function AddressButtons({ address: { address, zip } }: { readonly address: ObjectAddress }): JSX.Element {
  const { t } = useLanguage();
  return (
    <p className="marks">
      <CommandButton name={names.write} text={t('action.change')} about={t('word.address')} isSmall />
      {address === '' && zip === '' ? undefined : (
        <CommandButton name={names.lookUp} text={t('address.lookUp')} isSmall />
      )}
      <CommandButton name={names.place} text={t('address.place')} isSmall />
      <CommandButton name={names.provenance} text={t('address.setProvenance')} isSmall />
    </p>
  );
}

export function AddressCommands({ address }: { readonly address: ObjectAddress }): JSX.Element | undefined {
  // The right depends on what the address is of: the service says it with the address.
  const isAllowed = address.canWrite;
  const write = useOpenCommand(names.write, { id: 'UpdateObjectAddress', isAllowed });
  const lookUp = useOpenCommand(names.lookUp, { id: 'LookupObjectCoordinates', isAllowed });
  const place = useOpenCommand(names.place, { id: 'SetObjectCoordinates', isAllowed });
  const provenance = useOpenCommand(names.provenance, { id: 'SetObjectCoordinateProvenance', isAllowed });
  if (write !== undefined) return <WriteDialog address={address} />;
  if (lookUp !== undefined) return <LookUpDialog address={address} />;
  if (place !== undefined) return <PlaceDialog address={address} />;
  if (provenance !== undefined) return <ProvenanceDialog address={address} />;
  return undefined;
}

type DialogProps = { readonly address: ObjectAddress };

/** What the dialogs have in common. */
function useAddress({ kid, canWrite }: ObjectAddress) {
  const { t } = useLanguage();
  return {
    isAllowed: canWrite,
    invalidates: readsOfAddresses,
    input: { kid },
    rereadAs:
      <V extends Values>(toVersion: (address: ObjectAddress) => Version<V>) =>
      async (client: Client): Promise<Version<V>> =>
        toVersion(await client.call('GetObjectAddress', { kid })),
    textOf: ({ outcome }: ObjectAddress): string => t(outcomeTexts[outcome]),
  };
}

const toText = ({ address, zip, revision }: ObjectAddress): Version<{ address: string; zip: string }> => ({
  values: { address, zip },
  revision,
});

function WriteDialog({ address }: DialogProps): JSX.Element {
  const { t } = useLanguage();
  const { input, rereadAs, textOf, ...common } = useAddress(address);
  const command = useCommand({
    ...common,
    name: names.write,
    id: 'UpdateObjectAddress',
    stored: toText(address),
    request: (values, expectedRevision) => ({ input, body: { ...values, expectedRevision } }),
    reread: rereadAs(toText),
    done: (answer) => ({
      text: textOf(answer),
      undo: requestOf('UpdateObjectAddress', {
        input,
        body: { address: address.address, zip: address.zip, expectedRevision: answer.revision },
      }),
    }),
  });
  const labels = { address: t('address.street'), zip: t('address.zip') };
  return (
    <CommandDialog command={command} title={t('word.address')} action={t('action.save')} labels={labels}>
      <TextField field={command.field('address')} label={labels.address} autoFocus />
      <TextField field={command.field('zip')} label={labels.zip} description={t('address.zipHelp')} />
    </CommandDialog>
  );
}

function LookUpDialog({ address }: DialogProps): JSX.Element {
  const { t } = useLanguage();
  const { input, textOf, rereadAs, ...common } = useAddress(address);
  const toVersion = ({ revision }: ObjectAddress): Version => ({ values: {}, revision });
  const command = useCommand({
    ...common,
    name: names.lookUp,
    id: 'LookupObjectCoordinates',
    stored: toVersion(address),
    request: (_, expectedRevision) => ({ input, body: { expectedRevision } }),
    reread: rereadAs(toVersion),
    done: (answer) => ({ text: textOf(answer) }),
  });
  return (
    <CommandDialog command={command} title={t('address.lookUp')} action={t('address.lookUp')}>
      <p>{[address.address, address.zip].filter(Boolean).join(', ')}</p>
      <p className="soft">{t('address.lookUpAdvice')}</p>
    </CommandDialog>
  );
}

/** The service counts in millionths of a degree. */
const degreeDigits = 6;

function PlaceDialog({ address }: DialogProps): JSX.Element {
  const { t, locale } = useLanguage();
  const { input, textOf, rereadAs, ...common } = useAddress(address);
  const toTypedDegrees = (millionths: number | null): string =>
    millionths === null ? '' : toTyped(toDecimal(BigInt(millionths), degreeDigits), locale);
  const toVersion = ({ latitude, longitude, revision }: ObjectAddress) => ({
    values: { latitude: toTypedDegrees(latitude), longitude: toTypedDegrees(longitude) },
    revision,
  });
  const command = useCommand({
    ...common,
    name: names.place,
    id: 'SetObjectCoordinates',
    stored: toVersion(address),
    check: (values) => {
      const errorOf = (typed: string) =>
        parseMinor(typed, degreeDigits) === undefined ? t('address.notDegrees') : undefined;
      return { latitude: errorOf(values.latitude), longitude: errorOf(values.longitude) };
    },
    request: ({ latitude, longitude }, expectedRevision) => ({
      input,
      body: { latitude: toMillionths(latitude), longitude: toMillionths(longitude), expectedRevision },
    }),
    reread: rereadAs(toVersion),
    done: (answer) => ({ text: textOf(answer) }),
  });
  const labels = { latitude: t('address.latitude'), longitude: t('address.longitude') };
  return (
    <CommandDialog command={command} title={t('address.place')} action={t('action.save')} labels={labels}>
      <NumberField field={command.field('latitude')} label={labels.latitude} unit="°" autoFocus />
      <NumberField field={command.field('longitude')} label={labels.longitude} unit="°" />
    </CommandDialog>
  );
}

const toMillionths = (typed: string): number => Number(parseMinor(typed, degreeDigits));

function ProvenanceDialog({ address }: DialogProps): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const { input, textOf, rereadAs, ...common } = useAddress(address);
  const toVersion = ({ autoLatitudeLongitude, revision }: ObjectAddress) => ({
    values: { value: String(autoLatitudeLongitude ?? 0) },
    revision,
  });
  const command = useCommand({
    ...common,
    name: names.provenance,
    id: 'SetObjectCoordinateProvenance',
    stored: toVersion(address),
    request: ({ value }, expectedRevision) => ({
      input,
      body: { value: Number(value) as ObjectCoordinateProvenanceUpdate['value'], expectedRevision },
    }),
    reread: rereadAs(toVersion),
    done: (answer) => ({ text: textOf(answer) }),
  });
  const label = t('address.provenance');
  return (
    <CommandDialog
      command={command}
      title={t('address.setProvenance')}
      action={t('action.save')}
      labels={{ value: label }}
      format={(_, value) => nameOfProvenance(Number(value), language)}
    >
      <ChoiceField
        field={command.field('value')}
        label={label}
        choices={provenanceCodes.map((code) => [String(code), nameOfProvenance(code, language)])}
        autoFocus
      />
    </CommandDialog>
  );
}
