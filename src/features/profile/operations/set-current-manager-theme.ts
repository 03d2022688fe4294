// SetCurrentManagerTheme: sets the theme of the manager of the request, whatever it was.

import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { changeProfile, ownProfileWrite } from '../change-own-profile.ts';
import type { ThemeSetting } from '../schemas.ts';

export function setCurrentManagerTheme(
  context: ManagerContext,
  { theme }: ThemeSetting,
): Promise<WriteAnswer<ThemeSetting>> {
  return context.write(
    ownProfileWrite(context, async (db, row) => {
      await changeProfile(db, context, row, { theme });
      return { theme };
    }),
  );
}
