import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { open, seal } from '../../../kit/session/secret.ts';

/** What a campaign does at each of its devices. It may hold secrets, so it is sealed as a whole. */
export type CampaignSpec =
  | { readonly kind: 'template'; readonly template_id: number; readonly sections: readonly string[] }
  /** `row`: the key of a row of a list, `*` for all of them, null for a form. Null empties. */
  | { readonly kind: 'bulk'; readonly section: string; readonly field: string; readonly row: string | null; readonly value: Json }
  /** `bare`: the documents came without their secrets, so each device keeps its own. */
  | { readonly kind: 'copy'; readonly docs: Readonly<Record<string, JsonObject>>; readonly bare: boolean };

export const sectionsOf = (spec: CampaignSpec): readonly string[] =>
  spec.kind === 'template' ? spec.sections : spec.kind === 'bulk' ? [spec.section] : Object.keys(spec.docs);

export const sourceOf = { template: 'template', bulk: 'bulk', copy: 'import' } as const;

export const sealSpec = (spec: CampaignSpec, key: Buffer): string => seal(key, JSON.stringify(spec));
/** Only what `sealSpec` wrote opens. */
export const openSpec = (sealed: string, key: Buffer): CampaignSpec => JSON.parse(open(key, sealed));
