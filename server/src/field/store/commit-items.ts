import type { EventKind } from '@farlink/contract/protocol/event.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

/** An event that is stored for the first time. `agent` owned the device at that time. */
export interface NewEvent {
  readonly device: number;
  readonly agent: number;
  readonly sn: string;
  readonly id: string;
  readonly kind: EventKind;
  readonly at: number;
  readonly doc: JsonObject;
}

/** A command with progress, a reply or an expired deadline. */
export interface MovedCommand {
  readonly id: string;
  readonly device_id: number;
  readonly agent_id: number;
  readonly sn: string;
  readonly op: string;
  readonly args: JsonObject;
  /** An id of `commandState`. */
  readonly state: number;
  readonly progress: number;
  readonly code: number | null;
  readonly out: JsonObject | null;
  readonly err: string | null;
  /** The operator, if one sent it. */
  readonly operator: string | null;
  readonly uid: number | null;
  /** The link of the gateway when the command was created. */
  readonly link: string | null;
}
