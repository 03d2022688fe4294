// The fixed catalogue of service identities. A number always means the same service, because KIDs contain it.

/** The services by name. All numbers are below those of managers. */
const numberByIdentity = {
  Gateway: 1,
  Payments: 2,
  Mailer: 3,
  TextMessages: 4,
  Statistics: 5,
  Scheduler: 6,
  Settlements: 7,
  Bookings: 8,
  Documents: 9,
  Geocoder: 10,
  Monitoring: 11,
  Backup: 12,
  Assistant: 20,
  Import: 100,
  Export: 101,
} as const;

export type ServiceIdentity = keyof typeof numberByIdentity;

export const serviceIdentities = Object.keys(numberByIdentity) as readonly ServiceIdentity[];

export const serviceIdOf = (identity: ServiceIdentity): number => numberByIdentity[identity];

const identityByNumber: ReadonlyMap<number, ServiceIdentity> = new Map(
  serviceIdentities.map((identity) => [numberByIdentity[identity], identity]),
);

/** Undefined if no service has the number. */
export const findServiceIdentity = (serviceId: number): ServiceIdentity | undefined => identityByNumber.get(serviceId);
