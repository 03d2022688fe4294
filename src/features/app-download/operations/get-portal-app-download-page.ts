// GetPortalAppDownloadPage: answers the page from which the app for Windows is downloaded.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { downloadPageTexts } from '../../../lib/language.ts';
import { pageHeaders } from '../../../lib/page-style.ts';
import { architectures } from '../../../providers/releases/package/package-identity.ts';
import type { AppDownloadDependencies } from '../require-release.ts';
import { renderDownloadPage } from '../rules/render-download-page.ts';
import {
  architectureFields,
  architectureHints,
  findVisitorArchitecture,
  type VisitorHints,
} from '../rules/visitor-architecture.ts';

export async function getPortalAppDownloadPage(
  context: PublicContext,
  { releases }: AppDownloadDependencies,
): Promise<PreparedFile> {
  const { tenant, environment, language } = context;
  const site = { tenant: tenant.name, environment };
  const offered = await Promise.all(architectures.map((architecture) => releases.findOffered(site, architecture)));
  const page = renderDownloadPage({
    portal: tenant.displayName,
    environment,
    language,
    texts: downloadPageTexts(language),
    packages: offered.filter((each) => each !== undefined),
    visitorArchitecture: findVisitorArchitecture(readHints(context)),
  });
  return {
    body: Buffer.from(page),
    mediaType: 'text/html; charset=utf-8',
    headers: {
      'accept-ch': architectureHints.join(', '),
      ...pageHeaders,
    },
    varies: architectureFields,
  };
}

const readHints = (context: PublicContext): VisitorHints =>
  Object.fromEntries(
    architectureFields.map((field) => [field, context.requestHeader(field.toLowerCase())]),
  ) as VisitorHints;
