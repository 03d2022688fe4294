// Defines the states of installers.

/** invited: has not accepted the invitation yet; disabled: must not work any more. */
export const installerStates = ['active', 'invited', 'disabled'] as const;
export type InstallerState = (typeof installerStates)[number];

/** An unknown state, stored by a later version of the service, is shown as the most restrictive one. */
export const toInstallerState = (stored: string): InstallerState =>
  installerStates.find((state) => state === stored) ?? 'disabled';
