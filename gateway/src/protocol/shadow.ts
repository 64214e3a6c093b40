import { createHash } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { Json } from './shape.ts';

export const hashPattern = /^[0-9a-f]{32}$/;

/** First half of a SHA-256: sufficient to distinguish documents, and half the bytes on the air. */
export const hashOf = (doc: Json): string => createHash('sha256').update(canonical(doc)).digest('hex').slice(0, 32);

/** One hash over all sections of a gateway; equal means that nothing needs to be sent. */
export const digestOf = (sections: Readonly<Record<string, string>>): string => hashOf({ ...sections });

export const shadowStates = ['pending', 'applying', 'applied', 'failed', 'drifted'] as const;
export type ShadowState = (typeof shadowStates)[number];

export interface Desired {
  readonly rev: number;
  readonly hash: string;
  readonly sent_at: number | null;
}

export interface Reported {
  readonly rev: number;
  readonly hash: string | null;
  readonly ok: boolean;
  readonly local: boolean;
}

/** 'applied' requires the hash of this revision from the gateway. */
export const shadowState = (desired: Desired, reported: Reported | undefined): ShadowState => {
  const isLater = reported !== undefined && reported.rev < desired.rev;
  if (reported?.local && reported.hash === desired.hash) return 'applied';
  // A local change of an older revision is ignored: it will be overwritten.
  if (reported?.local && !isLater) return 'drifted';
  if (reported?.rev === desired.rev) return reported.ok && reported.hash === desired.hash ? 'applied' : 'failed';
  return desired.sent_at === null ? 'pending' : 'applying';
};
