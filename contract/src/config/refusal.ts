import { fill, type Text } from '../kit/text.ts';
import { durationText } from '../kit/units.ts';

/** Protocol codes without a field. */
const codes = ['E_APPLY', 'E_FETCH', 'E_HASH', 'E_SECTION'] as const;
export type RefusalCode = (typeof codes)[number];

/** A refused configuration, parsed from the error of the gateway. */
export type GatewayRefusal =
  | { readonly kind: 'field'; readonly page: string; readonly path: string; readonly text: string }
  /** Another section of the same bundle caused the refusal. */
  | { readonly kind: 'with'; readonly page: string }
  /** The gateway lost the console and rolled back. */
  | { readonly kind: 'lost'; readonly seconds: number | null }
  /** The gateway is set to refuse configuration from the platform. */
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

const texts = {
  shared: ['与“{0}”一同被拒绝，均未生效', 'Refused together with {0}; none took effect'],
  lost: ['下发后 {0}内未能恢复连接，网关已自动回退', 'The gateway did not reconnect within {0} and rolled back automatically'],
  lostSome: ['下发后未能恢复连接，网关已自动回退', 'The gateway did not reconnect and rolled back automatically'],
  denied: ['网关已关闭“接受平台下发配置”，须在网关本地开启', '"Accept configuration from the platform" is off. Turn it on at the gateway.'],
  more: ['{0}：{1}', '{0}: {1}'],
} as const satisfies Record<string, Text>;

/** Explanations of the codes for operators; the text of the gateway follows. */
const meanings: Readonly<Record<RefusalCode, Text>> = {
  E_APPLY: ['网关未能应用该配置', 'The gateway could not apply this configuration'],
  E_FETCH: ['网关未能下载配置内容', 'The gateway could not download the configuration'],
  E_HASH: ['网关收到的内容校验不一致', 'The gateway received content with a wrong checksum'],
  E_SECTION: ['网关不支持该配置页', 'The gateway does not support this page'],
};

/** A refusal as a text; `titleOf` returns the title of a page. */
export const refusalText = (refusal: GatewayRefusal, titleOf: (page: string) => Text): Text => {
  switch (refusal.kind) {
    case 'field':
      return fill(texts.more, titleOf(refusal.page), refusal.text);
    case 'with':
      return fill(texts.shared, titleOf(refusal.page));
    case 'lost':
      return refusal.seconds === null ? texts.lostSome : fill(texts.lost, durationText(refusal.seconds));
    case 'denied':
      return texts.denied;
    case 'coded':
      return refusal.text === '' ? meanings[refusal.code] : fill(texts.more, meanings[refusal.code], refusal.text);
    case 'other':
      return [refusal.text, refusal.text];
  }
};
