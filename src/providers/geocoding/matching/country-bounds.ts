// The rough bounds of countries: coordinates outside them are wrong, for example with latitude and longitude swapped.

type Bounds = readonly [south: number, west: number, north: number, east: number];

const boundsByCountry = new Map<string, Bounds>([
  ['DK', [54.3, 7.7, 58, 15.4]],
  ['NO', [57.5, 4, 71.5, 31.7]],
  ['SE', [55, 10.5, 69.3, 24.5]],
  ['DE', [47, 5.5, 55.3, 15.3]],
  ['GB', [49, -9, 61.2, 2.5]],
  ['IS', [62.8, -25.5, 67.5, -12.5]],
]);

const earth: Bounds = [-90, -180, 90, 180];

/** Whether a point in degrees may be in the country; for a country without bounds here, whether it is on the earth. */
export function mayBeIn(country: string, latitude: number, longitude: number): boolean {
  const [south, west, north, east] = boundsByCountry.get(country) ?? earth;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}
