/** Codes of the protocol that name no field. */
const codes = ['E_APPLY', 'E_FETCH', 'E_HASH', 'E_SECTION'] as const;
export type RefusalCode = (typeof codes)[number];

/** What a gateway says when it does not take a configuration. */
export type GatewayRefusal =
  | { readonly kind: 'field'; readonly page: string; readonly path: string; readonly text: string }
  /** Others of the same application were at fault. */
  | { readonly kind: 'with'; readonly page: string }
  /** It lost the console and went back. */
  | { readonly kind: 'lost'; readonly seconds: number | null }
  /** Somebody there has forbidden the platform to configure it. */
  | { readonly kind: 'denied' }
  | { readonly kind: 'coded'; readonly code: RefusalCode; readonly text: string }
  | { readonly kind: 'other'; readonly text: string };

export const readRefusal = (err: string): GatewayRefusal => {
  const field = /^E_(?:FIELD|FILE) ([a-z0-9_]+)\.?([^:]*): (.*)$/s.exec(err);
  if (field) return { kind: 'field', page: field[1] ?? '', path: field[2] ?? '', text: field[3] ?? '' };
  const shared = /^E_SET refused with ([a-z0-9_]+)/.exec(err);
  if (shared) return { kind: 'with', page: shared[1] ?? '' };
  if (err.startsWith('E_LOST')) return { kind: 'lost', seconds: Number(/(\d+) s/.exec(err)?.[1]) || null };
  if (err.startsWith('E_DENIED')) return { kind: 'denied' };
  const code = codes.find((each) => err === each || err.startsWith(`${each} `));
  if (code) return { kind: 'coded', code, text: err.slice(code.length).trim() };
  return { kind: 'other', text: err };
};
