import { errors } from '@farlink/contract/errors.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import { type PortalDetail, portalCalls } from '@farlink/contract/market/portal.ts';
import { type PortalDocument, type PortalImage, parseDocument } from '@farlink/portal/document.ts';
import type { View } from '@farlink/portal/view.ts';
import { useQuery } from '@tanstack/react-query';
import { CallError, call } from '../../../kit/net/call.ts';

/** The token of the preview is renewed before it ends. */
const renewMs = 4 * 60_000;

export const readPortal = (id: number) => call(portalCalls.read, { id }, { silent: true, overlay: false });

export const usePortal = (id: number) => {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey: ['record', portalCalls.read.path, id],
    queryFn: () => readPortal(id),
    refetchInterval: renewMs,
    retry: false,
  });
  return {
    portal: isFetchedAfterMount ? data : undefined,
    isMissing: error instanceof CallError && error.code === errors.not_found.code,
    failed: error !== null && data === undefined,
    reload: () => void refetch(),
  };
};

/** The document of a reply; undefined if this console cannot read it. */
export const documentOf = (raw: unknown): PortalDocument | undefined => {
  const parsed = parseDocument(raw);
  return 'value' in parsed ? parsed.value : undefined;
};

/** Addresses below the preview of a portal. `stamp` makes the browser load a stored draft again. */
export const previewUrls = ({ preview }: Pick<PortalDetail, 'preview'>) => {
  const at = (of: string, lang: Lang, view: View) => `/agt/v1/${preview}${of}/${lang}/${view}/`;
  return {
    draft: (lang: Lang, view: View, stamp: number) => `${at('draft', lang, view)}?stamp=${stamp}`,
    revision: (rev: number, lang: Lang, view: View) => at(`rev-${rev}`, lang, view),
    image: ({ sha256, ext }: PortalImage) => `/agt/v1/${preview}draft/img/${sha256}.${ext}`,
  };
};
