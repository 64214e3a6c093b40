import type { Field } from '../field.ts';

interface Options {
  readonly field: Pick<Field, 'enrol'>;
  readonly sn: string;
  /** Merchant code from CONNECT. */
  readonly code: string;
  readonly address: string;
  /** Returns true if this address may send one more enrolment request. */
  mayEnrol(address: string): boolean;
}

/** Enrolment requests of one connection, one at a time. Each costs a transaction, and the sender is not authenticated yet. */
export class EnrolmentRequests {
  readonly #options: Options;
  #count = 0;
  #isRunning = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns undefined if the gateway may not send this request now. */
  send(body: string): ReturnType<Field['enrol']> | undefined {
    const { field, sn, code, address, mayEnrol } = this.#options;
    // CONNECT has counted the first request.
    if (this.#isRunning || (this.#count++ > 0 && !mayEnrol(address))) return undefined;
    this.#isRunning = true;
    return field.enrol(sn, code, body, address).finally(() => {
      this.#isRunning = false;
    });
  }
}
