/** Names one attempt of an operator: a repeated request with the same key gets the first answer. */
export const idempotencyHeader = 'idempotency-key';

export const idempotencyKey = /^[\w-]{16,64}$/;
