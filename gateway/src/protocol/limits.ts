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
