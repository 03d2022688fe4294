// Lists realistic values for the settings of demo units, in canonical form.

import type { Random } from '../random.ts';
import { randomPrice } from '../tariff.ts';

/** Values by the name of the setting; the default of the catalogue can be among them. */
const exampleValues: Readonly<Record<string, readonly string[]>> = {
  OutOfOrderSmsLimit: ['0', '2', '3'],
  Note: ['Cleaned in spring', 'Spare key at the office', 'Replaced last year', 'Ask before moving it'],
  ReportInterval: ['30', '60', '120', '300', '900'],
  OfflineAfter: ['5', '15', '30', '60'],
  TimeServer: ['time.example.org', 'ntp.example.net'],
  StartWithin: ['5', '10', '15', '20'],
  ProgramSet: ['Standard', 'Economy', 'Allergy', 'Heavy'],
  ChildLock: ['true', 'false'],
  MaxTemperature: ['60', '90', '95'],
  MaxSpinSpeed: ['1000', '1200', '1400'],
  RinseCycles: ['2', '3', '4'],
  SoapDosing: ['true', 'false'],
  SoapDose: ['30.0', '35.5', '40.0', '45.0'],
  SoftenerDose: ['0.0', '20.0', '25.0', '27.5'],
  DryLevel: ['Damp', 'Iron', 'Cupboard', 'Extra'],
  MaxDryingTime: ['60', '90', '120'],
  CoolDownTime: ['3', '5', '8'],
  RollTemperature: ['150', '160', '175'],
  SpinTime: ['180', '240', '300'],
  ReducedFrom: ['21:00', '22:00', '23:30'],
  ReducedThrough: ['05:30', '06:00', '07:00'],
  ReducedBy: ['10', '20', '25'],
  PulsesPerUnit: ['1.000', '10.000', '100.000', '1000.000'],
  ReadingTime: ['00:00', '00:15', '03:00'],
  AlarmAfter: ['5', '10', '30'],
  TransformerRatio: ['1', '20', '40'],
  PowerAlarmLimit: ['11.0', '22.0', '43.5'],
  FlowAlarmLimit: ['900.0', '1500.0', '2500.5'],
  LeakAlarm: ['true', 'false'],
  TemperatureLow: ['-25.0', '5.0', '16.5'],
  TemperatureHigh: ['-12.0', '28.0', '30.5'],
  CalibrationOffset: ['-0.3', '0.0', '0.2'],
  AlarmVolume: ['60', '80', '100'],
  TestInterval: ['7', '30', '90'],
  FillAlarm: ['70', '80', '90'],
  WasteKind: ['Residual', 'Food', 'Paper', 'Glass'],
  AccessMode: ['Key', 'KeyAndPin', 'Pin', 'Free'],
  UnlockSeconds: ['5', '8', '15'],
  AutoRelock: ['true', 'false'],
  FreeInOpeningHours: ['true', 'false'],
  OpenAlarmAfter: ['60', '120', '300'],
  HoldOpen: ['true', 'false'],
  CloseAfter: ['20', '30', '45'],
  MaxLoad: ['450', '630', '1000'],
  ParkingFloor: ['-1', '0', '1'],
  FloorArea: ['4.5', '6.0', '12.2'],
  Compartments: ['12', '24', '36'],
  KeepParcel: ['3', '7', '14'],
  MaxCurrent: ['10', '16', '32'],
  SessionLimit: ['20.0', '40.0', '75.5'],
  PhaseCount: ['OnePhase', 'ThreePhases'],
  LoadBalancing: ['true', 'false'],
  SpaceKind: ['Ordinary', 'Accessible', 'Electric', 'Visitor'],
  PermitRequired: ['true', 'false'],
  MaxStay: ['4', '24', '72'],
  ShowerTime: ['180', '240', '300'],
  MaxWaterTemperature: ['38', '40', '42'],
  FlushInterval: ['48', '72', '168'],
  TemperatureSetpoint: ['75.0', '80.0', '85.5'],
  HumiditySetpoint: ['10', '15', '20'],
  PreheatTime: ['30', '45', '60'],
  MaxPersons: ['4', '8', '12'],
  CleaningTime: ['15', '30', '60'],
  CheckInFrom: ['14:00', '15:00', '16:00'],
  CheckOutUntil: ['10:00', '11:00', '12:00'],
  LightsOutAt: ['23:00', '23:30', '24:00'],
  NoiseLimit: ['80', '85', '90'],
  NightFrom: ['21:30', '22:00', '23:00'],
  NightThrough: ['06:00', '06:30', '07:00'],
  OperatingMode: ['Automatic', 'Heating', 'HotWater'],
  RoomSetpoint: ['20.0', '20.5', '21.5'],
  HotWaterSetpoint: ['50.0', '55.0', '58.0'],
  HeatingCurve: ['1.0', '1.1', '1.4'],
  NightSetback: ['1.5', '2.0', '3.0'],
  FreezerSetpoint: ['-18.0', '-20.0', '-22.5'],
  DefrostInterval: ['12', '24', '48'],
  AcceptCoins: ['true', 'false'],
  PrintReceipts: ['true', 'false'],
  ScreenTimeout: ['30', '60', '120'],
};

/** In hundredths of a Danish krone, both ends included. */
const examplePriceRanges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  PriceWash30: [1400, 2000],
  PriceWash40: [1700, 2400],
  PriceWash60: [2200, 3000],
  PriceWash90: [3000, 4200],
  PriceSoap: [200, 600],
  PricePerStart: [300, 2500],
  PricePerMinute: [20, 120],
  PricePerHour: [500, 4000],
  PricePerMonth: [2500, 40_000],
  PricePerNight: [20_000, 45_000],
  PricePerEnergy: [180, 420],
  PricePerVolume: [2500, 8000],
  Deposit: [20_000, 100_000],
  MinTopUp: [2000, 5000],
  MaxTopUp: [50_000, 200_000],
  PaymentFee: [50, 200],
};

/** Every setting that has values here, with those values that are not prices. */
export const settableSettings: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(exampleValues),
  ...Object.keys(examplePriceRanges).map((name) => [name, []] as const),
]);

/** A value for the setting that differs from its present one. */
export function pickOtherValue(name: string, than: string | undefined, currency: string, random: Random): string {
  const [low, high] = examplePriceRanges[name] ?? [0, 0];
  const values = exampleValues[name]?.filter((value) => value !== than) ?? [];
  if (values.length > 0) return random.pick(values);
  const price = String(randomPrice(currency, low, high, random));
  // Small prices can be equal after rounding; five more is the next step in every currency.
  return price === than ? String(BigInt(price) + 5n) : price;
}
