import { createHmac } from 'node:crypto';
import type { Config } from '../../env/config.ts';
import { open, seal } from '../../kit/session/secret.ts';

/** What a preview shows: the portal with the draft of one operator, or a template. */
export type PreviewToken =
  | { readonly kind: 'portal'; readonly id: number; readonly uid: number; readonly until: number }
  | { readonly kind: 'template'; readonly id: number; readonly uid: number; readonly until: number };

type Secret = Pick<Config, 'secretKey'>;

/** Seconds. The page asks for a new path when it opens a preview again. */
export const previewS = 1800;

/** Separate key, so that other values sealed with the installation secret are not valid tokens. */
const keyOf = ({ secretKey }: Secret) => createHmac('sha256', secretKey).update('farlink portal preview').digest();

/** Path of a preview, with a slash at the end. The token is sealed, so a preview needs no cookie. */
export const previewPath = (config: Secret, { kind, id, uid, until }: PreviewToken): string =>
  `/portal/preview/${seal(keyOf(config), JSON.stringify([kind, id, uid, until]))}/`;

/** Undefined: the token is not valid, or it has expired. */
export const openPreviewToken = (config: Secret, sealed: string, now: number): PreviewToken | undefined => {
  try {
    const values: unknown = JSON.parse(open(keyOf(config), sealed));
    if (!Array.isArray(values)) return undefined;
    const [kind, id, uid, until] = values;
    if ((kind !== 'portal' && kind !== 'template') || Number(until) < now) return undefined;
    return { kind, id: Number(id), uid: Number(uid), until: Number(until) };
  } catch {
    return undefined;
  }
};
