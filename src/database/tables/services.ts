// The service identities of a tenant.

export type ServicesTables = {
  services: {
    service_id: number;
    name: string;
    /** Name of an icon. */
    icon: string;
    /** The hash of the service's key, a PHC string; null without a key. */
    api_key_hash: string | null;
    /** The environment of the host on which the key was made. */
    api_key_environment: string | null;
    /** The manager who made the key, whose rights bound it; null without a key. */
    api_key_made_by: number | null;
    api_key_made_at: number | null;
    revision: number;
    /** Counts the writes: the row is their lock row. */
    writes: number;
    /** The manager who granted what the key may read. */
    access_granted_by: number | null;
    access_granted_at: number | null;
  };
  service_history: {
    service_id: number;
    /** The service's revision that the change made. */
    revision: number;
    changed_at: number;
    /** The manager; 0 for an operator, by a command. */
    editor_id: number;
    field: string;
    /** Null for what is secret. */
    old_value: string | null;
    new_value: string | null;
  };
  /** The operations that the key may call. */
  service_operations: { service_id: number; operation_id: string };
  /** When the key was last used, to within a minute. */
  service_key_uses: { service_id: number; last_used_at: number };
};
