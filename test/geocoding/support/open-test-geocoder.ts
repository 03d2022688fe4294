// Opens the geocoder of a settings file, with access to its log and metrics.

import { pino } from 'pino';
import type { Geocoder } from '../../../src/providers/geocoding/geocoder.ts';
import { parseGeocoderSettings } from '../../../src/providers/geocoding/geocoder-settings.ts';
import { createConfiguredGeocoder } from '../../../src/providers/geocoding/create-configured-geocoder.ts';

export type ObservedGeocoder = {
  readonly geocoder: Geocoder;
  readonly logLines: string[];
  readonly counted: { readonly provider: string; readonly search: string; readonly outcome: string }[];
};

export function openTestGeocoder(
  settings: object,
  readPostalCity: () => Promise<string | null | undefined> = async () => undefined,
): ObservedGeocoder {
  const logLines: string[] = [];
  const counted: ObservedGeocoder['counted'] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const geocoder = createConfiguredGeocoder(parseGeocoderSettings(JSON.stringify(settings)), {
    log,
    countLookup: (labels) => void counted.push(labels),
    readPostalCity,
  });
  return { geocoder, logLines, counted };
}
