// Installers, who service units.

export type InstallersTables = {
  installers: {
    installer_id: number;
    name: string;
    /** For sorting: without case and accents, and with numbers that sort by value. */
    name_key: string;
    email: string;
    phone: string;
    organisation: string;
    state: string;
    /** MS2000; null if there was none yet. */
    last_activity_at: number | null;
    /** Name of an icon. */
    person_icon: string;
    icon_revision: number;
    /** Counts the writes: the row is their lock row. */
    writes: number;
  };
  installer_tags: {
    installer_id: number;
    tag: string;
    /** The tag as it is compared: without case and accents. */
    tag_key: string;
  };
  /** The locations in which an installer works. */
  installer_locations: { installer_id: number; bank_id: number; location_id: number };
  /** The words by which installers are found. */
  installer_words: { word: string; installer_id: number };
};
