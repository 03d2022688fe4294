// Searches Danish addresses in Adressevælgeren: one request "washes" the address, which matches it to one of the
// register, and a second one gets its coordinates.

import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { splitZip } from '../../../lib/text/postal-code.ts';
import type { AddressQuery } from '../geocoder.ts';
import { noResult, toFailedLookup, unknownShape, type AddressAnswer, type FailedLookup } from '../lookup-failures.ts';
import { chooseCandidate, isExactMatch, type CandidateAddress } from '../matching/choose-candidate.ts';
import { readStreetAddress } from '../matching/house-number.ts';
import { utm32ToDegrees } from '../utm.ts';
import { providerUrl, type GeocodingClient } from './geocoding-client.ts';

const country = 'DK';

const OkSchema = Type.Object({ status: Type.Literal('ok') });

const WashSchema = Type.Object({
  vaskestatus: Type.Object({ kode: Type.Integer() }),
  vaskeresultat: Type.Optional(Type.Unknown()),
});

const StatusSchema = Type.Union([Type.String(), Type.Integer()]);

const WashedSchema = Type.Object({
  adressebetegnelse: Type.String({ maxLength: 500 }),
  adresse_id_lokalid: Type.String({ pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' }),
  status: StatusSchema,
});

const GeometrySchema = Type.Object({
  geometri: Type.Object({
    coordinates: Type.Tuple([Type.Number(), Type.Number()]),
    crs: Type.Optional(Type.Object({ properties: Type.Object({ name: Type.String() }) })),
  }),
});
const PointSchema = Type.Object({ koordinater: Type.Object({ x: Type.Number(), y: Type.Number() }) });

const DetailSchema = Type.Object({
  adresse: Type.Object({
    husnummer: Type.Object({ adgangspunkt: Type.Union([GeometrySchema, PointSchema]) }),
  }),
});

// Exact, or as good as exact: all other codes mean several addresses, or a part of one.
const acceptedCodes = new Set([1000, 900]);
const inForce = '3';
// The id can also be written as a URN.
const coordinateSystemPattern = /\bEPSG:{1,2}25832$/;

export async function findAdressevaelgerAddress(
  client: GeocodingClient,
  token: string,
  query: AddressQuery,
): Promise<AddressAnswer> {
  const washed = await washAddress(client, token, query);
  if ('outcome' in washed) return washed;
  const url = providerUrl(client, ['adresser', washed.id], { token });
  const answer = await client.get(url, query.turnKey);
  if (!answer.ok) return toFailedLookup(answer);
  if (!Check(OkSchema, answer.body) || !Check(DetailSchema, answer.body)) return unknownShape('no access point');
  const point = pointOf(answer.body);
  if (point === undefined) return unknownShape('another coordinate system');
  return chooseCandidate(query, [{ ...washed.candidate, ...utm32ToDegrees(...point) }]);
}

type WashedAddress = { readonly id: string; readonly candidate: CandidateAddress };

async function washAddress(
  client: GeocodingClient,
  token: string,
  query: AddressQuery,
): Promise<WashedAddress | FailedLookup> {
  const url = providerUrl(client, ['vask', ''], { token, adresse: `${query.address}, ${query.zip}` });
  const answer = await client.get(url, query.turnKey);
  if (!answer.ok) return toFailedLookup(answer);
  if (!Check(OkSchema, answer.body)) return unknownShape('its status is not ok');
  if (!Check(WashSchema, answer.body)) return unknownShape('no code of the wash');
  const { vaskestatus, vaskeresultat } = answer.body;
  if (!acceptedCodes.has(vaskestatus.kode)) return noResult('no exact match');
  if (!Check(WashedSchema, vaskeresultat)) return unknownShape('no washed address');
  if (String(vaskeresultat.status) !== inForce) return noResult('an address that is not in force');
  const candidate = readDesignation(vaskeresultat.adressebetegnelse);
  if (!isExactMatch(query, candidate)) return noResult('another address');
  return { id: vaskeresultat.adresse_id_lokalid, candidate };
}

/** Parses `Alder Lane 2, 1. tv, 2100 København Ø`. */
function readDesignation(designation: string): CandidateAddress {
  const zip = splitZip(country, designation.slice(designation.lastIndexOf(',') + 1));
  const { street, houseNumber } = readStreetAddress(designation);
  return {
    country,
    postcode: zip?.postcode ?? null,
    city: zip?.city ?? null,
    street,
    houseNumber: houseNumber ?? null,
    name: null,
  };
}

function pointOf({ adresse }: Static<typeof DetailSchema>): [easting: number, northing: number] | undefined {
  const { adgangspunkt } = adresse.husnummer;
  if ('koordinater' in adgangspunkt) return [adgangspunkt.koordinater.x, adgangspunkt.koordinater.y];
  const { crs, coordinates } = adgangspunkt.geometri;
  return crs === undefined || coordinateSystemPattern.test(crs.properties.name) ? coordinates : undefined;
}
