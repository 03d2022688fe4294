// GetPortalAppDownloadPage: the page from which the app for Windows is downloaded.

import type { PublicContext } from '../../../http/context/operation-context.ts';
import { PreparedFile } from '../../../http/prepared-file.ts';
import { downloadPageTexts } from '../../../lib/language.ts';
import { architectures } from '../../../providers/releases/package/identity.ts';
import type { DownloadsDependencies } from '../dependencies.ts';
import { pageContentSecurityPolicy } from '../page-style.ts';
import { renderDownloadPage } from '../render-download-page.ts';
import {
  architectureFields,
  architectureHints,
  findVisitorArchitecture,
  type VisitorHints,
} from '../rules/visitor-architecture.ts';

export async function getPortalAppDownloadPage(
  context: PublicContext,
  { releases }: DownloadsDependencies,
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
  return new PreparedFile({
    body: Buffer.from(page),
    mediaType: 'text/html; charset=utf-8',
    headers: {
      'accept-ch': architectureHints.join(', '),
      'content-security-policy': pageContentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    },
    varies: architectureFields,
  });
}

const readHints = (context: PublicContext): VisitorHints =>
  Object.fromEntries(
    architectureFields.map((field) => [field, context.requestHeader(field.toLowerCase())]),
  ) as VisitorHints;
