import type { Field } from '../field.ts';
import type { Admission } from './admission.ts';
import type { Will } from './connect.ts';

/** Interface of the endpoint that owns the connection. */
export interface ConnectionOwner<C extends object> {
  readonly field: Field;
  readonly now: () => number;
  readonly admission: Admission<C>;
  /** Returns true if the gateway may open one more connection. */
  mayAddConnection(connection: C): boolean;
  /** The connection has sent a valid CONNECT. */
  connecting(connection: C): void;
  opened(connection: C): void;
  helloSent(connection: C): void;
  /** Returns true if the gateway has sent hello since it connected. Before that, its current link is unknown. */
  isLinkKnown(connection: C): boolean;
  /** The connection has data that cannot be ingested now. The owner resumes it in FIFO order. */
  paused(connection: C): void;
  ended(connection: C, will: Will): void;
  /** Returns true if this address may send one more enrolment request. */
  mayEnrol(address: string): boolean;
  /** Counts an MQTT protocol error, a wrong key and other faults by kind. */
  fault(kind: string): void;
  /** Logs and counts an internal error. The connection ends. */
  internal(connection: C, error: unknown): void;
}
