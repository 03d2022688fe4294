// Converts coordinates of ETRS89 / UTM zone 32 (EPSG:25832) to degrees: the inverse transverse Mercator projection by
// Krüger's series in the third flattening, exact to well below a millimetre. ETRS89 and WGS 84 differ by less than a metre.

/** GRS 80. */
const semiMajorAxis = 6_378_137;
const flattening = 1 / 298.257222101;

const centralMeridianDegrees = 9;
const scale = 0.9996;
const falseEasting = 500_000;

const n = flattening / (2 - flattening);
/** The radius of the circle with the circumference of a meridian. */
const rectifyingRadius = (semiMajorAxis / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const eccentricity = Math.sqrt(flattening * (2 - flattening));

const inverseTerms: readonly number[] = [
  n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - (1 / 360) * n ** 4,
  n ** 2 / 48 + n ** 3 / 15 - (437 / 1440) * n ** 4,
  (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
  (4397 / 161_280) * n ** 4,
];

type Degrees = { readonly latitude: number; readonly longitude: number };

/** Metres to degrees. */
export function utm32ToDegrees(easting: number, northing: number): Degrees {
  const xi = northing / (scale * rectifyingRadius);
  const eta = (easting - falseEasting) / (scale * rectifyingRadius);
  let xiSphere = xi;
  let etaSphere = eta;
  for (const [index, term] of inverseTerms.entries()) {
    const order = 2 * (index + 1);
    xiSphere -= term * Math.sin(order * xi) * Math.cosh(order * eta);
    etaSphere -= term * Math.cos(order * xi) * Math.sinh(order * eta);
  }
  const conformalTangent = Math.sin(xiSphere) / Math.hypot(Math.sinh(etaSphere), Math.cos(xiSphere));
  const longitude = Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere));
  return {
    latitude: toDegrees(Math.atan(geographicTangent(conformalTangent))),
    longitude: centralMeridianDegrees + toDegrees(longitude),
  };
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/** The tangent of the geographic latitude from that of the conformal latitude, by Newton's method (Karney 2011). */
function geographicTangent(conformal: number): number {
  let tangent = conformal;
  // Each step doubles the correct digits: four steps give more than a double holds.
  for (let step = 0; step < 4; step += 1) {
    const secant = Math.hypot(1, tangent);
    const sigma = Math.sinh(eccentricity * Math.atanh((eccentricity * tangent) / secant));
    const conformalHere = tangent * Math.hypot(1, sigma) - sigma * secant;
    const slope =
      ((1 - eccentricity ** 2) * secant * Math.hypot(1, conformalHere)) / (1 + (1 - eccentricity ** 2) * tangent ** 2);
    tangent += (conformal - conformalHere) / slope;
  }
  return tangent;
}
