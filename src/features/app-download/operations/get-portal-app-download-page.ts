// GetPortalAppDownloadPage: answers the page from which the app for Windows is downloaded.

import type { Static } from 'typebox';
import type { PublicContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { pageHeaders } from '../../../lib/pages/page-style.ts';
import { architectures } from '../../../providers/releases/package/package-identity.ts';
import type { AppDownloadDependencies } from '../require-release.ts';
import { downloadPageTexts, renderDownloadPage } from '../rules/render-download-page.ts';
import type { DownloadPageQuery } from '../schemas.ts';
import {
  architectureFields,
  architectureHints,
  findVisitorArchitecture,
  findWhetherWindows,
  type VisitorHints,
} from '../rules/visitor-architecture.ts';

export async function getPortalAppDownloadPage(
  context: PublicContext,
  query: Static<typeof DownloadPageQuery>,
  { releases }: AppDownloadDependencies,
): Promise<PreparedFile> {
  const { tenant, environment } = context;
  const language = query.Language ?? context.language;
  const hints = readHints(context);
  const site = { tenant: tenant.name, environment };
  const offered = await Promise.all(architectures.map((architecture) => releases.findOffered(site, architecture)));
  const page = renderDownloadPage({
    portal: tenant.displayName,
    environment,
    language,
    texts: downloadPageTexts(language),
    packages: offered.filter((each) => each !== undefined),
    visitorArchitecture: findVisitorArchitecture(hints),
    visitorHasWindows: findWhetherWindows(hints),
  });
  return {
    body: Buffer.from(page),
    mediaType: 'text/html; charset=utf-8',
    headers: {
      'accept-ch': architectureHints.join(', '),
      ...pageHeaders,
      'content-language': language,
    },
    varies: architectureFields,
  };
}

const readHints = (context: PublicContext): VisitorHints =>
  Object.fromEntries(
    architectureFields.map((field) => [field, context.requestHeader(field.toLowerCase())]),
  ) as VisitorHints;
