// Opens a command. One that is not possible now says why; one that the manager may never do is not shown at all, which
// is for the screen to decide (`rights.ts`).

import { useId, type JSX } from 'react';
import type { IconName } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { useCommandAddress } from './command-address.ts';

type CommandButtonProps = {
  /** The name of the command as the address has it, and after a dot what it is about. */
  readonly name: string;
  readonly text: string;
  /** What it is about, for those who do not see where the button is. */
  readonly about?: string | undefined;
  readonly icon?: IconName;
  readonly isSmall?: boolean;
  readonly isMain?: boolean;
  /** Why it is not possible now, in the service's own words. */
  readonly reason?: string | undefined;
};

export function CommandButton({
  name,
  text,
  about,
  icon,
  isSmall = false,
  isMain = false,
  reason,
}: CommandButtonProps): JSX.Element {
  const { open } = useCommandAddress();
  const id = useId();
  const className = `button${isSmall ? ' button-small' : ''}${isMain ? ' button-main' : ''}`;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-disabled={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : id}
        onClick={() => {
          if (reason === undefined) open(name);
        }}
      >
        {icon === undefined ? undefined : <Icon name={icon} />}
        {text}
        {about === undefined ? undefined : <span className="visually-hidden"> {about}</span>}
      </button>
      {reason === undefined ? undefined : (
        <span id={id} className="second">
          {reason}
        </span>
      )}
    </>
  );
}
