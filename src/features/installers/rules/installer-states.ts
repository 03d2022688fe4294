// The states of installers.

/** invited: has not accepted the invitation yet; disabled: may not work any more. */
export const installerStates = ['active', 'invited', 'disabled'] as const;
export type InstallerState = (typeof installerStates)[number];

/** A state that a later version of the service has stored is shown as the most careful one. */
export const toInstallerState = (stored: string): InstallerState =>
  installerStates.find((state) => state === stored) ?? 'disabled';
