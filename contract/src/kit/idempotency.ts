/** Identifies one attempt of an operator: a repeated request with the same key gets the first response. */
export const idempotencyHeader = 'idempotency-key';

export const idempotencyKey = /^[\w-]{16,64}$/;
