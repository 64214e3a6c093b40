import { errors } from '@farlink/contract/errors.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { type PortalDetail, portalCalls } from '@farlink/contract/market/portal.ts';
import { type PortalDocument, type PortalImage, parseDocument } from '@farlink/portal/document.ts';
import type { View } from '@farlink/portal/view.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, call } from '../../../kit/net/call.ts';
import { callRows } from '../../../kit/net/call-rows.ts';

/** The token of the preview is renewed before its half hour ends. */
const renewMs = 20 * 60_000;
const pollMs = 60_000;

interface LoadedPortal extends PortalDetail {
  /** Each reply has another token. A recent one is kept, so that the preview and its images stay cached. */
  readonly previewAt: number;
}

const keepPreview = (portal: PortalDetail, old: LoadedPortal | undefined, now: number): LoadedPortal =>
  old && now - old.previewAt < renewMs ? { ...portal, preview: old.preview, previewAt: old.previewAt } : { ...portal, previewAt: now };

export const readPortal = (id: number) => call(portalCalls.read, { id }, { silent: true, overlay: false });

/** Saves a new revision; `known` has the version that it replaces. */
export const savePortal = async (id: number, known: Values): Promise<{ readonly version: number; readonly rev: number }> => {
  const reply = await callRows(portalCalls.update, [], { id, ...known }, { silent: true });
  if (!isRecord(reply) || typeof reply.version !== 'number' || typeof reply.rev !== 'number')
    throw new Error('portal/{id} returns no version');
  return { version: reply.version, rev: reply.rev };
};

export const usePortal = (id: number) => {
  const client = useQueryClient();
  const queryKey = ['record', portalCalls.read.path, id];
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey,
    queryFn: async () => keepPreview(await readPortal(id), client.getQueryData<LoadedPortal>(queryKey), Date.now()),
    // Also shows who else edits, and that another version was saved.
    refetchInterval: pollMs,
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

/** URLs below the preview of a portal. `stamp` makes the browser load a stored draft again. */
export const previewUrls = ({ preview }: Pick<PortalDetail, 'preview'>) => {
  const at = (of: string, lang: Lang, view: View) => `${preview}${of}/${lang}/${view}/`;
  return {
    draft: (lang: Lang, view: View, stamp: number) => `${at('draft', lang, view)}?stamp=${stamp}`,
    revision: (rev: number, lang: Lang, view: View) => at(`rev-${rev}`, lang, view),
    image: ({ sha256, ext }: PortalImage, stamp: number) => `${preview}draft/img/${sha256}.${ext}?stamp=${stamp}`,
  };
};
