import type { Delivered } from '../store/tx.ts';

/** A message that is ready to be sent. `key` stays the same between lookups. */
export interface Outgoing {
  readonly key: string;
  readonly tail: string;
  readonly body: string;
  readonly sent: Delivered;
}
