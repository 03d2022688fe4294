// Which paths are those of the Equipment API.

/** Whether a path, or the pattern of a route, is one of the Equipment API. */
export const isEquipmentPath = (path: string): boolean => path.startsWith('/equipment/v1/');
