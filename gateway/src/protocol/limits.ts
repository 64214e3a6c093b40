/** Faster than any link and any NAS: 10 Gbit/s. */
export const maxBytesPerSecond = 1.25e9;

/** Maximum of a counter and of a stored sum: up and down together fit a number. */
export const maxBytes = 2 ** 52 - 1;

export const protocolLimits = {
  packetBytes: 65_536,
  /** Unacknowledged QoS 1 messages in each direction. */
  inFlight: 16,
  topicAliases: 16,
  /** Seconds before a lost gateway is reported as offline. */
  willDelay: 30,
  rowsOfBatch: 4000,
  /** Command ids that a gateway stores across reboots, so that none is executed twice. */
  commandsRemembered: 256,
} as const;
