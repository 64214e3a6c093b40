/** Rollback timer of a bundle in seconds (`keep` on the wire); 0 is off. A gateway accepts up to `most`. */
export const rollbackTimer = { default: 180, least: 30, longest: 600, most: 3600 } as const;
