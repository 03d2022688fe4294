// The portal's colours: the brand, and one per state of a device or place. State colours are readable on white and
// differ in lightness as well as hue.

export const portalColorNames = {
  Brand: 0x0e5a66,
  BrandDeep: 0x07323a,
  BrandBright: 0x18a3a0,
  BrandSoft: 0xd3ece9,
  Accent: 0xf2a33c,
  Ink: 0x1c2529,
  Paper: 0xf7f5f0,
  Online: 0x2b8a57,
  Offline: 0x66737a,
  Warning: 0xc98410,
  OutOfOrder: 0xb9342b,
  Available: 0x4fae6e,
  Occupied: 0x8e3b6f,
  Reserved: 0x5b5fb5,
  Running: 0x1f7fc4,
  Finished: 0x3f6d8c,
} as const;
