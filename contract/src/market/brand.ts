import { calls, shape } from '../kit/endpoint.ts';

/** What the login page shows before a session exists. */
export interface Brand {
  readonly name: string;
  /** URL path of the console logo. */
  readonly logo: string | null;
}

export const brandCalls = calls('market', 'public', {
  /** Ours: the brand of the VNO that owns the host of the request, otherwise of the platform. */
  read: { kind: 'option', path: 'brand', summary: ['当前域名的品牌', 'Brand of the requested host'], shape: shape<Brand>() },
});
