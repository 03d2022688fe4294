// Places, and what is known of units.

import type { Int64 } from '../../lib/values/int64.ts';
import type { AddressColumns } from './address-columns.ts';

type UnitSetting = {
  bank_id: number;
  location_id: number;
  unit_id: number;
  name: string;
  /** In the canonical spelling of its type; null where the value was removed. */
  value: string | null;
  /** The unit's version with which it was written. */
  version: number;
  changed_at: number;
  /** The manager who wrote it; null where the equipment did. */
  editor_id: number | null;
  /** Its record in the outbox; null if no device needs to know. */
  sync_id: number | null;
};

export type PlacesTables = {
  banks: AddressColumns & {
    bank_id: number;
    name: string;
    bank_type: number;
    icon: string | null;
    currency: string;
    /** Value added tax of a cash bank in hundredths of a percent. */
    vat_basis_points: number | null;
    /** The discount of a settlement on a resident's purchases in kroner, in hundredths of a percent. */
    discount_basis_points: number | null;
    enabled: number;
    deleted_at: number | null;
    /** Changes whenever lists show the bank, its locations or its units differently. */
    places_version: number;
    /** Changes with every change to one of the bank's residents, and when a settlement period is closed. */
    residents_version: number;
  };
  locations: AddressColumns & {
    bank_id: number;
    location_id: number;
    name: string;
    /** The name of an icon, as far as there is such an icon. */
    icon: string | null;
    time_zone: string;
    enabled: number;
    deleted_at: number | null;
  };
  units: AddressColumns & {
    bank_id: number;
    location_id: number;
    unit_id: number;
    name: string;
    /** 0 if only the packed type has it. */
    unit_type: number;
    /** What older equipment reports about itself: 64 bits, of which bits 1 to 8 are its type. */
    packed_type: Int64 | null;
    enabled: number;
    deleted_at: number | null;
    /** When the device was last heard of. */
    last_contact_at: number | null;
    /** The computer through which the device is connected; null where none is known. */
    computer_name: string | null;
    /** The cluster of computers that serves the device; null is the one for equipment in use. */
    cluster: string | null;
    /** The lock row of the unit's settings; each setting has the version with which it was written. */
    version: number;
  };
  /** Settings that have ever had a value. For all others the catalogue's default applies. */
  unit_settings: UnitSetting;
  /** Every value that a setting has had, including the current one. */
  unit_setting_history: UnitSetting;
  /** What devices last reported. */
  unit_states: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    name: string;
    value: string | null;
    reported_at: number;
  };
  opening_exceptions: {
    bank_id: number;
    location_id: number;
    /** 0: every unit of the location that has no exception of its own on that day. */
    unit_id: number;
    /** ISO 8601, in the location's time zone. */
    day: string;
    /** The intervals are spelled as in an opening setting; empty is closed. */
    intervals: string;
    /** What the day is. */
    text: string;
  };
  /** Which import of a country's postal codes is read. */
  postal_imports: {
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** 0 before the first one is finished. */
    current_import: number;
    last_import: number;
  };
  postal_codes: {
    country: string;
    import_id: number;
    /** In the country's canonical spelling. */
    postcode: string;
    /** Null where the postal code has several. */
    city: string | null;
  };
};
