/** Rollback timer of a bundle in seconds (`keep` on the wire); 0 is off. A gateway accepts up to `gatewayMax`. */
export const rollbackTimer = { default: 180, min: 30, max: 600, gatewayMax: 3600 } as const;
