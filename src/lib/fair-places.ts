// Places for long works, such as downloads: a bounded number in all, of each tenant and of each manager. Who finds none
// waits for a short time. A place that becomes free goes to the tenant, and then to the manager, that has the fewest.

export type PlaceOwner = { readonly tenant: string; readonly managerId: number };

export type FairPlacesOptions = {
  readonly places: number;
  readonly placesOfTenant: number;
  readonly placesOfManager: number;
  /** How many works of one manager may wait at the same time. */
  readonly waitingOfManager: number;
  readonly maxWaitMs: number;
  /** Makes the error of a work that gets no place. */
  readonly createRefusal: () => Error;
};

/** Gives a place back. Later calls do nothing. */
export type ReleasePlace = () => void;

type WaitingWork = { readonly owner: PlaceOwner; start(): void };

export class FairPlaces {
  readonly #options: FairPlacesOptions;
  readonly #taken = new Counter();
  readonly #waiting = new Set<WaitingWork>();

  constructor(options: FairPlacesOptions) {
    this.#options = options;
  }

  /** Takes a place as soon as there is one for this owner. */
  async acquire(owner: PlaceOwner): Promise<ReleasePlace> {
    if (!this.#hasPlaceFor(owner)) await this.#wait(owner);
    else this.#taken.add(owner, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#taken.add(owner, -1);
      this.#startNext();
    };
  }

  #hasPlaceFor(owner: PlaceOwner): boolean {
    const { places, placesOfTenant, placesOfManager } = this.#options;
    return (
      this.#taken.total < places &&
      this.#taken.countOfTenant(owner) < placesOfTenant &&
      this.#taken.countOfManager(owner) < placesOfManager
    );
  }

  #wait(owner: PlaceOwner): Promise<void> {
    const { waitingOfManager, maxWaitMs, createRefusal } = this.#options;
    const isSameManager = (each: WaitingWork): boolean => managerKey(each.owner) === managerKey(owner);
    if ([...this.#waiting].filter(isSameManager).length >= waitingOfManager) throw createRefusal();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(work);
        reject(createRefusal());
      }, maxWaitMs);
      const work: WaitingWork = {
        owner,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.add(work);
    });
  }

  /** The released place may be one that nobody who waits can take, as their shares are used up. */
  #startNext(): void {
    let next: WaitingWork | undefined;
    for (const work of this.#waiting)
      if (this.#hasPlaceFor(work.owner) && (next === undefined || this.#hasFewer(work.owner, next.owner))) next = work;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#taken.add(next.owner, 1);
    next.start();
  }

  #hasFewer(a: PlaceOwner, b: PlaceOwner): boolean {
    const tenants = this.#taken.countOfTenant(a) - this.#taken.countOfTenant(b);
    return tenants < 0 || (tenants === 0 && this.#taken.countOfManager(a) < this.#taken.countOfManager(b));
  }
}

/** Counts the places that are taken, in all, by tenant and by manager. */
class Counter {
  readonly #counts = new Map<string, number>();
  total = 0;

  countOfTenant({ tenant }: PlaceOwner): number {
    return this.#counts.get(tenant) ?? 0;
  }

  countOfManager(owner: PlaceOwner): number {
    return this.#counts.get(managerKey(owner)) ?? 0;
  }

  add(owner: PlaceOwner, change: 1 | -1): void {
    this.total += change;
    for (const key of [owner.tenant, managerKey(owner)]) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
}

const managerKey = ({ tenant, managerId }: PlaceOwner): string => `${tenant}/${managerId}`;
